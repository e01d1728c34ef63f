/// Why a signature of S/MIME is not to be relied on.
public enum SMIMEProblem: Sendable, Hashable {
    /// The content is not as it was signed.
    case contentChanged
    /// The signature is not that of the certificate's key.
    case signatureWrong
    /// The signer has not signed what kind of content it is, and its digest: such a signature can be moved to content
    /// that was never signed.
    case attributesNotSigned
    /// The signer's certificate is not in the message, and not among the known ones.
    case certificateMissing
    /// The signature is over a digest that can be forged.
    case weakDigest(String)
    /// None of the trusted certificates vouches for the signer's.
    case notTrusted
    /// The certificate, or one that vouches for it, was good until some time ago.
    case certificateExpired
    /// The certificate, or one that vouches for it, is not good yet.
    case certificateNotYetValid
    /// The certificate is not made for signing mail, or something else is wrong with it, in the library's words.
    case certificateUnsuitable(String)
}

extension SMIMEProblem: CustomStringConvertible {
    /// A clause for a person, without a full stop.
    public var description: String {
        switch self {
        case .contentChanged: "the content was changed after it was signed"
        case .signatureWrong: "the signature is not that of the certificate"
        case .attributesNotSigned: "it is of an old form that can be moved to other content"
        case .certificateMissing: "the signer's certificate is missing"
        case .weakDigest(let name): "it is over a \(name) digest, which can be forged"
        case .notTrusted: "nobody who is trusted vouches for the certificate"
        case .certificateExpired: "the certificate has expired"
        case .certificateNotYetValid: "the certificate is not good yet"
        case .certificateUnsuitable(let reason): "the certificate is not fit for it: \(reason)"
        }
    }
}
