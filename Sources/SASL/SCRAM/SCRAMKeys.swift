import MartletBytes
import MartletCrypto

/// What is computed in SCRAM. RFC 5802 §3.
///
///     SaltedPassword  := Hi(Normalize(password), salt, i)
///     ClientKey       := HMAC(SaltedPassword, "Client Key")      StoredKey := H(ClientKey)
///     ServerKey       := HMAC(SaltedPassword, "Server Key")
///     ClientProof     := ClientKey XOR HMAC(StoredKey, AuthMessage)
///     ServerSignature := HMAC(ServerKey, AuthMessage)
struct SCRAMKeys {
    let digest: Digest
    let clientKey: Secret
    let storedKey: Secret
    let serverKey: Secret

    init(
        password: Secret, salt: [UInt8], iterations: Int, _ digest: Digest
    ) throws(CryptoError) {
        let salted = try PBKDF2.key(password: password, salt: salt, iterations: iterations, digest)
        var client = try digest.hmac(Array("Client Key".utf8), key: salted)
        var stored = try digest.hash(client)
        var server = try digest.hmac(Array("Server Key".utf8), key: salted)
        self.digest = digest
        clientKey = Secret(octets: client)
        storedKey = Secret(octets: stored)
        serverKey = Secret(octets: server)
        wipe(&client)
        wipe(&stored)
        wipe(&server)
    }

    func proof(_ authMessage: [UInt8]) throws(CryptoError) -> [UInt8] {
        let signature = try digest.hmac(authMessage, key: storedKey)
        return clientKey.withOctets { key in zip(key, signature).map { $0 ^ $1 } }
    }

    func serverSignature(_ authMessage: [UInt8]) throws(CryptoError) -> [UInt8] {
        try digest.hmac(authMessage, key: serverKey)
    }

    /// Whether a client's proof holds the key whose digest is stored.
    func accepts(proof: [UInt8], _ authMessage: [UInt8]) throws(CryptoError) -> Bool {
        guard proof.count == digest.sizeInOctets else { return false }
        let signature = try digest.hmac(authMessage, key: storedKey)
        var key = zip(proof, signature).map { $0 ^ $1 }
        var stored = try digest.hash(key)
        defer {
            wipe(&key)
            wipe(&stored)
        }
        return storedKey.withOctets { ConstantTime.equal(Array($0), stored) }
    }
}
