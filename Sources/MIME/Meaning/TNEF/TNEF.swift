import MartletBytes

/// What is in a `winmail.dat`: a message as Outlook sends it to itself, with its files. [MS-OXTNEF].
///
///     if let tnef = part.tnef() {
///         for file in tnef.files { print(file.name ?? "", file.range.count) }
///     }
///
/// Files are ranges of `octets`. Messages that lie in the message, and their files, are in the same two lists.
public struct TNEF: Sendable {
    /// A message: the outermost one, or one that was attached to another.
    public struct Message: Hashable, Sendable {
        /// The index of the message that this one is attached to; `nil` for the outermost.
        public internal(set) var parent: Int?
        /// The subject; `nil` without one.
        public internal(set) var subject: String?
        /// The kind of message, such as `IPM.Note`, `IPM.Microsoft Mail.Note` or `IPM.Appointment`.
        public internal(set) var messageClass: String?
        /// The Message-ID without angle brackets.
        public internal(set) var messageID: String?
        /// The name of the sender.
        public internal(set) var senderName: String?
        /// The mail address of the sender, if it is one of SMTP.
        public internal(set) var senderAddress: String?
        /// When it was sent.
        public internal(set) var date: MailDate?
        /// The body as plain text.
        public internal(set) var text: String?
        /// The body as HTML, as it was written: it is not safe to be shown.
        public internal(set) var html: String?
        /// The body as RTF, decompressed.
        public internal(set) var rtf: [UInt8]?
    }

    /// A file that was attached to a message.
    public struct File: Hashable, Sendable {
        /// What the octets of a file are.
        public enum Kind: Hashable, Sendable {
            /// A file.
            case file
            /// A message, in TNEF itself; it is `messages[index]`.
            case message(index: Int)
            /// A message that is nested too deep and was not read.
            case unreadMessage
            /// An object of OLE, in a compound file.
            case object
        }

        /// What it is.
        public internal(set) var kind = Kind.file
        /// The index of the message that it is attached to.
        public internal(set) var message: Int
        /// The long name if it has one, else the short one: any text. See `SafeFileName`.
        public internal(set) var name: String?
        /// The type: the one that it says, else the one of its name.
        public internal(set) var type: ContentTypeField
        /// What an HTML body calls it by, without angle brackets.
        public internal(set) var contentID: String?
        /// Whether it is shown within the text rather than beside it.
        public internal(set) var isInline = false
        /// Where its octets are in `TNEF.octets`.
        public internal(set) var range: Range<Int>
    }

    /// All octets.
    public let octets: Octets
    /// The message, and behind it the messages attached to it and to those.
    public internal(set) var messages: [Message] = []
    /// The files of all messages.
    public internal(set) var files: [File] = []

    init(octets: Octets) { self.octets = octets }

    /// A copy of the octets of a file.
    public func octets(of file: File) -> [UInt8] { octets[file.range] }

    /// Reads a `winmail.dat`. Never fails on damage: what can be read up to there is.
    ///
    /// - Parameter limits: `embeddedFileCount`, `tnefDepth` and, for RTF once it is decompressed, `bodySizeInOctets`.
    /// - Returns: `nil` if it does not begin as one.
    public static func parse(_ octets: Octets, limits: MIMELimits = .standard) -> Parsed<TNEF?> {
        octets.withUnsafeBytes { memory in
            guard memory.count >= 6, TNEFCursor(memory).peekUInt32() == signature else {
                return Parsed(nil, defects: [Defect(.invalidTNEF, at: 0)])
            }
            var reader = TNEFReader(memory, of: octets, limits: limits)
            reader.run()
            return Parsed(reader.tnef, defects: reader.defects)
        }
    }

    /// Reads a `winmail.dat` in memory; see the other form.
    public static func parse(_ octets: [UInt8], limits: MIMELimits = .standard) -> Parsed<TNEF?> {
        parse(Octets(octets), limits: limits)
    }

    static let signature: UInt32 = 0x223E_9F78
}

extension Part {
    /// Whether the part says it is a `winmail.dat`.
    public var isTNEF: Bool {
        guard kind == .leaf else { return false }
        let type = contentType
        if type.type == "application", type.subtype == "ms-tnef" || type.subtype == "vnd.ms-tnef" {
            return true
        }
        return type.type == "application" && fileName?.lowercased() == "winmail.dat"
    }

    /// What is in the part, if it is a `winmail.dat`; `nil` otherwise.
    public func tnef() -> TNEF? { parsedTNEF().value }

    /// What is in the part, if it is a `winmail.dat`, and what is wrong with it; offsets are of the decoded octets.
    public func parsedTNEF() -> Parsed<TNEF?> {
        guard kind == .leaf else { return Parsed(nil) }
        let body = decodedBody()
        let tnef = TNEF.parse(body.value, limits: table.limits)
        return Parsed(tnef.value, defects: body.defects + tnef.defects)
    }
}
