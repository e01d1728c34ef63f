import MartletCrypto

/// Why a message cannot be signed, encrypted or decrypted, or a key cannot be read.
///
/// What is in a message makes no verifier of DKIM or ARC throw: that is a result. The verifier of S/MIME throws for a
/// message in which there is no signature that it can read.
public struct SignatureError: Error, Sendable {
    /// What is wrong.
    public enum Kind: Hashable, Sendable {
        /// The key is damaged, of a kind that is not used here, not that of the certificate, or its passphrase is wrong.
        case invalidKey
        /// The RSA key has fewer bits than may be trusted (1024, RFC 8301 §3.2), or more than are computed with (8192).
        case weakKey(bits: Int)
        /// The certificate is damaged, not valid now, or not made for this.
        case invalidCertificate
        /// The domain, selector, identity, validity or list of fields is not valid, or there is nobody to encrypt for.
        case invalidParameter
        /// The header section cannot be signed or encrypted: it has a line that is no field, a bare CR, or is too large; for
        /// DKIM also one with no `From` or two.
        case invalidHeader
        /// The content is not in 7 bits, which a signature that travels beside it needs. RFC 8551 §3.1.3.
        case has8BitContent
        /// The part has no CMS structure of the kind that was asked for, or one that is damaged.
        case notCMS
        /// The message is not encrypted for any of the keys that were given.
        case notARecipient
        /// The encrypted content was changed on its way, or the key is another one.
        case cannotDecrypt
        /// A limit was reached.
        case tooLarge(limit: Int)
        /// The source of the message cannot be read.
        case unreadable
        /// OpenSSL failed for a reason of its own.
        case libraryFailure
    }

    /// What a caller can do about an error.
    public enum Recovery: Hashable, Sendable {
        /// Correct what was passed in.
        case fixInput
        /// Repeating will not help; a person has to look.
        case giveUp
    }

    /// What is wrong.
    public var kind: Kind
    /// What was being done or read, in words for a person.
    public var problem: String
    /// The library's words, where it has some.
    public var reason: String
    /// The error of a source behind this one.
    public var underlying: (any Error)?

    /// What to do.
    public var recovery: Recovery {
        switch kind {
        case .cannotDecrypt, .libraryFailure, .notARecipient, .unreadable: .giveUp
        default: .fixInput
        }
    }

    init(
        _ kind: Kind, _ problem: String, reason: String = "", underlying: (any Error)? = nil
    ) {
        self.kind = kind
        self.problem = problem
        self.reason = reason
        self.underlying = underlying
    }

    /// A failure of the library, in its words.
    static func openSSL(_ problem: String) -> SignatureError {
        SignatureError(.libraryFailure, problem, reason: OpenSSL.takeReason())
    }
}

extension SignatureError: CustomStringConvertible {
    /// One sentence for a person.
    public var description: String {
        var text = problem
        if !reason.isEmpty { text += " (\(reason))" }
        if let underlying { text += ": \(underlying)" }
        return text.hasSuffix(".") ? text : text + "."
    }
}
