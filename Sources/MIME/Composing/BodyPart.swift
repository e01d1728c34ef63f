import MartletBytes

/// A body part that is not made of parts: its `Content-…` fields and its encoded octets.
struct BodyPart {
    enum Content {
        /// The octets as they stand in the message.
        case octets([UInt8])
        /// Octets to be read and base64-encoded while the message is read.
        case stream(any OctetSource, name: String)
    }

    /// Attachments in memory up to this size are encoded at once, larger ones while they are read.
    static let encodedAtOnceLimit = 1 << 20

    var header: [UInt8]
    var content: Content
    var encoding: TransferEncoding

    /// Whether the content's own last CRLF ends the last line, so that a delimiter may follow at once.
    /// (In the other encodings that CRLF is content, and the delimiter brings its own.)
    var endsLine: Bool {
        switch content {
        case .stream: true
        case .octets(let octets): encoding == .base64 && !octets.isEmpty
        }
    }

    /// Whether the content stands in the message as it is, and so might hold a boundary.
    var isUnencoded: Bool { encoding == .sevenBit || encoding == .eightBit }

    /// A text, `text/plain` or `text/html`.
    init(text: String, subtype: String, options: RenderingOptions) throws(CompositionError) {
        let octets = canonicalLines(text.utf8)
        let profile = OctetProfile(octets)
        encoding = TransferEncoding(for: octets, profile: profile, allows8Bit: options.allows8Bit)
        content =
            switch encoding {
            case .sevenBit, .eightBit: .octets(octets)
            case .quotedPrintable: .octets(QuotedPrintable.encode(octets))
            case .base64: .octets(Self.base64Lines(octets))
            }
        var type = ContentType(known: "text", subtype)
        try type.set("charset", to: profile.has8Bit ? "utf-8" : "us-ascii")
        header = try Self.header(type: type, encoding: encoding)
    }

    /// An attachment.
    init(_ attachment: Attachment, options: RenderingOptions) throws(CompositionError) {
        let field = "Attachment \(attachment.name)"
        try refuseLineBreaks(in: attachment.name, field: field)
        guard attachment.name.utf8.count <= Attachment.nameLimitInOctets else {
            throw CompositionError(.tooLong(limit: Attachment.nameLimitInOctets), field: field)
        }
        var type = attachment.contentType
        let source = attachment.content
        encoding = .base64
        if type.type == "message" || type.type == "multipart" {
            if let (octets, identity) = Self.asItIs(source, allows8Bit: options.allows8Bit) {
                content = .octets(octets)
                encoding = identity
            } else {
                type = .octetStream
                content = Self.encoded(source, name: attachment.name)
            }
        } else {
            content = Self.encoded(source, name: attachment.name)
        }
        if type.type == "text", type["charset"] == nil, Self.isUTF8(source) {
            try type.set("charset", to: "utf-8")
        }
        if !attachment.name.isEmpty, type["name"] == nil {
            try type.set("name", to: attachment.name)
        }
        header = try Self.header(type: type, encoding: encoding)
        var writer = HeaderWriter()
        let fileName = ContentType.Parameter(name: "filename", value: attachment.name)
        try writer.field(
            "Content-Disposition", attachment.disposition.rawValue,
            parameters: attachment.name.isEmpty ? [] : [fileName])
        header += writer.octets
    }

    /// The octets of a message in canonical form and how they may travel, if they may unencoded.
    private static func asItIs(
        _ source: any OctetSource, allows8Bit: Bool
    ) -> ([UInt8], TransferEncoding)? {
        guard var octets = source.octetsInMemory else { return nil }
        // Message files often have the line ends of their system.
        var profile = OctetProfile(octets)
        if profile.hasBareLF, !profile.hasBareCR {
            octets = canonicalLines(octets)
            profile = OctetProfile(octets)
        }
        guard let encoding = TransferEncoding(identityFor: profile, allows8Bit: allows8Bit)
        else { return nil }
        return (octets, encoding)
    }

    /// Whether a small text in memory is UTF-8 and not just ASCII. Without a label it would be read
    /// as something else.
    private static func isUTF8(_ source: any OctetSource) -> Bool {
        guard source.sizeInOctets <= encodedAtOnceLimit, let octets = source.octetsInMemory,
            OctetProfile(octets).has8Bit
        else { return false }
        return String(validating: octets, as: UTF8.self) != nil
    }

    private static func encoded(_ source: any OctetSource, name: String) -> Content {
        if source.sizeInOctets <= encodedAtOnceLimit, let octets = source.octetsInMemory {
            return .octets(base64Lines(octets))
        }
        return .stream(source, name: name)
    }

    private static func base64Lines(_ octets: [UInt8]) -> [UInt8] {
        var lines: [UInt8] = []
        lines.reserveCapacity(Base64LineEncoder.encodedSize(of: octets.count))
        var encoder = Base64LineEncoder()
        encoder.encode(octets, into: &lines)
        encoder.finish(into: &lines)
        return lines
    }

    private static func header(
        type: ContentType, encoding: TransferEncoding
    ) throws(CompositionError) -> [UInt8] {
        var writer = HeaderWriter()
        try writer.field("Content-Type", type.description, parameters: type.parameters)
        try writer.field("Content-Transfer-Encoding", words: [Array(encoding.rawValue.utf8)])
        return writer.octets
    }
}
