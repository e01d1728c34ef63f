/// A version of the protocol, as the number that stands on the wire.
public struct TLSVersion: Sendable, Hashable, Comparable, CustomStringConvertible {
    /// The protocol's number, such as 0x0304 for TLS 1.3.
    public let rawValue: UInt16

    /// Keeps any number, known or not.
    public init(rawValue: UInt16) { self.rawValue = rawValue }

    /// TLS 1.0, RFC 2246. Broken; forbidden by RFC 8996.
    public static let tls10 = TLSVersion(rawValue: 0x0301)
    /// TLS 1.1, RFC 4346. Broken; forbidden by RFC 8996.
    public static let tls11 = TLSVersion(rawValue: 0x0302)
    /// TLS 1.2, RFC 5246.
    public static let tls12 = TLSVersion(rawValue: 0x0303)
    /// TLS 1.3, RFC 8446.
    public static let tls13 = TLSVersion(rawValue: 0x0304)

    /// Older first.
    public static func < (left: TLSVersion, right: TLSVersion) -> Bool {
        left.rawValue < right.rawValue
    }

    /// `TLS 1.3`.
    public var description: String {
        switch rawValue {
        case 0x0301...0x0304: "TLS 1.\(rawValue - 0x0301)"
        case 0x0300: "SSL 3.0"
        default: "TLS version 0x" + String(rawValue, radix: 16)
        }
    }
}
