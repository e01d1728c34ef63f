import MartletMIME

/// What the DKIM signatures of a message say. RFC 6376 §6.
public struct DKIMReport: Sendable {
    /// One for each `DKIM-Signature` field from the top, up to `SignatureLimits.signatureCount`.
    public var results: [DKIMResult]
    /// How many signatures further down were not looked at.
    public var uncheckedCount: Int

    /// The domains whose signatures are good, in lower case.
    ///
    /// A domain says that it had this message in its hands as it is; whether it may speak for the author is for DMARC to
    /// tell. Signatures by keys that are being tested do not count, nor those that leave the end of the body to anybody.
    public var passingDomains: [String] {
        results.filter { $0.outcome == .pass && !$0.isTesting && $0.unsignedOctets == 0 }
            .compactMap { $0.domain?.asciiLowercased }
    }
}

/// What one DKIM signature says. The outcomes are those of RFC 8601 §2.7.1.
public struct DKIMResult: Sendable {
    /// Whether the signature is good.
    public enum Outcome: Sendable, Hashable {
        /// The domain has signed this message.
        case pass
        /// The message is not as it was signed, or no longer counts as signed.
        case fail(DKIMProblem)
        /// Nothing can be told: the signature is of a kind that is not known, or it fails and its key is being tested.
        /// As good as no signature.
        case neutral(DKIMProblem)
        /// The key could not be looked up now; later may be better.
        case temperror(DKIMProblem)
        /// Signature or key are damaged, gone or too weak; later will be the same.
        case permerror(DKIMProblem)
    }

    /// Whether the signature is good.
    public var outcome: Outcome
    /// The value of the `DKIM-Signature` field, in octets of the message.
    public var fieldRange: Range<Int>
    /// The signing domain, `d=`; `nil` where the field cannot be read that far, as with all that follows.
    public var domain: String?
    /// The name of the key, `s=`.
    public var selector: String?
    /// On whose behalf the domain signs, `i=`.
    public var identity: String?
    /// How the signature was made.
    public var algorithm: DKIMAlgorithm?
    /// How header fields were put in form.
    public var headerCanonicalization: Canonicalization?
    /// How the body was put in form.
    public var bodyCanonicalization: Canonicalization?
    /// The names of the signed fields, in lower case; a name that is there more often than its field forbids more.
    public var signedFields: [String] = []
    /// How many octets at the end of the body (in canonical form) are not signed, for the sake of `l=`: anybody may
    /// have put them there.
    public var unsignedOctets = 0
    /// When the message was signed, if the signature says so.
    public var signedAt: MailDate?
    /// Until when the signature is good, if it says so.
    public var expiresAt: MailDate?
    /// Whether the key is being tested: treat the message as if this signature were not there. RFC 6376 §3.6.1.
    public var isTesting = false

    init(_ outcome: Outcome, fieldRange: Range<Int>) {
        self.outcome = outcome
        self.fieldRange = fieldRange
    }

    init(_ signature: DKIMSignatureTags, fieldRange: Range<Int>) {
        self.init(.neutral(.keyNotAvailable), fieldRange: fieldRange)
        let tags = signature.tags
        domain = tags.domain
        selector = tags.selector
        identity = signature.identity.text
        algorithm = tags.algorithm
        headerCanonicalization = tags.headerCanonicalization
        bodyCanonicalization = tags.bodyCanonicalization
        signedFields = tags.signedFields.map { String(decoding: $0, as: UTF8.self) }
        signedAt = tags.signedAt.map { MailDate(secondsSinceEpoch: $0) }
        expiresAt = tags.expiresAt.map { MailDate(secondsSinceEpoch: $0) }
    }

    /// What was wrong; `nil` for a good signature.
    public var problem: DKIMProblem? {
        switch outcome {
        case .pass: nil
        case .fail(let problem), .neutral(let problem), .temperror(let problem),
            .permerror(let problem):
            problem
        }
    }
}

extension DKIMResult.Outcome {
    init(_ problem: DKIMProblem) {
        switch problem {
        case .bodyChanged, .headerChanged, .bodyTooShort, .expired: self = .fail(problem)
        case .keyNotAvailable: self = .temperror(problem)
        case .unknownVersion, .unknownAlgorithm, .unknownCanonicalization, .unknownQueryMethod:
            self = .neutral(problem)
        default: self = .permerror(problem)
        }
    }
}

extension DKIMResult: CustomStringConvertible {
    /// One sentence for a person.
    public var description: String {
        let name = domain ?? "an unknown domain"
        return switch outcome {
        case .pass: "The signature of \(name) is good."
        case .fail(let problem): "The signature of \(name) is wrong: \(problem)."
        case .neutral(let problem): "The signature of \(name) says nothing: \(problem)."
        case .temperror(let problem): "The signature of \(name) cannot be verified now: \(problem)."
        case .permerror(let problem): "The signature of \(name) cannot be verified: \(problem)."
        }
    }
}
