import MartletBytes

/// The tag of a capability; compared without case. RFC 2449 §6, IANA "POP3 Capability Names".
public struct POP3Capability: Hashable, Sendable, CustomStringConvertible {
    /// The tag in upper case.
    public let name: String

    /// Any tag, known here or not.
    public init(_ name: String) {
        self.name = String(decoding: name.utf8.map(\.uppercased), as: UTF8.self)
    }

    private init(known name: String) { self.name = name }

    /// RFC 2449 §6.1.
    public static let top = POP3Capability(known: "TOP")
    /// `USER` and `PASS`. RFC 2449 §6.2.
    public static let user = POP3Capability(known: "USER")
    /// RFC 2449 §6.3, RFC 5034.
    public static let sasl = POP3Capability(known: "SASL")
    /// RFC 2449 §6.4.
    public static let respCodes = POP3Capability(known: "RESP-CODES")
    /// RFC 2449 §6.5.
    public static let loginDelay = POP3Capability(known: "LOGIN-DELAY")
    /// RFC 2449 §6.6.
    public static let pipelining = POP3Capability(known: "PIPELINING")
    /// RFC 2449 §6.7.
    public static let expire = POP3Capability(known: "EXPIRE")
    /// RFC 2449 §6.8.
    public static let uidl = POP3Capability(known: "UIDL")
    /// RFC 2449 §6.9.
    public static let implementation = POP3Capability(known: "IMPLEMENTATION")
    /// RFC 2595 §4.
    public static let stls = POP3Capability(known: "STLS")
    /// RFC 3206 §6.
    public static let authRespCode = POP3Capability(known: "AUTH-RESP-CODE")
    /// RFC 6856 §2.
    public static let utf8 = POP3Capability(known: "UTF8")
    /// RFC 6856 §3.
    public static let lang = POP3Capability(known: "LANG")

    /// The tag.
    public var description: String { name }
}
