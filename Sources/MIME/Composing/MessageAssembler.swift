import MartletBytes

/// Puts parts and delimiters together, with exactly one CRLF where each needs one.
struct MessageAssembler {
    private var boundaries: Boundaries
    private var segments: [RenderedMessage.Segment] = []
    // Octets behind the last segment.
    private var octets: [UInt8] = []
    private var contentEndsLine = true
    private(set) var has8Bit = false

    /// - Parameter header: the message's own fields; they make its boundaries differ from those of others.
    init(header: [UInt8], body: BodyTree) {
        boundaries = Boundaries(seed: header)
        let parts = body.parts
        if case .multipart = body {
            for part in parts where part.isUnencoded {
                switch part.content {
                case .octets(let octets): octets.withUnsafeBytes { boundaries.avoid($0) }
                case .message(let octets): octets.withUnsafeBytes { boundaries.avoid($0) }
                case .stream: break
                }
            }
        }
        octets.reserveCapacity(
            header.count + parts.reduce(0) { $0 + $1.expectedSize + Self.delimiterSize })
        octets += header
    }

    /// The segments of the whole message, which ends with CRLF.
    mutating func finish() -> [RenderedMessage.Segment] {
        // A stream ends its last line, and something always follows it.
        if octets.last != ASCII.lf { appendLineEnd() }
        segments.append(.octets(octets))
        octets = []
        return segments
    }

    // What a part of a multipart needs around it, more or less.
    private static let delimiterSize = 256

    // The tree is made here and a few levels deep, never by whoever wrote the content.
    mutating func append(_ tree: BodyTree) throws(CompositionError) {
        switch tree {
        case .part(let part): append(part)
        case .multipart(let multipart): try append(multipart)
        }
    }

    private mutating func append(_ part: BodyPart) {
        octets += part.header
        appendLineEnd()
        switch part.content {
        case .octets(let content): append(content, part.encoding)
        case .message(let content): append(.message(content))
        case .stream(let source, let name): append(.base64(source, name: name))
        }
        contentEndsLine = part.endsLine
        if part.encoding == .eightBit { has8Bit = true }
    }

    private mutating func append(_ segment: RenderedMessage.Segment) {
        segments.append(.octets(octets))
        segments.append(segment)
        octets = []
    }

    private mutating func append(_ content: [UInt8], _ encoding: TransferEncoding) {
        switch encoding {
        case .sevenBit, .eightBit: octets += content
        case .quotedPrintable: octets += QuotedPrintable.encode(content)
        case .base64:
            var encoder = Base64LineEncoder()
            encoder.encode(content, into: &octets)
            encoder.finish(into: &octets)
        }
    }

    // multipart-body = dash-boundary CRLF body-part *encapsulation close-delimiter ; RFC 2046 §5.1.1
    private mutating func append(_ multipart: BodyTree.Multipart) throws(CompositionError) {
        let boundary = boundaries.next()
        var writer = HeaderWriter()
        try writer.field(
            "Content-Type", "multipart/" + multipart.subtype,
            parameters: multipart.parameters + [.init(name: "boundary", value: boundary)])
        // A multipart is labelled by the widest of its parts. RFC 2045 §6.4.
        if BodyTree.multipart(multipart).parts.contains(where: { $0.encoding == .eightBit }) {
            try writer.field("Content-Transfer-Encoding", words: ["8bit".utf8])
        }
        octets += writer.octets
        appendLineEnd()
        contentEndsLine = true
        for child in multipart.children {
            append(delimiter: boundary, isLast: false)
            try append(child)
        }
        append(delimiter: boundary, isLast: true)
    }

    private mutating func append(delimiter boundary: String, isLast: Bool) {
        if !contentEndsLine { appendLineEnd() }
        octets.append(ASCII.hyphen)
        octets.append(ASCII.hyphen)
        octets += boundary.utf8
        if isLast {
            octets.append(ASCII.hyphen)
            octets.append(ASCII.hyphen)
        }
        appendLineEnd()
        contentEndsLine = true
    }

    private mutating func appendLineEnd() {
        octets.append(ASCII.cr)
        octets.append(ASCII.lf)
    }
}
