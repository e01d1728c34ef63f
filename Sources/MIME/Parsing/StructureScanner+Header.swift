import MartletBytes

extension StructureScanner {
    /// Reads one line of a header. Whether there was a whole one.
    mutating func scanHeaderLine(_ octets: UnsafeRawBufferPointer, isFinal: Bool) -> Bool {
        guard let next = nextLine(in: octets, isFinal: isFinal) else { return false }
        let line = position..<next
        guard settleEmptyLines(before: line, octets) else { return true }
        if line.lowerBound == parts[current].start, octets[line].starts(with: [0xEF, 0xBB, 0xBF]) {
            add(.byteOrderMark, at: line.lowerBound)
            advance(to: line.lowerBound + 3)
            return true
        }
        let content = content(of: line, in: octets)
        if content.isEmpty {
            guard settleJunk(before: .empty, octets) else { return true }
            if mayBeBeforeFields {
                header.emptyEnd = header.emptyEnd ?? next
                advance(to: next)
                return true
            }
            parts[current].bodyStart = next
            open[top].lastJunk = header.lastJunk
            advance(to: next)
            endHeader(octets)
        } else if startsWithDashes(octets, content), isDelimiter(octets, content) {
            guard settleJunk(before: .delimiter, octets) else { return true }
            if parts[current].fieldCount > 0 { add(.missingHeaderEnd, at: line.lowerBound) }
            parts[current].bodyStart = line.lowerBound
            endHeader(octets)
        } else if octets[content.lowerBound].isBlank, header.hasOpenField {
            extendField(to: next)
            advance(to: next)
        } else if isParameter(content, octets) {
            add(.junkHeaderLine, at: line.lowerBound)
            extendField(to: next)
            advance(to: next)
        } else if let field = HeaderLine(octets, content) {
            guard settleJunk(before: .field, octets) else { return true }
            append(field, line: line, octets)
            advance(to: next)
        } else if octets[content.lowerBound].isBlank, let junk = header.junk {
            header.junk = junk.lowerBound..<next
            header.isJunkFolded = true
            advance(to: next)
        } else if let start = indentedField(content, octets),
            let field = HeaderLine(octets, start..<content.upperBound)
        {
            add(.junkHeaderLine, at: line.lowerBound)
            append(field, line: start..<next, octets)
            advance(to: next)
        } else {
            guard settleJunk(before: .junk, octets) else { return true }
            hold(line, octets)
            advance(to: next)
        }
        return true
    }

    // MARK: Lines at odd places

    /// Whether empty lines here may be before the header: there is no field yet, and it is not a body part, whose header
    /// may be empty.
    private var mayBeBeforeFields: Bool {
        let part = parts[current]
        return part.fieldCount == 0 && header.lastJunk == nil
            && (part.parent < 0 || parts[Int(part.parent)].kind == .message)
    }

    /// Passes over empty lines before a field of a message; before anything else they end a header without fields.
    /// Whether the line is still to be read.
    private mutating func settleEmptyLines(
        before line: Range<Int>, _ octets: UnsafeRawBufferPointer
    ) -> Bool {
        guard let bodyStart = header.emptyEnd else { return true }
        let content = content(of: line, in: octets)
        if content.isEmpty { return true }
        header.emptyEnd = nil
        if HeaderLine(octets, content)?.isOfMessage(octets, content.lowerBound) == true {
            add(.junkHeaderLine, at: parts[current].start)
            return true
        }
        endEmptyHeader(at: bodyStart, octets)
        return false
    }

    mutating func endEmptyHeader(at bodyStart: Int, _ octets: UnsafeRawBufferPointer) {
        header.emptyEnd = nil
        parts[current].bodyStart = bodyStart
        advance(to: bodyStart)
        endHeader(octets)
    }

    /// Whether the line is a parameter of the `Content-Type` or `Content-Disposition` before it, whose last octet is
    /// a semicolon: only the blank is missing that folds it.
    private func isParameter(_ content: Range<Int>, _ octets: UnsafeRawBufferPointer) -> Bool {
        let field = Int32(fields.count) - 1
        guard header.hasOpenField, !header.isBeyondLimit, field >= 0,
            parts[current].typeField == field || parts[current].dispositionField == field
        else { return false }
        let value = self.content(
            of: fields[Int(field)].valueStart..<fields[Int(field)].end, in: octets)
        guard let last = octets[value].last(where: { !$0.isBlank }), last == UInt8(ascii: ";")
        else { return false }
        let name = octets[content].prefix {
            $0.isLetter || $0.isDigit || $0 == ASCII.hyphen || $0 == UInt8(ascii: "*")
        }
        let behind = octets[content][name.endIndex...]
        return !name.isEmpty && behind.first == ASCII.equals
            && behind.dropFirst().first.map { $0 != ASCII.equals } == true
    }

    /// Where the first field of a header starts that begins with a blank.
    private func indentedField(_ content: Range<Int>, _ octets: UnsafeRawBufferPointer) -> Int? {
        guard parts[current].fieldCount == 0, header.junk == nil, header.lastJunk == nil,
            octets[content.lowerBound].isBlank,
            let start = content.first(where: { !octets[$0].isBlank }),
            HeaderLine(octets, start..<content.upperBound)?.isOfMessage(octets, start) == true
        else { return nil }
        return start
    }

    @inline(__always)
    func startsWithDashes(_ octets: UnsafeRawBufferPointer, _ content: Range<Int>) -> Bool {
        content.count >= 2 && octets[content.lowerBound] == ASCII.hyphen
            && octets[content.lowerBound + 1] == ASCII.hyphen
    }

    /// A delimiter of an open multipart, or the first one of the part itself, where the empty line is missing.
    private mutating func isDelimiter(
        _ octets: UnsafeRawBufferPointer, _ content: Range<Int>
    ) -> Bool {
        if boundaries.isDelimiter(octets, content) { return true }
        let boundary = type(octets).boundary
        return !boundary.isEmpty && octets[content].dropFirst(2).elementsEqual(boundary)
    }

    // MARK: Fields

    private mutating func append(
        _ field: HeaderLine, line: Range<Int>, _ octets: UnsafeRawBufferPointer
    ) {
        header.lastJunk = nil
        header.hasOpenField = true
        guard !header.isBeyondLimit, hasRoom(forFieldIn: line) else { return }
        let part = current
        let index = Int32(fields.count)
        switch field.kind {
        case .contentType:
            if parts[part].typeField >= 0 { add(.repeatedField, at: line.lowerBound) }
            // The first that can be read counts, or else a multipart, see `endHeader`.
            if parts[part].typeField < 0 || !type(octets).isReadable {
                parts[part].typeField = index
            } else {
                header.repeatedType = index
            }
        case .transferEncoding where parts[part].encodingField < 0:
            parts[part].encodingField = index
        case .disposition where parts[part].dispositionField < 0:
            parts[part].dispositionField = index
        default: break
        }
        if parts[part].fieldCount == 0 { parts[part].firstField = index }
        parts[part].fieldCount += 1
        fields.append(
            FieldRecord(
                start: line.lowerBound, end: line.upperBound,
                valueOffset: UInt32(field.valueStart - line.lowerBound),
                nameLength: UInt16(field.nameEnd - line.lowerBound)))
    }

    private mutating func extendField(to end: Int) {
        guard !header.isBeyondLimit else { return }
        let start = parts[current].start
        guard end - start <= limits.headerSizeInOctets else {
            add(.limitReached, at: position, limit: "headerSizeInOctets")
            header.isBeyondLimit = true
            return
        }
        fields[fields.count - 1].end = end
    }

    private mutating func hasRoom(forFieldIn line: Range<Int>) -> Bool {
        let isTooLarge = line.upperBound - parts[current].start > limits.headerSizeInOctets
        guard isTooLarge || fields.count >= limits.fieldCount else { return true }
        add(
            .limitReached, at: line.lowerBound,
            limit: isTooLarge ? "headerSizeInOctets" : "fieldCount")
        header.isBeyondLimit = true
        return false
    }

    // MARK: Lines that are no fields

    /// What follows on a line that is no field.
    enum Following { case field, empty, delimiter, junk, end }

    private mutating func hold(_ line: Range<Int>, _ octets: UnsafeRawBufferPointer) {
        header.hasOpenField = false
        if parts[current].fieldCount == 0, HeaderLine.isMboxLine(octets, line) {
            add(.mboxLine, at: line.lowerBound)
        } else {
            header.junk = line
        }
    }

    /// A line that is no field is passed over where a field follows, else the body starts with it. Whether it was
    /// passed over, or there was none.
    ///
    /// Before an empty line it may be either: it is part of the header unless there is no field at all, or it is plainly
    /// base64 where base64 was announced, or nothing else would be in the body (see `closeNewest`).
    mutating func settleJunk(before following: Following, _ octets: UnsafeRawBufferPointer) -> Bool
    {
        guard let junk = header.junk else { return true }
        header.junk = nil
        defer { header.isJunkFolded = false }
        let startsBody =
            switch following {
            case .field: false
            case .junk, .delimiter, .end: true
            case .empty:
                parts[current].fieldCount == 0 || header.isJunkFolded
                    || encoding(octets) == .base64
                        && HeaderLine.isBase64(octets, content(of: junk, in: octets))
            }
        guard startsBody else {
            add(.junkHeaderLine, at: junk.lowerBound)
            header.lastJunk = junk.lowerBound
            return true
        }
        add(.missingHeaderEnd, at: junk.lowerBound)
        parts[current].bodyStart = junk.lowerBound
        advance(to: junk.lowerBound)
        endHeader(octets)
        return false
    }

    // MARK: From header to body

    /// The header of the newest part is complete: its body comes, or its first child.
    mutating func endHeader(_ octets: UnsafeRawBufferPointer) {
        let part = current
        parts[part].end = parts[part].bodyStart
        takeRepeatedMultipart(octets)
        let type = type(octets)
        header = HeaderProgress()
        state = boundaries.isEmpty ? .rest : .body
        switch type.container {
        case nil: break
        case .multipart(let isDigest):
            guard hasRoomForChild() else { break }
            if type.boundary.isEmpty { add(.missingBoundaryParameter, at: parts[part].start) }
            parts[part].kind = .multipart
            parts[part].preambleEnd = parts[part].bodyStart
            open[top].isDigest = isDigest
            boundaries.push(type.boundary, level: top)
            state = .body
        case .message:
            // One that is encoded is looked into when it is complete.
            guard encoding(octets).isIdentity, hasRoomForChild() else { break }
            parts[part].kind = .message
            openChild(at: parts[part].bodyStart)
        }
    }

    /// A second `Content-Type` counts if it is a multipart's with a boundary and the first is that of a body: some program
    /// put its own in front.
    private mutating func takeRepeatedMultipart(_ octets: UnsafeRawBufferPointer) {
        guard let field = header.repeatedType, type(octets).container == nil else { return }
        let first = parts[current].typeField
        parts[current].typeField = field
        if type(octets).boundary.isEmpty { parts[current].typeField = first }
    }

    /// What the `Content-Type` says so far. It is read once, and once more for each line that it grows by.
    private mutating func type(_ octets: UnsafeRawBufferPointer) -> TypeReading {
        let part = parts[current]
        let end = part.typeField < 0 ? 0 : fields[Int(part.typeField)].end
        if let known = header.type, known.field == part.typeField, known.end == end {
            return known
        }
        let value = value(part.typeField, octets)
        let names = value.flatMap(ContentTypeField.parseNames)
        var type = TypeReading(
            field: part.typeField, end: end, isReadable: names != nil,
            container: ContainerType(names, isInDigest: part.isInDigest))
        if case .multipart = type.container, let value {
            type.boundary = ContentTypeField.parse(value).value.boundary ?? []
        }
        header.type = type
        return type
    }

    func encoding(_ octets: UnsafeRawBufferPointer) -> ContentTransferEncoding {
        value(parts[current].encodingField, octets).map { ContentTransferEncoding.parse($0).value }
            ?? .sevenBit
    }

    private func value(_ field: Int32, _ octets: UnsafeRawBufferPointer) -> UnsafeRawBufferPointer?
    {
        field < 0 ? nil : fields[Int(field)].value(in: octets)
    }

    private mutating func hasRoomForChild() -> Bool {
        let part = parts[current]
        if Int(part.depth) >= limits.nestingDepth {
            add(.limitReached, at: part.start, limit: "nestingDepth")
            return false
        }
        return hasRoomForPart(at: part.start)
    }

    /// Says once when there are too many parts.
    mutating func hasRoomForPart(at offset: Int) -> Bool {
        if parts.count < limits.partCount { return true }
        if !isBeyondPartCount { add(.limitReached, at: offset, limit: "partCount") }
        isBeyondPartCount = true
        return false
    }
}
