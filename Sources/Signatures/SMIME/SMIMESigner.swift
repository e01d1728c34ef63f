import CMartletOpenSSL
import MartletBytes
import MartletCrypto

/// Signs messages with S/MIME, over SHA-256. RFC 8551 §3.5.
///
///     let signed = try SMIMESigner(identity).sign(message)
public struct SMIMESigner: Sendable {
    /// Where the signature goes.
    public enum Form: Sendable, Hashable {
        /// Beside the content, which every program shows.
        case detached
        /// Around the content, which survives any server on the way, but is shown by programs with S/MIME alone.
        case opaque
    }

    /// Who signs.
    public let identity: SMIMEIdentity
    /// Where the signature goes.
    public var form: Form

    /// Signs as `identity`.
    public init(_ identity: SMIMEIdentity, form: Form = .detached) {
        self.identity = identity
        self.form = form
    }

    /// The message with its content signed: the `Content-…` fields and the body. Other fields stay as they are and are
    /// not signed.
    ///
    /// - Throws: `SignatureError`, `.has8BitContent` for a detached signature over content that a server on the way may
    ///   have to encode anew (render it with `allows8Bit: false`, or sign opaquely), `.invalidHeader`.
    public func sign(_ message: [UInt8]) throws(SignatureError) -> [UInt8] {
        let entity = try SMIMEEntity(message)
        if form == .detached, OctetProfile(entity.entity).has8Bit {
            throw SignatureError(
                .has8BitContent,
                "a signature beside 8-bit content may not survive; encode it in 7 bits, or sign opaquely"
            )
        }
        let structure = try structure(signing: entity.entity)
        switch form {
        case .detached: return entity.message(signedBy: structure)
        case .opaque: return entity.message(holding: structure, type: "signed-data")
        }
    }

    private func structure(signing octets: [UInt8]) throws(SignatureError) -> [UInt8] {
        ERR_clear_error()
        let flags =
            UInt32(CMS_PARTIAL | CMS_BINARY) | (form == .detached ? UInt32(CMS_DETACHED) : 0)
        guard let pointer = CMS_sign(nil, nil, nil, nil, flags) else {
            throw .openSSL("the message cannot be signed")
        }
        let cms = CMS(owning: pointer)
        let isAdded = identity.withPointers { certificate, key in
            CMS_add1_signer(pointer, certificate, key, EVP_sha256(), flags) != nil
        }
        guard isAdded else { throw .openSSL("the message cannot be signed with this key") }
        for certificate in identity.chain {
            // One that is there already is no failure.
            _ = certificate.withPointer { CMS_add1_cert(pointer, $0) }
        }
        ERR_clear_error()
        let isDone = try OpenSSL.withReader(octets) { CMS_final(pointer, $0, nil, flags) == 1 }
        guard isDone else { throw .openSSL("the message cannot be signed") }
        return try cms.der()
    }
}
