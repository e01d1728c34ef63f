import MartletBytes

/// A body part that is not made of parts: its `Content-…` fields, and its octets, which are encoded when they
/// are written.
struct BodyPart {
    enum Content {
        /// Octets in memory, not encoded yet.
        case octets([UInt8])
        /// A large message, to stand in the message as it is. It is not copied.
        case message(Octets)
        /// Octets to be read, and base64-encoded, while the message is read.
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
        case .message: false
        case .octets(let octets): encoding == .base64 && !octets.isEmpty
        }
    }

    /// Whether the content stands in the message as it is, and so might hold a boundary.
    var isUnencoded: Bool { encoding == .sevenBit || encoding == .eightBit }

    /// The octets in memory that this becomes, or a few more.
    var expectedSize: Int {
        guard case .octets(let octets) = content else { return header.count }
        switch encoding {
        case .sevenBit, .eightBit: return header.count + octets.count
        case .quotedPrintable: return header.count + octets.count + octets.count / 2
        case .base64: return header.count + Base64LineEncoder.encodedSize(of: octets.count)
        }
    }

    /// A text of `type`, whose charset becomes `us-ascii` or `utf-8`.
    ///
    /// - Parameter isAlwaysUTF8: whether ASCII is to be labelled `utf-8` too.
    init(
        text: String, type: ContentType, format: TextFormat = .fixed, isAlwaysUTF8: Bool = false,
        options: RenderingOptions
    ) throws(CompositionError) {
        let octets: [UInt8]
        switch format {
        case .fixed: octets = canonicalLines(text.utf8)
        case .flowed, .flowedDelSp: octets = flowedLines(text, delSp: format == .flowedDelSp)
        }
        let profile = OctetProfile(octets)
        encoding = TransferEncoding(for: octets, profile: profile, allows8Bit: options.allows8Bit)
        content = .octets(octets)
        var type = type
        // Readers may take escapes in what says it is ASCII for those of ISO-2022-JP.
        let isUTF8 = isAlwaysUTF8 || profile.has8Bit || octets.contains(ASCII.escape)
        try type.set("charset", to: isUTF8 ? "utf-8" : "us-ascii")
        if format != .fixed { try type.set("format", to: "flowed") }
        if format == .flowedDelSp { try type.set("delsp", to: "yes") }
        header = try Self.header(type: type, encoding: encoding)
    }

    /// An attachment.
    init(_ attachment: Attachment, options: RenderingOptions) throws(CompositionError) {
        try Self.check(attachment.name)
        var type = attachment.contentType
        let source = attachment.content
        encoding = .base64
        if type.type == "message" || type.type == "multipart" {
            if let (octets, identity) = Self.asItIs(source, allows8Bit: options.allows8Bit) {
                content =
                    octets.count <= Self.encodedAtOnceLimit
                    ? .octets(octets[0..<octets.count]) : .message(octets)
                encoding = identity
            } else {
                type = .octetStream
                content = Self.toBeEncoded(source, name: attachment.name)
            }
        } else {
            content = Self.toBeEncoded(source, name: attachment.name)
        }
        if type.type == "text", type["charset"] == nil, Self.isUTF8(source) {
            try type.set("charset", to: "utf-8")
        }
        if !attachment.name.isEmpty, type["name"] == nil {
            try type.set("name", to: attachment.name)
        }
        header = try Self.header(
            type: type, encoding: encoding, disposition: attachment.disposition,
            name: attachment.name, contentID: attachment.contentID)
    }

    private static func check(_ name: String) throws(CompositionError) {
        let field = "Attachment \(name)"
        try refuseLineBreaks(in: name, field: field)
        guard name.utf8.count <= Attachment.nameLimitInOctets else {
            throw CompositionError(.tooLong(limit: Attachment.nameLimitInOctets), field: field)
        }
    }

    /// The octets of a message in canonical form and how they may travel, if they may unencoded.
    private static func asItIs(
        _ source: any OctetSource, allows8Bit: Bool
    ) -> (Octets, TransferEncoding)? {
        guard var octets = source as? Octets ?? source.octetsInMemory.map(Octets.init) else {
            return nil
        }
        // Message files often have the line ends of their system.
        var profile = octets.withUnsafeBytes { OctetProfile($0) }
        if profile.hasBareLF, !profile.hasBareCR {
            octets = Octets(canonicalLines(octets[0..<octets.count]))
            profile = octets.withUnsafeBytes { OctetProfile($0) }
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

    private static func toBeEncoded(_ source: any OctetSource, name: String) -> Content {
        if source.sizeInOctets <= encodedAtOnceLimit, let octets = source.octetsInMemory {
            return .octets(octets)
        }
        return .stream(source, name: name)
    }

    private static func header(
        type: ContentType, encoding: TransferEncoding, disposition: Attachment.Disposition? = nil,
        name: String = "", contentID: MessageID? = nil
    ) throws(CompositionError) -> [UInt8] {
        var writer = HeaderWriter()
        try writer.field("Content-Type", type.description, parameters: type.parameters)
        try writer.field("Content-Transfer-Encoding", words: [encoding.rawValue.utf8])
        if let contentID { try writer.field("Content-ID", words: [contentID.description.utf8]) }
        if let disposition {
            let fileName = ContentType.Parameter(name: "filename", value: name)
            try writer.field(
                "Content-Disposition", disposition.rawValue,
                parameters: name.isEmpty ? [] : [fileName])
        }
        return writer.octets
    }
}
