import CMartletOpenSSL
import MartletBytes
import MartletMIME
import MartletCrypto

/// Encrypts messages with S/MIME. RFC 8551 §3.3, §3.4.
///
///     let encrypted = try SMIMEEncryptor(for: [recipient, own]).encrypt(try signer.sign(message))
///
/// The header stays readable, with the subject and all addresses: only the `Content-…` fields and the body are hidden.
public struct SMIMEEncryptor: Sendable {
    /// How the content is encrypted.
    public enum Cipher: Sendable, Hashable {
        /// AES with 256 bits in GCM: changes show. RFC 5084.
        case aes256GCM
        /// AES with 256 bits in CBC, for programs that know nothing newer: whoever changes the message on the way may learn
        /// from what the recipient's program does with it.
        case aes256CBC
    }

    /// Who can read it. Add your own certificate, to be able to read what you have sent.
    public var recipients: [SMIMECertificate]
    /// How the content is encrypted.
    public var cipher: Cipher

    /// Encrypts for `recipients`.
    public init(for recipients: [SMIMECertificate], cipher: Cipher = .aes256GCM) {
        self.recipients = recipients
        self.cipher = cipher
    }

    /// The message with its content encrypted.
    ///
    /// - Parameter date: the time at which the certificates must be good; now unless given.
    /// - Throws: `SignatureError`, `.invalidCertificate` where one is not good now or not for encrypting, `.invalidHeader`.
    public func encrypt(_ message: [UInt8], at date: MailDate? = nil) throws(SignatureError)
        -> [UInt8]
    {
        let entity = try SMIMEEntity(message)
        guard !recipients.isEmpty else {
            throw SignatureError(.invalidParameter, "there is nobody to encrypt the message for")
        }
        let now = date?.secondsSinceEpoch ?? OpenSSL.secondsSinceEpoch
        for recipient in recipients {
            let validity =
                recipient.notBefore
                .secondsSinceEpoch...max(
                    recipient.notBefore.secondsSinceEpoch, recipient.notAfter.secondsSinceEpoch)
            guard validity.contains(now) else {
                throw SignatureError(
                    .invalidCertificate, "the certificate of \(recipient.subject) is not good now")
            }
            guard recipient.isForEncryption else {
                throw SignatureError(
                    .invalidCertificate,
                    "the certificate of \(recipient.subject) is not for encrypting")
            }
        }
        let structure = try structure(encrypting: entity.entity)
        return entity.message(
            holding: structure, type: cipher == .aes256GCM ? "authEnveloped-data" : "enveloped-data"
        )
    }

    private func structure(encrypting octets: [UInt8]) throws(SignatureError) -> [UInt8] {
        ERR_clear_error()
        let flags = UInt32(CMS_PARTIAL | CMS_BINARY)
        let algorithm = cipher == .aes256GCM ? EVP_aes_256_gcm() : EVP_aes_256_cbc()
        guard let pointer = CMS_encrypt(nil, nil, algorithm, flags) else {
            throw .openSSL("the message cannot be encrypted")
        }
        let cms = CMS(owning: pointer)
        for recipient in recipients {
            let isAdded = recipient.withPointer { certificate in
                guard
                    let entry = CMS_add1_recipient_cert(pointer, certificate, UInt32(CMS_KEY_PARAM))
                else {
                    return false
                }
                guard CMS_RecipientInfo_type(entry) == CMS_RECIPINFO_AGREE else { return true }
                // The default is SHA-1 for the keys that elliptic curves agree on. RFC 5753 §7.1.
                return EVP_PKEY_CTX_set_ecdh_kdf_md(
                    CMS_RecipientInfo_get0_pkey_ctx(entry), EVP_sha256()) == 1
            }
            guard isAdded else {
                throw .openSSL("the message cannot be encrypted for \(recipient.subject)")
            }
        }
        let isDone = try OpenSSL.withReader(octets) { CMS_final(pointer, $0, nil, flags) == 1 }
        guard isDone else { throw .openSSL("the message cannot be encrypted") }
        return try cms.der()
    }
}
