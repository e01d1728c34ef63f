import MartletBytes

/// A code in brackets at the start of a reply's text; compared without case. RFC 2449 §8, IANA "POP3 Response Codes".
///
///     S: -ERR [IN-USE] Do you have another POP session running?
public struct POP3ResponseCode: Hashable, Sendable, CustomStringConvertible {
    /// Most octets of one.
    public static let limitInOctets = 64

    /// The code in upper case, without brackets; levels stand between slashes.
    public let name: String

    /// Any code, known here or not.
    public init(_ name: String) {
        self.name = String(decoding: name.utf8.map(\.uppercased), as: UTF8.self)
    }

    private init(known name: String) { self.name = name }

    /// The last login is too short ago. RFC 2449 §8.1.1.
    public static let loginDelay = POP3ResponseCode(known: "LOGIN-DELAY")
    /// Another session has the maildrop: later may do. RFC 2449 §8.1.2.
    public static let inUse = POP3ResponseCode(known: "IN-USE")
    /// Something is wrong at the server, and will be mended by itself. RFC 3206 §4.
    public static let systemTemporary = POP3ResponseCode(known: "SYS/TEMP")
    /// Something is wrong at the server, and somebody must mend it. RFC 3206 §4.
    public static let systemPermanent = POP3ResponseCode(known: "SYS/PERM")
    /// User name or password are wrong. RFC 3206 §5.
    public static let authentication = POP3ResponseCode(known: "AUTH")
    /// The user name or message needs the UTF8 command. RFC 6856 §5.
    public static let utf8 = POP3ResponseCode(known: "UTF8")

    /// The code in brackets.
    public var description: String { "[\(name)]" }

    // resp-code = "[" resp-level *("/" resp-level) "]" ; RFC 2449 §3
    static func prefix(of text: ArraySlice<UInt8>) -> (code: POP3ResponseCode, octets: Int)? {
        guard text.first == UInt8(ascii: "["),
            let end = text.prefix(limitInOctets + 2).firstIndex(of: UInt8(ascii: "]"))
        else { return nil }
        let name = text[(text.startIndex + 1)..<end]
        let isPlain = name.allSatisfy { $0 > ASCII.space && $0 < ASCII.del }
        guard !name.isEmpty, isPlain else { return nil }
        return (POP3ResponseCode(String(decoding: name, as: UTF8.self)), end + 1 - text.startIndex)
    }
}
