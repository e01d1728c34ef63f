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
    /// How many encoded containers each part lies in.
    private var encodedDepths: [Int]

    init(_ octets: Octets, scanned scanner: StructureScanner) {
        sources = [octets]
        parts = scanner.parts
        fields = scanner.fields
        defects = scanner.defects
        limits = scanner.limits
        room = limits.encodedContainerSizeInOctets
        encodedDepths = Array(repeating: 0, count: parts.count)
    }

    /// The table of all parts.
    mutating func finish() -> PartTable {
        var index = 0
        // Grows while it is walked: what is found in a container may be one again.
        while index < parts.count {
            if mayBeEncodedContainer(parts[index]), let container = encodedContainer(at: index) {
                open(index, container)
            }
            index += 1
        }
        return PartTable(
            sources: sources, parts: parts, fields: fields, defects: defects, limits: limits)
    }

    // MARK: Encoded containers

    private struct EncodedContainer {
        var type: ContainerType
        var encoding: ContentTransferEncoding
        var boundary: [UInt8]
    }

    private func mayBeEncodedContainer(_ part: PartRecord) -> Bool {
        part.encodingField >= 0 && part.firstChild < 0 && part.end > part.bodyStart
            && (part.typeField >= 0 || part.isInDigest)
    }

    private func encodedContainer(at index: Int) -> EncodedContainer? {
        let part = parts[index]
        return sources[Int(part.source)].withUnsafeBytes { octets in
            let encoding = ContentTransferEncoding.parse(
                fields[Int(part.encodingField)].value(in: octets)
            ).value
            let value = part.typeField < 0 ? nil : fields[Int(part.typeField)].value(in: octets)
            guard !encoding.isIdentity,
                let type = ContainerType(
                    value.flatMap(ContentTypeField.parseNames), isInDigest: part.isInDigest)
            else { return nil }
            let boundary = value.flatMap { ContentTypeField.parse($0).value.boundary }
            return EncodedContainer(type: type, encoding: encoding, boundary: boundary ?? [])
        }
    }

    private mutating func open(_ index: Int, _ container: EncodedContainer) {
        add(.encodedContainer, to: index)
        if let limit = limitReached(at: index, container.encoding) {
            return add(.limitReached, to: index, limit: limit)
        }
        let part = parts[index]
        let source = sources[Int(part.source)]
        let decoded = source.withUnsafeBytes { octets in
            decode(.init(rebasing: octets[part.bodyStart..<part.end]), container)
        }
        guard let decoded else {
            let scanner = source.withUnsafeBytes { octets in
                scan(.init(rebasing: octets[part.bodyStart..<part.end]), container, of: index)
            }
            return graft(scanner, onto: index, source: part.source, at: part.bodyStart)
        }
        room -= decoded.count
        sources.append(Octets(decoded))
        let scanner = decoded.withUnsafeBytes { scan($0, container, of: index) }
        graft(scanner, onto: index, source: Int32(sources.count - 1), at: 0)
    }

    /// The limit that keeps a container closed.
    private func limitReached(at index: Int, _ encoding: ContentTransferEncoding) -> String? {
        let part = parts[index]
        let size = part.end - part.bodyStart
        // No encoding makes more octets of its body; base64 makes three of four.
        let mostDecoded = encoding == .base64 ? size / 4 * 3 : size
        if encodedDepths[index] >= limits.encodedContainerDepth { return "encodedContainerDepth" }
        if Int(part.depth) >= limits.nestingDepth { return "nestingDepth" }
        if parts.count >= limits.partCount { return "partCount" }
        return mostDecoded > room ? "encodedContainerSizeInOctets" : nil
    }

    /// What is in the container; `nil` if it is a message that only says it is encoded.
    private func decode(
        _ body: UnsafeRawBufferPointer, _ container: EncodedContainer
    ) -> [UInt8]? {
        let isMessage = container.type == .message
        if isMessage, container.encoding == .base64, Self.beginsWithField(body) { return nil }
        let decoded = BodyDecoding.decode(body, container.encoding, limits: limits)
        let isPlain = isMessage && container.encoding == .quotedPrintable
        return isPlain && !decoded.defects.isEmpty ? nil : decoded.value
    }

    /// A field has a colon in its line, base64 nowhere.
    private static func beginsWithField(_ body: UnsafeRawBufferPointer) -> Bool {
        let start = body.drop { $0.isBlank || $0 == ASCII.cr || $0 == ASCII.lf }
        return start.prefix(1_000).prefix { $0 != ASCII.lf }.contains(UInt8(ascii: ":"))
    }

    private func scan(
        _ octets: UnsafeRawBufferPointer, _ container: EncodedContainer, of index: Int
    ) -> StructureScanner {
        var limits = limits
        limits.partCount -= parts.count - 1
        limits.fieldCount -= fields.count
        limits.defectCount -= defects.count
        var scanner = StructureScanner(
            limits: limits, inside: container.type, boundary: container.boundary,
            depth: parts[index].depth)
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
            part.shift(by: base, fieldsBy: firstField)
            parts.append(part)
            encodedDepths.append(encodedDepths[container] + 1)
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
        defects.add(
            Defect(kind, at: parts[index].start, limit: limit), to: Int32(index), limits)
    }
}
