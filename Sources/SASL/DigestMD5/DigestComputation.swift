import MartletBytes
import MartletCrypto

/// What is computed in DIGEST-MD5, algorithm md5-sess. RFC 2831 §2.1.2.1.
struct DigestComputation {
    var user: [UInt8]
    var realm: [UInt8]
    var password: Secret
    var nonce: [UInt8]
    var clientNonce: [UInt8]
    var identity: [UInt8]
    var uri: [UInt8]
    /// Whether the three strings are UTF-8, which is hashed as ISO 8859-1 where it can be.
    var isUTF8: Bool

    static let nonceCount = "00000001"
    static let quality = "auth"

    /// HEX(KD(HEX(H(A1)), nonce ":" nc ":" cnonce ":" qop ":" HEX(H(A2)))); the server's has no method in A2.
    func response(method: String) throws(CryptoError) -> [UInt8] {
        let colon = [UInt8(ascii: ":")]
        var secret = try secretHash()
        // A1 = H(user ":" realm ":" passwd) ":" nonce ":" cnonce [":" authzid]
        var a1 = secret + colon + nonce + colon + clientNonce
        if !identity.isEmpty { a1 += colon + identity }
        defer {
            wipe(&secret)
            wipe(&a1)
        }
        let a2 = Array(method.utf8) + colon + uri
        let tail =
            nonce + colon + Array(Self.nonceCount.utf8) + colon + clientNonce + colon
            + Array(Self.quality.utf8) + colon + HexDigits.lower(try Digest.md5.hash(a2))
        return HexDigits.lower(
            try Digest.md5.hash(HexDigits.lower(try Digest.md5.hash(a1)) + colon + tail))
    }

    private func secretHash() throws(CryptoError) -> [UInt8] {
        var text = hashed(user) + [UInt8(ascii: ":")] + hashed(realm) + [UInt8(ascii: ":")]
        text.reserveCapacity(text.count + password.count)
        password.withOctets { text.append(contentsOf: hashed(Array($0))) }
        defer { wipe(&text) }
        return try Digest.md5.hash(text)
    }

    private func hashed(_ octets: [UInt8]) -> [UInt8] {
        isUTF8 ? Self.latin1(octets) ?? octets : octets
    }

    /// UTF-8 in ISO 8859-1; `nil` where it holds another character.
    static func latin1(_ octets: [UInt8]) -> [UInt8]? {
        guard let text = String(validating: octets, as: UTF8.self) else { return nil }
        var result: [UInt8] = []
        for scalar in text.unicodeScalars {
            guard let octet = UInt8(exactly: scalar.value) else { return nil }
            result.append(octet)
        }
        return result
    }
}
