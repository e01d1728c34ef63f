import MartletBytes

/// The name a client gives itself in EHLO: a host name or an address literal. RFC 5321 §4.1.3, §4.1.4.
public struct EHLOName: Hashable, Sendable, CustomStringConvertible {
    /// The name as it goes on the wire; ASCII.
    public let text: String

    /// `[127.0.0.1]`: for clients that do not know their own name.
    public static let loopback = EHLOName(unchecked: "[127.0.0.1]")

    /// Checks a name: letters, digits, hyphens, dots and (as many hosts have them) underscores, or a literal
    /// such as `[192.0.2.1]` or `[IPv6:2001:db8::1]`.
    ///
    /// - Throws: `.invalidInput`, recovery `.fixInput`, for anything that is not ASCII or not a name.
    public init(_ text: String) throws(SMTPError) {
        let octets = Array(text.utf8)
        do {
            guard !octets.isEmpty, octets.allSatisfy({ $0 < 0x80 }) else {
                throw SMTPError.invalidAddress(text, "is not ASCII")
            }
            try PathMailbox.check(domain: octets)
        } catch {
            throw SMTPError(
                kind: .invalidInput("\(SMTPError.quoted(text)) is no name to greet a server with"),
                stage: .ehlo)
        }
        self.text = text
    }

    private init(unchecked text: String) { self.text = text }

    /// The name.
    public var description: String { text }
}
