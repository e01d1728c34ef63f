import MartletBytes

/// What a server said it can do. RFC 9051 §7.2.2, IANA "IMAP Capabilities".
public struct Capabilities: Hashable, Sendable {
    /// Every word in the order given. Unknown ones are kept.
    public let words: [Capability]
    private let known: Set<Capability>

    /// Nothing: before the server said anything, and again once TLS has started.
    public init() { self.init([]) }

    /// What the server listed.
    public init(_ words: [Capability]) {
        self.words = words
        known = Set(words)
    }

    /// Whether the server lists `capability`, or something that implies it.
    public func has(_ capability: Capability) -> Bool {
        if known.contains(capability) { return true }
        if capability == .literalMinus, known.contains(.literalPlus) { return true }
        if capability == .condStore, known.contains(.qResync) { return true }
        if capability == .utf8Accept, known.contains(.utf8Only) { return true }
        if capability == .appendLimit { return words.contains { $0.name == "APPENDLIMIT" } }
        if capability == .messageLimit { return words.contains { $0.name == "MESSAGELIMIT" } }
        return Self.impliedByRev2.contains(capability) && known.contains(.imap4rev2)
    }

    /// What IMAP4rev2 has built in, as long as the client has not kept to IMAP4rev1. RFC 9051 Appendix E.
    static let impliedByRev2: Set<Capability> = [
        .namespace, .unselect, .uidPlus, .eSearch, .searchRes, .enable, .idle, .saslIR,
        .listExtended, .listStatus,
        .move, .literalMinus, .binary, .specialUse, .statusSize, .statusDeleted, .children,
    ]

    /// What stands behind `=` of each word with this name, such as the algorithms of `THREAD`.
    public func values(of name: String) -> [Substring] {
        words.lazy.filter { $0.name == name }.compactMap(\.value)
    }

    /// SASL mechanisms, in the order given.
    public var authenticationMechanisms: [String] { values(of: "AUTH").map(String.init) }

    /// The largest message that APPEND takes, in octets, where it is the same for all mailboxes. RFC 7889.
    public var appendLimitInOctets: UInt64? {
        values(of: "APPENDLIMIT").first.flatMap { UInt64($0) }
    }

    /// How many messages one command may touch. RFC 9738.
    public var messageLimit: UInt32? { values(of: "MESSAGELIMIT").first.flatMap { UInt32($0) } }

    /// Whether nothing is known.
    public var isEmpty: Bool { words.isEmpty }
}
