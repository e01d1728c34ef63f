/// Looks up the key record of a signer: the TXT record at `SELECTOR._domainkey.DOMAIN`, its strings joined.
///
/// The names are the sender's: letters, digits, hyphens, underscores, dots, and octets above 127 (turn those into
/// A-labels). `nil` means that there is no such record; an error means that this is not known now.
public typealias DKIMKeyLookup =
    @Sendable (_ selector: String, _ domain: String) async throws -> [UInt8]?

/// The key records that the signatures of one message name, each looked up once, all at the same time.
struct DKIMKeys: Sendable {
    struct Name: Hashable, Sendable {
        var selector: String
        var domain: String

        init(_ tags: (domain: String, selector: String)) {
            selector = tags.selector.asciiLowercased
            domain = tags.domain.asciiLowercased
        }
    }

    private enum Answer: Sendable {
        case record([UInt8])
        case none
        case notKnown
    }

    private var answers: [Name: Answer] = [:]

    init(of names: some Sequence<Name>, _ lookUp: @escaping DKIMKeyLookup) async {
        answers = await withTaskGroup(of: (Name, Answer).self) { group in
            for name in Set(names) {
                group.addTask {
                    do {
                        let record = try await lookUp(name.selector, name.domain)
                        return (name, record.map { .record($0) } ?? .none)
                    } catch {
                        return (name, .notKnown)
                    }
                }
            }
            return await group.reduce(into: [:]) { $0[$1.0] = $1.1 }
        }
    }

    func record(
        _ name: Name, for algorithm: DKIMAlgorithm, limits: SignatureLimits
    ) throws(DKIMProblem) -> DKIMKeyRecord {
        switch answers[name] {
        case .record(let octets): try DKIMKeyRecord(octets, for: algorithm, limits: limits)
        case .none?: throw .keyNotFound
        case .notKnown?, nil: throw .keyNotAvailable
        }
    }
}
