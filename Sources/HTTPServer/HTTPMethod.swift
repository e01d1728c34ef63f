import MartletBytes

/// A request's method, such as `GET`: any token, in the case it was sent in. RFC 9110 §9.
public struct HTTPMethod: Sendable, Hashable, CustomStringConvertible {
    /// The method as it was sent.
    public let description: String

    /// Makes a method of a token; anything else is `nil`.
    public init?(_ text: String) {
        guard text.utf8.isToken else { return nil }
        description = text
    }

    private init(known: String) { description = known }

    /// `GET`.
    public static let get = HTTPMethod(known: "GET")
    /// `HEAD`.
    public static let head = HTTPMethod(known: "HEAD")
    /// `POST`.
    public static let post = HTTPMethod(known: "POST")
    /// `PUT`.
    public static let put = HTTPMethod(known: "PUT")
    /// `PATCH`.
    public static let patch = HTTPMethod(known: "PATCH")
    /// `DELETE`.
    public static let delete = HTTPMethod(known: "DELETE")
    /// `OPTIONS`.
    public static let options = HTTPMethod(known: "OPTIONS")
}

extension Collection<UInt8> {
    /// Whether the octets are a token (RFC 9110 §5.6.2): what methods and names of fields are made of.
    var isToken: Bool { !isEmpty && allSatisfy(\.isTokenOctet) }
}

extension UInt8 {
    /// `tchar`, RFC 9110 §5.6.2.
    var isTokenOctet: Bool {
        if isLetter || isDigit { return true }
        switch self {
        case UInt8(ascii: "!"), UInt8(ascii: "#"), UInt8(ascii: "$"), UInt8(ascii: "%"),
            UInt8(ascii: "&"), UInt8(ascii: "'"), UInt8(ascii: "*"), UInt8(ascii: "+"),
            UInt8(ascii: "-"), UInt8(ascii: "."), UInt8(ascii: "^"), UInt8(ascii: "_"),
            UInt8(ascii: "`"), UInt8(ascii: "|"), UInt8(ascii: "~"):
            return true
        default: return false
        }
    }
}
