import MartletBytes
import MartletMIME

extension BodyStructure {
    /// How deep parts may lie in each other in what a server tells. A container that is deeper is told as a file.
    static let servedDepthLimit = 99

    /// What a server tells of the parts of a message. RFC 9051 §7.5.2 `BODYSTRUCTURE`.
    ///
    /// Names and values stay octets as they stood, sections and charsets of RFC 2231 among them. What the grammar has no
    /// place for is told as what it is to those who show it: a multipart in which no part was found as plain text, a
    /// container that was not taken apart (nested too deep) as a file.
    package init(of message: Message) {
        var writer = ServedStructure()
        for part in message.parts { writer.add(part) }
        self.init(parts: writer.parts)
    }
}

/// Makes a structure of parts that come in the order of the message.
private struct ServedStructure {
    /// A part that has others in it.
    private struct Open {
        var depth: Int
        var place: Int
        var isMessage: Bool
        /// The number that the parts in it begin with.
        var prefix: PartNumber
        var childCount: UInt32 = 0
    }

    private(set) var parts: [BodyStructurePart] = []
    private var open: [Open] = []
    /// Parts in one that is told as a file are passed over.
    private var closedDepth: Int?
    /// By the source of the parts' octets.
    private var lines: [Int: LineCounts] = [:]

    /// What a part is told as.
    private enum Form {
        case multipart
        case message
        case leaf(type: String, subtype: String)
    }

    mutating func add(_ part: Part) {
        let depth = part.depth
        if let closedDepth {
            guard depth <= closedDepth else { return }
            self.closedDepth = nil
        }
        while let last = open.last, last.depth >= depth { open.removeLast() }
        guard parts.count < BodyStructure.partCountLimit else { return }
        let type = part.rawContentType
        switch form(of: part, type) {
        case .multipart: openMultipart(part, type)
        case .message: openMessage(part, type)
        case .leaf(let type, let subtype): addLeaf(part, type, subtype)
        }
    }

    private func form(of part: Part, _ type: RawStructuredValue) -> Form {
        let isMultipart = type.name == "multipart"
        let isMessage =
            type.name == "message" && (type.subname == "rfc822" || type.subname == "global")
        let isEmpty = part.firstChild == nil
        if part.kind == .multipart, isEmpty { return .leaf(type: "text", subtype: "plain") }
        let hasRoom =
            part.depth < BodyStructure.servedDepthLimit
            && parts.count + 1 < BodyStructure.partCountLimit
        switch part.kind {
        case .multipart where isMultipart && hasRoom: return .multipart
        case .message where isMessage && hasRoom && !isEmpty: return .message
        default:
            return isMultipart || isMessage
                ? .leaf(type: "application", subtype: "octet-stream")
                : .leaf(type: type.name, subtype: type.subname)
        }
    }

    /// The number of the next part in the one that is open; that of the message itself is 1.
    private mutating func nextNumber() -> PartNumber {
        guard let last = open.indices.last else { return PartNumber([1]) }
        if open[last].isMessage { return open[last].prefix.child(1) }
        open[last].childCount += 1
        return open[last].prefix.child(open[last].childCount)
    }

    // MARK: Parts

    private mutating func openMultipart(_ part: Part, _ type: RawStructuredValue) {
        let isRootOfMessage = open.last?.isMessage ?? true
        let number = isRootOfMessage ? open.last?.prefix ?? .message : nextNumber()
        var told = BodyStructurePart(
            number: number, parent: open.last?.place, type: "multipart", subtype: type.subname)
        told.isRootOfMessage = isRootOfMessage
        told.rawParameters = type.parameters.map(BodyStructurePart.Parameter.init)
        for field in part.header { told.takeExtension(field) }
        told.takeDisposition(of: part)
        open.append(
            Open(depth: part.depth, place: parts.count, isMessage: false, prefix: number))
        parts.append(told)
    }

    private mutating func openMessage(_ part: Part, _ type: RawStructuredValue) {
        var told = single(part, type.name, type.subname)
        told.lineCount = UInt64(lineCount(of: part))
        if let embedded = part.embeddedMessage {
            told.envelope = .value(MessageEnvelope(of: embedded))
        }
        open.append(
            Open(depth: part.depth, place: parts.count, isMessage: true, prefix: told.number))
        parts.append(told)
    }

    private mutating func addLeaf(_ part: Part, _ type: String, _ subtype: String) {
        if part.kind != .leaf { closedDepth = part.depth }
        var told = single(part, type, subtype)
        if type == "text" {
            // Leaves do not lie in each other: each octet is looked at once.
            told.lineCount = UInt64(part.withRawBody { LineCounts.count($0, 0..<$0.count) })
        }
        parts.append(told)
    }

    private mutating func single(
        _ part: Part, _ type: String, _ subtype: String
    ) -> BodyStructurePart {
        var told = BodyStructurePart(
            number: nextNumber(), parent: open.last?.place, type: type, subtype: subtype)
        told.rawParameters = part.rawContentType.parameters.map(
            BodyStructurePart.Parameter.init)
        for field in part.header {
            told.takeExtension(field)
            told.takeDescription(field)
        }
        told.takeDisposition(of: part)
        told.transferEncoding = part.transferEncoding.name
        told.sizeInOctets = UInt64(part.bodyRange.count)
        return told
    }

    private mutating func lineCount(of part: Part) -> Int {
        let source = part.sourceIndex
        let counts = lines[source] ?? LineCounts(part.octets)
        lines[source] = counts
        return counts.count(in: part.bodyRange)
    }
}

extension Part {
    fileprivate var firstChild: Part? { children.first { _ in true } }
}

extension BodyStructurePart.Parameter {
    fileprivate init(_ parameter: RawParameter) {
        self.init(name: parameter.name, value: parameter.value)
    }
}

extension BodyStructurePart {
    /// Takes a field that all parts may have. The first of a name counts.
    fileprivate mutating func takeExtension(_ field: PartHeader.Field) {
        switch field.name.utf8.count {
        case 16 where field.isNamed("Content-Language") && languages.isEmpty:
            languages = ContentLanguage.parse(field.rawValue[...]).value
        case 16 where field.isNamed("Content-Location") && locationOctets == nil:
            locationOctets = field.unfoldedValue
        default: break
        }
    }

    /// Takes a field that multiparts may not have.
    fileprivate mutating func takeDescription(_ field: PartHeader.Field) {
        switch field.name.utf8.count {
        case 10 where field.isNamed("Content-ID") && contentIDOctets == nil:
            contentIDOctets = field.unfoldedValue
        case 11 where field.isNamed("Content-MD5") && md5 == nil:
            md5 = field.unfoldedValue
        case 19 where field.isNamed("Content-Description") && descriptionOctets == nil:
            descriptionOctets = field.unfoldedValue
        default: break
        }
    }

    fileprivate mutating func takeDisposition(of part: Part) {
        guard let disposition = part.rawDisposition else { return }
        rawDisposition = Disposition(
            kind: disposition.name, parameters: disposition.parameters.map(Parameter.init))
    }
}

extension PartHeader.Field {
    fileprivate func isNamed(_ expected: StaticString) -> Bool {
        name.utf8.equalsIgnoringCase(
            UnsafeBufferPointer(start: expected.utf8Start, count: expected.utf8CodeUnitCount))
    }
}
