import MartletBytes
import MartletMIME

/// Verifies the ARC chain of messages: what servers on the way, such as mailing lists, say of the message as they got
/// it. RFC 8617 §5.2.
///
///     let result = await ARCVerifier { selector, domain in … }.verify(octets)
///     if result.outcome == .pass, !result.isTesting, trusted.contains(result.sets.last!.domain) { … }
///
/// A chain that passes says only that its servers have said so; whether to believe them is the caller's.
public struct ARCVerifier: Sendable {
    /// How much is looked at.
    public var limits: SignatureLimits
    private let lookUp: DKIMKeyLookup

    /// A verifier that gets its keys from `keys`.
    public init(limits: SignatureLimits = .standard, keys: @escaping DKIMKeyLookup) {
        self.limits = limits
        lookUp = keys
    }

    /// Verifies the chain of a message in memory or in a mapped file.
    ///
    /// - Parameter date: the time for which signatures are looked at; now unless told.
    public func verify(_ message: Octets, at date: MailDate? = nil) async -> ARCResult {
        await ARCSession.verify(message, at: date, limits: limits, lookUp)
    }

    /// Verifies the chain of a message that is read piece by piece.
    ///
    /// - Throws: `SignatureError` when the source cannot be read.
    public func verify(
        _ message: any OctetSource, at date: MailDate? = nil
    ) async throws(SignatureError) -> ARCResult {
        try await ARCSession.verify(message, at: date, limits: limits, lookUp)
    }
}

/// The chain of one message while it is verified.
private struct ARCSession: SignatureSession {
    private let header: HeaderSection
    private let limits: SignatureLimits
    private var sets: [ARCSet] = []
    private var chain: ARCChain?
    private var newest: SignatureTags?
    private var failure: ARCFailure?
    private var keys: DKIMKeys?
    private var isTesting = false
    var bodies = BodyDigests(for: [])

    /// Sorts the fields and looks up the keys.
    init(
        _ header: HeaderSection, now: Int64, limits: SignatureLimits,
        _ lookUp: @escaping DKIMKeyLookup
    ) async {
        self.header = header
        self.limits = limits
        let signature: SignatureTags
        do throws(ARCFailure) {
            let chain = try ARCChain(header, limits: limits)
            self.chain = chain
            sets = chain.sets
            guard !sets.isEmpty else { return }
            try chain.checkValidations()
            guard header.isReliable else { throw ARCFailure(problem: .malformedHeader) }
            signature = try Self.newestSignature(chain, header, now: now, limits: limits)
        } catch {
            failure = error
            return
        }
        let seals = chain?.seals ?? []
        let names = seals.map { DKIMKeys.Name(($0.domain, $0.selector)) }
        keys = await DKIMKeys(
            of: names + [DKIMKeys.Name((signature.domain, signature.selector))], lookUp)
        newest = signature
        bodies = BodyDigests(for: [signature])
    }

    /// The one signature of the message that must be good: the others may be broken by the servers behind them.
    private static func newestSignature(
        _ chain: ARCChain, _ header: HeaderSection, now: Int64, limits: SignatureLimits
    ) throws(ARCFailure) -> SignatureTags {
        let instance = chain.fields.count
        do throws(DKIMProblem) {
            let field = header.fields[chain.fields[instance - 1].messageSignature]
            let tags = try SignatureTags(
                SignatureTags.list(of: field, in: header, limits: limits))
            guard !tags.isExpired(at: now) else { throw DKIMProblem.expired }
            guard !tags.signedFields.contains(where: { $0.elementsEqual("arc-seal".utf8) }) else {
                throw DKIMProblem.malformedTag("h")
            }
            return tags
        } catch {
            throw ARCFailure(instance: instance, problem: .messageSignature(error))
        }
    }

    /// Verifies what is left, once the body was read.
    mutating func finish() -> ARCResult {
        do throws(ARCFailure) {
            if let failure { throw failure }
            guard let chain, let newest, let keys else {
                return ARCResult(outcome: .none, failingInstance: nil, sets: [])
            }
            try check(newest, of: chain, keys)
            try checkSeals(of: chain, keys)
            return ARCResult(
                outcome: .pass, failingInstance: nil, sets: sets, isTesting: isTesting)
        } catch {
            let isTemporary = [.messageSignature(.keyNotAvailable), .seal(.keyNotAvailable)]
                .contains(error.problem)
            return ARCResult(
                outcome: isTemporary ? .temperror(error.problem) : .fail(error.problem),
                failingInstance: error.instance, sets: sets, isTesting: isTesting)
        }
    }

    /// Looks up a key, and notes what it says of itself. Its `t=s` is about `i=` of DKIM, which is not there in ARC.
    private mutating func record(
        of signer: (domain: String, selector: String), for algorithm: DKIMAlgorithm,
        _ keys: DKIMKeys
    ) throws(DKIMProblem) -> DKIMKeyRecord {
        let record = try keys.record(.init(signer), for: algorithm, limits: limits)
        isTesting = isTesting || record.isTesting
        return record
    }

    private mutating func check(
        _ tags: SignatureTags, of chain: ARCChain, _ keys: DKIMKeys
    ) throws(ARCFailure) {
        let instance = chain.fields.count
        do throws(DKIMProblem) {
            let key = try record(of: (tags.domain, tags.selector), for: tags.algorithm, keys)
            let unsigned = try FieldSelection(header).check(
                tags, of: chain.fields[instance - 1].messageSignature, by: key, bodies)
            // What stands behind `l=` may be anybody's, and a chain has no way to say so.
            guard unsigned == 0 else { throw DKIMProblem.bodyChanged }
        } catch {
            throw ARCFailure(instance: instance, problem: .messageSignature(error))
        }
    }

    /// Each seal is over all sets up to its own, the oldest first. RFC 8617 §5.1.1.
    private mutating func checkSeals(of chain: ARCChain, _ keys: DKIMKeys) throws(ARCFailure) {
        let digest = SHA256()
        let canonicalizer = HeaderCanonicalizer(canonicalization: .relaxed)
        // The newest is told first.
        var failure: ARCFailure?
        for (index, fields) in chain.fields.enumerated() {
            var canonical: [UInt8] = []
            canonicalizer.append(
                header.fields[fields.authenticationResults], of: header, to: &canonical)
            canonicalizer.append(header.fields[fields.messageSignature], of: header, to: &canonical)
            digest.update(canonical)
            let (own, seal) = (header.fields[fields.seal], chain.seals[index])
            let sealed = SHA256(copyOf: digest)
            canonical.removeAll(keepingCapacity: true)
            canonicalizer.append(
                own, of: header.octets, without: seal.signatureRange, to: &canonical)
            sealed.update(canonical)
            canonical.removeAll(keepingCapacity: true)
            canonicalizer.append(own, of: header, to: &canonical)
            digest.update(canonical)
            do throws(DKIMProblem) {
                let key = try record(of: (seal.domain, seal.selector), for: seal.algorithm, keys)
                guard key.key.verifies(seal.signature, of: sealed.finish()) else {
                    throw DKIMProblem.headerChanged
                }
            } catch {
                failure = ARCFailure(instance: index + 1, problem: .seal(error))
            }
        }
        if let failure { throw failure }
    }
}
