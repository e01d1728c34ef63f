import MartletBytes

/// A server's first words, with the timestamp that `APOP` needs. RFC 1939 §4, §7.
///
///     S: +OK POP3 server ready <1896.697170952@dbc.example.test>
public struct POP3Greeting: Hashable, Sendable {
    /// The whole reply.
    public let reply: POP3Reply
    /// The timestamp with its angle brackets, as octets; `nil`: the server has no `APOP`.
    public let timestamp: [UInt8]?

    /// Reads a greeting.
    public init(_ reply: POP3Reply) {
        self.reply = reply
        timestamp = Self.timestamp(in: reply.octets)
    }

    // msg-id ; RFC 822: "<" local-part "@" domain ">"
    // QUIRK(apop-timestamp-anywhere): behind other text, and with text behind it.
    private static func timestamp(in text: [UInt8]) -> [UInt8]? {
        var rest = text[...]
        while let start = rest.firstIndex(of: ASCII.less) {
            rest = rest[start...]
            guard let end = rest.firstIndex(of: ASCII.greater) else { return nil }
            let found = rest[...end]
            let isPlain = found.allSatisfy { $0 > ASCII.space && $0 < ASCII.del }
            let hasOneStart = found.dropFirst().allSatisfy { $0 != ASCII.less }
            if isPlain, hasOneStart, found.contains(UInt8(ascii: "@")) { return [UInt8](found) }
            rest = rest.dropFirst()
        }
        return nil
    }
}
