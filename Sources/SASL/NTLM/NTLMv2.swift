import MartletBytes
import MartletCrypto

/// What is computed in NTLMv2. MS-NLMP §3.3.2.
struct NTLMv2 {
    /// HMAC-MD5 keyed by the password's MD4, over name and domain.
    let responseKey: [UInt8]

    init(user: String, domain: String, password: Secret) throws(CryptoError) {
        var unicode = password.withOctets { octets in
            NTLMOctets.utf16(String(decoding: octets, as: UTF8.self))
        }
        var key = MD4.hash(unicode)
        defer {
            wipe(&unicode)
            wipe(&key)
        }
        responseKey = try Digest.md5.hmac(
            NTLMOctets.utf16(NTLMOctets.uppercased(user) + domain), key: key)
    }

    /// What the proof is over: time, the client's nonce, the server's attributes.
    static func blob(
        fileTime: UInt64, clientChallenge: [UInt8], attributes: [UInt8]
    ) -> [UInt8] {
        var blob: [UInt8] = [1, 1, 0, 0, 0, 0, 0, 0]
        NTLMOctets.append(fileTime, to: &blob)
        return blob + clientChallenge + [0, 0, 0, 0] + attributes + [0, 0, 0, 0]
    }

    func proof(serverChallenge: [UInt8], blob: [UInt8]) throws(CryptoError) -> [UInt8] {
        try Digest.md5.hmac(serverChallenge + blob, key: responseKey)
    }

    func lmResponse(
        serverChallenge: [UInt8], clientChallenge: [UInt8]
    ) throws(CryptoError) -> [UInt8] {
        try Digest.md5.hmac(serverChallenge + clientChallenge, key: responseKey) + clientChallenge
    }

    func sessionKey(proof: [UInt8]) throws(CryptoError) -> [UInt8] {
        try Digest.md5.hmac(proof, key: responseKey)
    }

    /// Tenths of microseconds since 1601. MS-DTYP §2.3.3.
    static func fileTime(secondsSinceEpoch: Int64) -> UInt64 {
        UInt64(clamping: secondsSinceEpoch.addingClamped(11_644_473_600))
            .multipliedClamped(by: 10_000_000)
    }

    /// MD5 of what GSSAPI makes of a channel binding. MS-NLMP §3.1.5.1.2, RFC 2744 §3.11.
    static func digest(of binding: SASLChannelBinding) throws(CryptoError) -> [UInt8] {
        let data = Array((binding.name + ":").utf8) + binding.octets
        var octets = [UInt8](repeating: 0, count: 16)  // no addresses
        NTLMOctets.append(UInt32(truncatingIfNeeded: data.count), to: &octets)
        return try Digest.md5.hash(octets + data)
    }
}

extension Int64 {
    fileprivate func addingClamped(_ other: Int64) -> Int64 {
        let (sum, isOver) = addingReportingOverflow(other)
        return isOver ? .max : sum
    }
}

extension UInt64 {
    fileprivate func multipliedClamped(by other: UInt64) -> UInt64 {
        let (product, isOver) = multipliedReportingOverflow(by: other)
        return isOver ? .max : product
    }
}
