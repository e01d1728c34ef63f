/// What the ARC sets of a message say: whether the chain of servers that handled it can be followed. RFC 8617 §4.4, §5.2.
public struct ARCResult: Sendable {
    /// The state of the chain.
    public enum Outcome: Sendable, Hashable {
        /// The message has no ARC fields.
        case none
        /// Each server of the chain has sealed what the one before it had sealed, and the newest has signed this message.
        case pass
        /// The chain is broken. Whoever adds a set to it says `cv=fail`.
        case fail(ARCProblem)
        /// A key could not be looked up now; later may be better.
        case temperror(ARCProblem)
    }

    /// The state of the chain.
    public var outcome: Outcome
    /// The instance at which the chain is broken, if it is at one.
    public var failingInstance: Int?
    /// The sets in their order, as far as they could be told apart. Their claims are worth something only if the chain
    /// passes and their servers are trusted.
    public var sets: [ARCSet]
    /// Whether a key of the chain is being tested: treat the message as if it had no chain. RFC 6376 §3.6.1.
    public var isTesting = false
}

/// The three fields that one server has added. RFC 8617 §4.2.
public struct ARCSet: Sendable, Hashable {
    /// From 1, the first server.
    public var instance: Int
    /// The domain that has sealed the set.
    public var domain: String
    /// The name of its key.
    public var selector: String
    /// What it says of the chain before it: `none`, `pass` or `fail`.
    public var chainValidation: String
    /// What the server says it has found out about the message: the value of `ARC-Authentication-Results` behind the
    /// instance, as it stands. See `AuthenticationResults`.
    public var authenticationResults: [UInt8]
}

/// Why a chain of ARC sets is broken.
public enum ARCProblem: Error, Sendable, Hashable {
    /// The header has a line that is no field, a bare CR, too many fields, or not exactly one `From`.
    case malformedHeader
    /// There are more sets than may be.
    case tooManySets(limit: Int)
    /// A field of the chain does not say which set it belongs to.
    case malformedInstance
    /// A set has not got this field.
    case missingField(String)
    /// A set has this field twice.
    case repeatedField(String)
    /// The server that sealed it said that the chain was broken before.
    case alreadyBroken
    /// `cv=` is not `none` in the first set and `pass` in all others.
    case wrongChainValidation
    /// `ARC-Message-Signature` is not good.
    case messageSignature(DKIMProblem)
    /// `ARC-Seal` is not good.
    case seal(DKIMProblem)
}

extension ARCProblem: CustomStringConvertible {
    /// A clause for a person, without a full stop.
    public var description: String {
        switch self {
        case .malformedHeader: "the header has lines that are no fields, or not exactly one From"
        case .tooManySets(let limit): "there are more than \(limit) ARC sets"
        case .malformedInstance: "an ARC field does not say to which set it belongs"
        case .missingField(let name): "\(name) is missing"
        case .repeatedField(let name): "\(name) is there twice"
        case .alreadyBroken: "the chain was broken before it was sealed"
        case .wrongChainValidation: "cv= is not what it has to be there"
        case .messageSignature(let problem): "ARC-Message-Signature is not good: \(problem)"
        case .seal(let problem): "ARC-Seal is not good: \(problem)"
        }
    }
}

extension ARCResult: CustomStringConvertible {
    /// One sentence for a person.
    public var description: String {
        let place = failingInstance.map { " at instance \($0)" } ?? ""
        return switch outcome {
        case .none: "The message has no ARC chain."
        case .pass: "The ARC chain of \(sets.count) is good."
        case .fail(let problem): "The ARC chain is broken\(place): \(problem)."
        case .temperror(let problem): "The ARC chain cannot be verified now\(place): \(problem)."
        }
    }
}
