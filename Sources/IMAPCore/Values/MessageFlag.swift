import MartletBytes

/// A flag or keyword of a message, such as `\Seen` or `$Forwarded`; compared without case. RFC 9051 §2.3.2.
public struct MessageFlag: Hashable, Sendable, CustomStringConvertible {
    /// As the server or the caller wrote it, with the backslash of a system flag.
    public let rawValue: String

    /// Makes a flag or keyword.
    ///
    /// - Returns: `nil` where a server could not be told it: a flag is an atom (printable ASCII without blanks and
    ///   `( ) { % * " \ ]`), with a backslash before it for a system flag.
    public init?(_ rawValue: String) {
        let name = rawValue.utf8.first == ASCII.backslash ? rawValue.dropFirst() : rawValue[...]
        guard !name.isEmpty, name.utf8.allSatisfy(\.isAtomOctet) else { return nil }
        self.rawValue = rawValue
    }

    /// A flag as a server wrote it, odd ones too.
    package init(wire octets: some Sequence<UInt8>) {
        rawValue = String(decoding: Array(octets), as: UTF8.self)
    }

    private init(known rawValue: String) { self.rawValue = rawValue }

    /// Whether it is one of the RFC's own, with a backslash.
    public var isSystemFlag: Bool { rawValue.utf8.first == ASCII.backslash }

    /// Whether a command can carry it: what a server sent may be too odd to be sent back.
    public var isWellFormed: Bool { MessageFlag(rawValue) != nil }

    /// Compared without case.
    public static func == (left: MessageFlag, right: MessageFlag) -> Bool {
        left.rawValue.utf8.equalsIgnoringCase(right.rawValue.utf8)
    }

    /// Hashed without case.
    public func hash(into hasher: inout Hasher) {
        for octet in rawValue.utf8 { hasher.combine(octet.lowercased) }
    }

    /// As it goes over the wire.
    public var description: String { rawValue }

    /// Read.
    public static let seen = MessageFlag(known: "\\Seen")
    /// Answered.
    public static let answered = MessageFlag(known: "\\Answered")
    /// Marked as urgent or special; people see a star or a flag.
    public static let flagged = MessageFlag(known: "\\Flagged")
    /// To be removed by EXPUNGE.
    public static let deleted = MessageFlag(known: "\\Deleted")
    /// Not finished.
    public static let draft = MessageFlag(known: "\\Draft")
    /// New to this session; servers alone set it. RFC 3501 §2.3.2, gone from IMAP4rev2.
    public static let recent = MessageFlag(known: "\\Recent")
    /// `\*` in PERMANENTFLAGS: new keywords can be made.
    public static let anyKeyword = MessageFlag(known: "\\*")
    /// Forwarded. RFC 5788.
    public static let forwarded = MessageFlag(known: "$Forwarded")
    /// A disposition notification was sent. RFC 3503.
    public static let mdnSent = MessageFlag(known: "$MDNSent")
    /// Junk. RFC 9051 §2.3.2.
    public static let junk = MessageFlag(known: "$Junk")
    /// Not junk. RFC 9051 §2.3.2.
    public static let notJunk = MessageFlag(known: "$NotJunk")
    /// Likely phishing. RFC 9051 §2.3.2.
    public static let phishing = MessageFlag(known: "$Phishing")
    /// Important. RFC 8457.
    public static let important = MessageFlag(known: "$Important")
    /// Being submitted. RFC 5550.
    public static let submitPending = MessageFlag(known: "$SubmitPending")
    /// Submitted. RFC 5550.
    public static let submitted = MessageFlag(known: "$Submitted")
}

extension UInt8 {
    /// Whether it may stand in an atom: RFC 9051 §9 `ATOM-CHAR`.
    package var isAtomOctet: Bool {
        switch self {
        case 0...0x20, 0x7F..., UInt8(ascii: "("), UInt8(ascii: ")"), UInt8(ascii: "{"),
            UInt8(ascii: "%"), UInt8(ascii: "*"), ASCII.quote, ASCII.backslash, UInt8(ascii: "]"):
            false
        default: true
        }
    }
}

extension Sequence<UInt8> {
    /// Whether both are equal but for the case of ASCII letters.
    package func equalsIgnoringCase(_ other: some Sequence<UInt8>) -> Bool {
        elementsEqual(other) { $0.lowercased == $1.lowercased }
    }
}
