import MartletBytes

/// Which names a list is for: `*` stands for anything, `%` for anything on one level. RFC 9051 §6.3.9.
public struct MailboxPattern: Hashable, Sendable, CustomStringConvertible {
    /// The pattern for people.
    public let text: String
    /// The pattern in modified UTF-7, or as a client wrote it.
    let encoded: [UInt8]

    /// `*`: all.
    public static let all = MailboxPattern(text: "*", encoded: Array("*".utf8))
    /// `%`: those on the outermost level.
    public static let outermost = MailboxPattern(text: "%", encoded: Array("%".utf8))
    /// Nothing: asks only what stands between the levels of names.
    public static let empty = MailboxPattern(text: "", encoded: [])

    private init(text: String, encoded: [UInt8]) {
        self.text = text
        self.encoded = encoded
    }

    /// Makes one, such as `Archive/%`.
    ///
    /// - Throws: `.invalidInput` for what can be in no name; see `MailboxName`.
    public init(_ text: String) throws(IMAPError) {
        guard !text.isEmpty else {
            self = .empty
            return
        }
        let name = try MailboxName(text)
        self.init(text: name.text, encoded: name.encoded)
    }

    /// A pattern as a client wrote it.
    init(wire octets: some Collection<UInt8>, isUTF8: Bool) {
        guard !octets.isEmpty else {
            self = .empty
            return
        }
        let name = MailboxName(wire: octets, isUTF8: isUTF8)
        self.init(text: name.text, encoded: name.encoded)
    }

    /// Compared by the octets.
    public static func == (left: MailboxPattern, right: MailboxPattern) -> Bool {
        left.encoded == right.encoded
    }

    /// Hashed by the octets.
    public func hash(into hasher: inout Hasher) { hasher.combine(encoded) }

    /// The pattern for people.
    public var description: String { text }
}

extension CommandEncoder {
    // list-mailbox = 1*list-char / string
    /// A pattern: bare where it can be, since some servers take `"*"` for a name.
    mutating func pattern(_ pattern: MailboxPattern) {
        let octets =
            pattern.encoded.isEmpty
            ? [] : MailboxName(wire: pattern.encoded, isUTF8: false).octets(isUTF8: isUTF8)
        let isBare =
            !octets.isEmpty && octets.count <= Self.quotedLimitInOctets
            && octets.allSatisfy {
                $0.isAtomOctet || $0 == UInt8(ascii: "*") || $0 == UInt8(ascii: "%")
                    || $0 == UInt8(ascii: "]")
            }
        if isBare { raw(octets) } else { string(octets) }
    }

    /// The name that patterns go on from, or `""`.
    mutating func reference(_ name: MailboxName?) {
        if let name { mailbox(name) } else { text("\"\"") }
    }
}
