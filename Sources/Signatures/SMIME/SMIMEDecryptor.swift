import CMartletOpenSSL
import MartletCrypto
import MartletBytes
import MartletMIME

/// What was in an encrypted part.
public struct SMIMEDecryption: Sendable {
    /// The content, as a message of its own. It must never be put into one document with parts that were not encrypted
    /// with it: those may send it out (https://efail.de). A signed part in it is verified with the outer `From`.
    public var content: Message
    /// Whether changes would have shown. Where not (CBC), load nothing from the network that the content names.
    public var isAuthenticated: Bool
}

/// Decrypts messages of S/MIME. RFC 8551 §3.3, §3.4.
public struct SMIMEDecryptor: Sendable {
    /// Whose messages can be read. Each is tried.
    public var identities: [SMIMEIdentity]
    /// How much is looked at.
    public var limits: SignatureLimits

    /// Decrypts what is for one of `identities`.
    public init(_ identities: [SMIMEIdentity], limits: SignatureLimits = .standard) {
        self.identities = identities
        self.limits = limits
    }

    /// Decrypts a part whose `smimeKind` is `.enveloped`, `.authEnveloped` or `.unspecified`.
    ///
    /// - Throws: `SignatureError`, `.notCMS`, `.notARecipient`, `.cannotDecrypt` (also where the message was changed: no
    ///   octet of it is handed out then), `.tooLarge`.
    public func decrypt(_ part: Part) throws(SignatureError) -> SMIMEDecryption {
        guard part.bodyRange.count <= limits.smimeSizeInOctets else {
            throw SignatureError(
                .tooLarge(limit: limits.smimeSizeInOctets), "the S/MIME part is too large")
        }
        let structure = part.decodedBody().value
        let cms = try CMS(structure, limits: limits)
        let isAuthenticated = cms.type == NID_id_smime_ct_authEnvelopedData
        guard isAuthenticated || cms.type == NID_pkcs7_enveloped else {
            throw SignatureError(.notCMS, "the CMS structure is not encrypted")
        }
        if isAuthenticated {
            guard let size = AuthenticationTag.size(in: try cms.der()),
                size >= AuthenticationTag.shortest
            else {
                throw SignatureError(
                    .cannotDecrypt,
                    "the message cannot be decrypted: what would show changes was cut short")
            }
        }
        let own = identities.filter { identity in
            identity.withPointers { certificate, _ in
                martlet_cms_has_recipient(cms.pointer, certificate) == 1
            }
        }
        for identity in own {
            // Read anew: the structure keeps what was tried.
            if let octets = decrypt(try CMS(structure, limits: limits), identity) {
                return SMIMEDecryption(
                    content: Message(parsing: octets), isAuthenticated: isAuthenticated)
            }
        }
        throw own.isEmpty
            ? SignatureError(
                .notARecipient, "the message is not encrypted for any of the given keys")
            : SignatureError(
                .cannotDecrypt,
                "the message cannot be decrypted: it was changed, or the key is another one")
    }

    private func decrypt(_ cms: CMS, _ identity: SMIMEIdentity) -> [UInt8]? {
        ERR_clear_error()
        defer { ERR_clear_error() }
        return identity.withPointers { certificate, key in
            OpenSSL.octets {
                CMS_decrypt(cms.pointer, key, certificate, nil, $0, UInt32(CMS_BINARY)) == 1
            }
        }
    }
}
