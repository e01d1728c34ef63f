import MartletMIME

/// What a signature of S/MIME says.
public struct SMIMEVerification: Sendable {
    /// Who has signed.
    public struct Signer: Sendable {
        /// The signer's certificate; `nil` if it is not known.
        public var certificate: SMIMECertificate?
        /// What is wrong; `nil` if the signature is good.
        public var problem: SMIMEProblem?
        /// Whether the certificate is about each author that `From` names. RFC 8550 §3.
        public var matchesFrom: Bool
        /// When the signer says that it has signed: nobody else has checked it.
        public var signedAt: MailDate?
    }

    /// Those who have signed. A message may have several signers, of whom each must be good.
    public var signers: [Signer]
    /// What was signed, as a message of its own: show this, and nothing that stands around it, as signed.
    public var content: Message

    /// Whether there is a signer and the signatures of all are good. Look at `matchesFrom` too.
    public var isValid: Bool { !signers.isEmpty && signers.allSatisfy { $0.problem == nil } }
}

extension SMIMEVerification.Signer: CustomStringConvertible {
    /// One sentence for a person.
    public var description: String {
        let name = certificate.map { $0.emailAddresses.first ?? $0.subject } ?? "an unknown signer"
        if let problem { return "The signature of \(name) is not good: \(problem)." }
        return matchesFrom
            ? "The signature of \(name) is good."
            : "The signature of \(name) is good, but the message claims to be from somebody else."
    }
}
