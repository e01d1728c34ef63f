import MartletBytes
import MartletText

/// The full name of a mailbox (a folder), such as `INBOX` or `Archive/2026`. RFC 9051 §5.1.
///
/// It holds text for people and octets for the server. A name from a server keeps the octets as they came, however
/// wrong, so that what a server listed can always be opened. Compared by those octets; `INBOX` without case.
public struct MailboxName: Hashable, Sendable, CustomStringConvertible {
    /// The name for people.
    public let text: String
    /// The name in modified UTF-7, or as the server wrote it where it wrote something else.
    package let encoded: [UInt8]

    /// Where mail arrives. RFC 9051 §5.1.
    public static let inbox = MailboxName(text: "INBOX", encoded: Array("INBOX".utf8))

    private init(text: String, encoded: [UInt8]) {
        self.text = text
        self.encoded = encoded
    }

    /// The longest name a caller may give, in octets of UTF-8.
    public static let lengthLimit = 4096

    /// A name that a person or program chose.
    ///
    /// - Throws: `IMAPError` with `.invalidInput` for an empty name, one with control characters or line ends
    ///   (RFC 5198 and RFC 9051 §5.1 forbid them), or one longer than `lengthLimit`.
    public init(_ text: String) throws(IMAPError) {
        guard !text.isEmpty else { throw .invalidInput("a mailbox name cannot be empty") }
        guard text.utf8.count <= Self.lengthLimit else {
            throw .invalidInput("a mailbox name cannot be longer than \(Self.lengthLimit) octets")
        }
        guard !text.unicodeScalars.contains(where: Self.isForbidden) else {
            throw .invalidInput("a mailbox name cannot hold control characters or line ends")
        }
        if Self.isInbox(text.utf8) {
            self = .inbox
        } else {
            self.init(text: text, encoded: ModifiedUTF7.encode(text))
        }
    }

    private static func isForbidden(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.value {
        case 0..<0x20, 0x7F..<0xA0, 0x2028, 0x2029: true
        default: false
        }
    }

    private static func isInbox(_ octets: some Sequence<UInt8>) -> Bool {
        octets.equalsIgnoringCase("INBOX".utf8)
    }

    /// A name as a server wrote it.
    ///
    /// - Parameter isUTF8: whether UTF-8 was agreed on (RFC 6855), in which `&` has no meaning.
    ///
    /// QUIRK(raw-mailbox-name): without that, servers still send UTF-8 or Latin-1, `&` alone, or modified UTF-7 that is
    /// wrong: the text is then the octets as they are, and the octets are kept.
    package init(wire octets: some Collection<UInt8>, isUTF8: Bool) {
        if Self.isInbox(octets) {
            self = .inbox
        } else if isUTF8 {
            let text = String(validating: octets, as: UTF8.self)
            self.init(
                text: text ?? String(decoding: octets, as: UTF8.self),
                encoded: text.map { ModifiedUTF7.encode($0) } ?? Array(octets))
        } else {
            self.init(
                text: ModifiedUTF7.decode(octets) ?? String(decoding: Array(octets), as: UTF8.self),
                encoded: Array(octets))
        }
    }

    /// The octets to name it to a server.
    ///
    /// - Parameter isUTF8: whether UTF-8 was agreed on.
    package func octets(isUTF8: Bool) -> [UInt8] {
        guard isUTF8, ModifiedUTF7.decode(encoded) != nil else { return encoded }
        return Array(text.utf8)
    }

    /// Compared by the octets.
    public static func == (left: MailboxName, right: MailboxName) -> Bool {
        left.encoded == right.encoded
    }

    /// Hashed by the octets.
    public func hash(into hasher: inout Hasher) { hasher.combine(encoded) }

    /// The name for people.
    public var description: String { text }
}

extension MailboxName {
    /// The names of the levels, from the outermost. RFC 9051 §5.1.1.
    public func levels(separatedBy delimiter: Character) -> [Substring] {
        text.split(separator: delimiter, omittingEmptySubsequences: false)
    }

    /// The name of the mailbox around this one; `nil` for the outermost.
    public func parent(separatedBy delimiter: Character) -> MailboxName? {
        guard let end = text.lastIndex(of: delimiter) else { return nil }
        return try? MailboxName(String(text[..<end]))
    }

    /// The name of a mailbox inside of this one.
    ///
    /// - Throws: `IMAPError` with `.invalidInput` where `name` is empty, holds the delimiter, or cannot be in a name.
    public func child(
        _ name: String, separatedBy delimiter: Character
    ) throws(IMAPError) -> MailboxName {
        guard !name.isEmpty, !name.contains(delimiter) else {
            throw .invalidInput(
                "a level of a mailbox name cannot be empty or hold \"\(delimiter)\"")
        }
        return try MailboxName(text + String(delimiter) + name)
    }
}
