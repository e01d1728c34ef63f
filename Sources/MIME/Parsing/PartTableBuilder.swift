import MartletBytes

/// Makes the table of what a scanner found, and looks into containers that are base64 or quoted-printable.
///
/// RFC 2045 §6.4 and RFC 2046 §5.2.1 forbid encoding containers; programs do it, and as often they only say so.
struct PartTableBuilder {
    private var sources: [Octets]
    private var parts: [PartRecord]
    private var fields: [FieldRecord]
    private var defects: [PartDefect]
    private let limits: MIMELimits
    /// Octets that may still be decoded.
    private var room: Int
    /// How many encoded containers each source lies in.
    private var encodedDepth = [0]

    init(_ octets: Octets, scanned scanner: StructureScanner) {
        sources = [octets]
        parts = scanner.parts
        fields = scanner.fields
        defects = scanner.defects
        limits = scanner.limits
        room = limits.encodedContainerSizeInOctets
    }

    /// The table of all parts.
    mutating func finish() -> PartTable {
        var index = 0
        // Grows while it is walked: what is found in a container may be one again.
        while index < parts.count {
            if mayBeEncodedContainer(parts[index]) { open(index) }
            index += 1
        }
        return PartTable(
            sources: sources, parts: parts, fields: fields, defects: defects, limits: limits)
    }

    private func mayBeEncodedContainer(_ part: PartRecord) -> Bool {
        part.encodingField >= 0 && part.firstChild < 0 && part.end > part.bodyStart
            && (part.typeField >= 0 || part.isInDigest)
    }

    private mutating func open(_ index: Int) {
        let source = sources[Int(parts[index].source)]
        let inside: Inside? = source.withUnsafeBytes { look(into: index, $0) }
        guard let inside else { return }
        add(.encodedContainer, to: index)
        guard encodedDepth[Int(parts[index].source)] < limits.encodedContainerDepth else {
            return add(.limitReached, to: index, limit: "encodedContainerDepth")
        }
        guard Int(parts[index].depth) < limits.nestingDepth else {
            return add(.limitReached, to: index, limit: "nestingDepth")
        }
        guard parts.count < limits.partCount else {
            return add(.limitReached, to: index, limit: "partCount")
        }
        switch inside.content {
        case .asItIs:
            let body = parts[index].bodyStart..<parts[index].end
            let scanner = source.withUnsafeBytes {
                scan(.init(rebasing: $0[body]), inside.type, boundary: inside.boundary, of: index)
            }
            graft(scanner, onto: index, source: parts[index].source, at: body.lowerBound)
        case .decoded(let octets):
            guard octets.count <= room else {
                return add(.limitReached, to: index, limit: "encodedContainerSizeInOctets")
            }
            room -= octets.count
            sources.append(Octets(octets))
            encodedDepth.append(encodedDepth[Int(parts[index].source)] + 1)
            let scanner = octets.withUnsafeBytes {
                scan($0, inside.type, boundary: inside.boundary, of: index)
            }
            graft(scanner, onto: index, source: Int32(sources.count - 1), at: 0)
        }
    }

    // MARK: What is inside

    private struct Inside {
        enum Content {
            /// The label lies.
            case asItIs
            case decoded([UInt8])
        }

        var type: ContainerType
        var boundary: [UInt8]
        var content: Content
    }

    private func look(into index: Int, _ octets: UnsafeRawBufferPointer) -> Inside? {
        let part = parts[index]
        func value(_ field: Int32) -> UnsafeRawBufferPointer? {
            field < 0 ? nil : fields[Int(field)].value(in: octets)
        }
        let encoding =
            value(part.encodingField).map { ContentTransferEncoding.parse($0).value } ?? .sevenBit
        let type = ContentSniffer.containerType(
            value(part.typeField), isInDigest: part.isInDigest)
        guard let type, !encoding.isIdentity else { return nil }
        let boundary =
            value(part.typeField).flatMap { ContentTypeField.parse($0).value.boundary } ?? []
        let body = UnsafeRawBufferPointer(rebasing: octets[part.bodyStart..<part.end])
        let content = Self.content(of: body, encoding, isMessage: type == .message)
        return Inside(type: type, boundary: boundary, content: content)
    }

    private static func content(
        of body: UnsafeRawBufferPointer, _ encoding: ContentTransferEncoding, isMessage: Bool
    ) -> Inside.Content {
        if isMessage, !ContentSniffer.isPlausible(encoding, of: body) { return .asItIs }
        return .decoded(BodyDecoding.decode(body, encoding).value)
    }

    private func scan(
        _ octets: UnsafeRawBufferPointer, _ type: ContainerType, boundary: [UInt8],
        of index: Int
    ) -> StructureScanner {
        var limits = limits
        limits.partCount -= parts.count - 1
        limits.fieldCount -= fields.count
        var scanner = StructureScanner(
            limits: limits, inside: type, boundary: boundary, depth: parts[index].depth)
        scanner.scan(octets, isFinal: true)
        return scanner
    }

    // MARK: Putting the tables together

    /// Adds what was found inside of the container, whose own record is the scanner's first.
    private mutating func graft(
        _ scanner: StructureScanner, onto container: Int, source: Int32, at base: Int
    ) {
        let firstField = Int32(fields.count)
        let shift = Int32(parts.count - 1)
        func place(_ index: Int32) -> Int32 {
            index < 0 ? index : index == 0 ? Int32(container) : index + shift
        }
        parts[container].kind = scanner.parts[0].kind
        parts[container].firstChild = place(scanner.parts[0].firstChild)
        if parts[container].kind == .multipart {
            // The text around the parts is in the decoded octets, out of reach of ranges into the body.
            parts[container].preambleEnd = parts[container].bodyStart
            parts[container].epilogueStart = parts[container].end
        }
        for var part in scanner.parts.dropFirst() {
            part.source = source
            part.parent = place(part.parent)
            part.firstChild = place(part.firstChild)
            part.nextSibling = place(part.nextSibling)
            part.firstField += firstField
            if part.typeField >= 0 { part.typeField += firstField }
            if part.encodingField >= 0 { part.encodingField += firstField }
            if part.dispositionField >= 0 { part.dispositionField += firstField }
            part.start += base
            part.bodyStart += base
            part.end += base
            part.preambleEnd += base
            part.epilogueStart += base
            parts.append(part)
        }
        for var field in scanner.fields {
            field.start += base
            field.end += base
            fields.append(field)
        }
        for var defect in scanner.defects {
            defect.part = place(defect.part)
            defect.defect.offset += base
            defects.append(defect)
        }
    }

    private mutating func add(_ kind: Defect.Kind, to index: Int, limit: String? = nil) {
        let defect = Defect(kind, at: parts[index].start, limit: limit)
        defects.append(PartDefect(part: Int32(index), defect: defect))
    }
}
