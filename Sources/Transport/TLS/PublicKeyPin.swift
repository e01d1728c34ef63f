/// The SHA-256 digest of a certificate's public key (SubjectPublicKeyInfo). RFC 7469 §2.4.
///
/// The key stays when a certificate is renewed with the same key, and so does its pin.
public struct PublicKeyPin: Sendable, Hashable, CustomStringConvertible {
    /// 32 octets.
    public let sha256: [UInt8]

    /// - Returns: `nil` unless there are 32 octets.
    public init?(sha256: [UInt8]) {
        guard sha256.count == 32 else { return nil }
        self.sha256 = sha256
    }

    /// Reads `sha256:` and 64 hexadecimal digits, or the digits alone; colons between them are
    /// skipped.
    public init?(_ text: String) {
        let digits = text.hasPrefix("sha256:") ? text.dropFirst(7) : text[...]
        var octets: [UInt8] = []
        var high: UInt8?
        for character in digits where character != ":" {
            guard let digit = character.hexDigitValue, character.isASCII else { return nil }
            if let first = high {
                octets.append(first << 4 | UInt8(digit))
                high = nil
            } else {
                high = UInt8(digit)
            }
        }
        guard high == nil else { return nil }
        self.init(sha256: octets)
    }

    /// `sha256:` and 64 hexadecimal digits.
    public var description: String {
        let digits = Array("0123456789abcdef".utf8)
        var text: [UInt8] = []
        for octet in sha256 {
            text.append(digits[Int(octet >> 4)])
            text.append(digits[Int(octet & 15)])
        }
        return "sha256:" + String(decoding: text, as: UTF8.self)
    }
}
