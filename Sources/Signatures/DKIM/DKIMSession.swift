import MartletMIME

/// The DKIM signatures of one message while they are verified.
struct DKIMSession: SignatureSession {
    private struct Candidate {
        var field: Int
        var result: DKIMResult
        /// Of a signature that can still be good.
        var signature: DKIMSignatureTags?
        var key: DKIMKeyRecord?

        mutating func fail(_ problem: DKIMProblem) {
            let outcome = DKIMResult.Outcome(problem)
            // A failure while the key is being tested is no failure. RFC 6376 §3.6.1.
            if case .fail = outcome, result.isTesting {
                result.outcome = .neutral(problem)
            } else {
                result.outcome = outcome
            }
            signature = nil
        }
    }

    private let header: HeaderSection
    private var candidates: [Candidate] = []
    private var uncheckedCount = 0
    var bodies = BodyDigests(for: [])

    /// Reads the signatures and looks up their keys.
    init(
        _ header: HeaderSection, now: Int64, limits: SignatureLimits,
        _ lookUp: @escaping DKIMKeyLookup
    ) async {
        self.header = header
        for (index, field) in header.fields.enumerated()
        where field.name.elementsEqual("dkim-signature".utf8) {
            if candidates.count < limits.signatureCount {
                candidates.append(Self.candidate(index, of: header, now: now, limits: limits))
            } else {
                uncheckedCount += 1
            }
        }
        let names = candidates.compactMap { candidate in
            candidate.signature.map { DKIMKeys.Name(($0.tags.domain, $0.tags.selector)) }
        }
        let keys = await DKIMKeys(of: names, lookUp)
        for index in candidates.indices { addKey(to: index, from: keys, limits: limits) }
        bodies = BodyDigests(for: candidates.compactMap { $0.signature?.tags })
    }

    private static func candidate(
        _ index: Int, of header: HeaderSection, now: Int64, limits: SignatureLimits
    ) -> Candidate {
        let field = header.fields[index]
        do throws(DKIMProblem) {
            let signature = try DKIMSignatureTags(field, of: header, limits: limits)
            var candidate = Candidate(
                field: index, result: DKIMResult(signature, fieldRange: field.valueRange),
                signature: signature)
            if !header.isReliable {
                candidate.fail(.malformedHeader)
            } else if signature.tags.isExpired(at: now) {
                candidate.fail(.expired)
            }
            return candidate
        } catch {
            let problem = header.isReliable ? error : .malformedHeader
            return Candidate(
                field: index, result: DKIMResult(.init(problem), fieldRange: field.valueRange))
        }
    }

    private mutating func addKey(to index: Int, from keys: DKIMKeys, limits: SignatureLimits) {
        guard let signature = candidates[index].signature else { return }
        let tags = signature.tags
        do throws(DKIMProblem) {
            let key = try keys.record(
                .init((tags.domain, tags.selector)), for: tags.algorithm, limits: limits)
            candidates[index].result.isTesting = key.isTesting
            if key.isStrict, signature.identity.domain != tags.domain.asciiLowercased {
                throw DKIMProblem.foreignIdentity
            }
            candidates[index].key = key
        } catch {
            candidates[index].fail(error)
        }
    }

    /// Verifies what is left, once the body was read.
    mutating func finish() -> DKIMReport {
        let selection = FieldSelection(header)
        for index in candidates.indices {
            guard let tags = candidates[index].signature?.tags, let key = candidates[index].key
            else { continue }
            do throws(DKIMProblem) {
                candidates[index].result.unsignedOctets = try selection.check(
                    tags, of: candidates[index].field, by: key, bodies)
                candidates[index].result.outcome = .pass
            } catch {
                candidates[index].fail(error)
            }
        }
        return DKIMReport(results: candidates.map(\.result), uncheckedCount: uncheckedCount)
    }
}
