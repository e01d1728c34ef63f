import MartletBytes

/// A failure of a chain, and where it is.
struct ARCFailure: Error {
    var instance: Int?
    var problem: ARCProblem
}

/// The ARC fields of a message, sorted into sets and checked for form. RFC 8617 §4.2, §5.2.
struct ARCChain {
    /// The fields of a set, by their index in the header.
    struct Fields {
        var authenticationResults: Int
        var messageSignature: Int
        var seal: Int
    }

    enum Kind: String, CaseIterable {
        case authenticationResults = "ARC-Authentication-Results"
        case messageSignature = "ARC-Message-Signature"
        case seal = "ARC-Seal"

        static let names = Dictionary(
            uniqueKeysWithValues: allCases.map { ($0.rawValue.utf8.map(\.lowercased), $0) })
    }

    /// In the order of the instances, from 1.
    private(set) var fields: [Fields] = []
    private(set) var seals: [ARCSeal] = []
    private(set) var sets: [ARCSet] = []

    /// Nothing if there are no ARC fields at all.
    init(_ header: HeaderSection, limits: SignatureLimits) throws(ARCFailure) {
        let found = try Self.sort(header, limits: limits)
        guard let newest = found.keys.max() else { return }
        for instance in 1...newest {
            let set = found[instance] ?? [:]
            func index(of kind: Kind) throws(ARCFailure) -> Int {
                guard let index = set[kind] else {
                    throw ARCFailure(instance: instance, problem: .missingField(kind.rawValue))
                }
                return index
            }
            fields.append(
                Fields(
                    authenticationResults: try index(of: .authenticationResults),
                    messageSignature: try index(of: .messageSignature), seal: try index(of: .seal)))
        }
        for index in fields.indices { try addSet(at: index, header, limits: limits) }
    }

    /// Finds the fields of each instance.
    private static func sort(
        _ header: HeaderSection, limits: SignatureLimits
    ) throws(ARCFailure) -> [Int: [Kind: Int]] {
        var found: [Int: [Kind: Int]] = [:]
        for (index, field) in header.fields.enumerated() {
            guard let kind = Kind.names[field.name] else { continue }
            guard let instance = instance(of: header.value(of: field)) else {
                throw ARCFailure(problem: .malformedInstance)
            }
            guard instance <= limits.arcSetCount else {
                throw ARCFailure(
                    instance: instance, problem: .tooManySets(limit: limits.arcSetCount))
            }
            guard found[instance, default: [:]].updateValue(index, forKey: kind) == nil else {
                throw ARCFailure(instance: instance, problem: .repeatedField(kind.rawValue))
            }
        }
        return found
    }

    /// The number behind `i=`, which is somewhere in the signatures, and first in the results. RFC 8617 §4.2.1.
    private static func instance(of value: ArraySlice<UInt8>) -> Int? {
        for item in value.split(separator: UInt8(ascii: ";"), maxSplits: 64) {
            let text = item.filter { !$0.isFoldingSpace }
            guard text.starts(with: "i=".utf8) else { continue }
            let digits = text.dropFirst(2)
            guard !digits.isEmpty, digits.count <= 4, digits.allSatisfy(\.isDigit) else {
                return nil
            }
            let number = Int(String(decoding: digits, as: UTF8.self)) ?? 0
            return number > 0 ? number : nil
        }
        return nil
    }

    private mutating func addSet(
        at index: Int, _ header: HeaderSection, limits: SignatureLimits
    ) throws(ARCFailure) {
        let instance = index + 1
        do throws(DKIMProblem) {
            let seal = try ARCSeal(header.fields[fields[index].seal], of: header, limits: limits)
            guard !seal.namesFields else { throw DKIMProblem.malformedTag("h") }
            seals.append(seal)
            let results = header.value(of: header.fields[fields[index].authenticationResults])
            let behind =
                results.firstIndex(of: UInt8(ascii: ";")).map { results[($0 + 1)...] } ?? []
            sets.append(
                ARCSet(
                    instance: instance, domain: seal.domain, selector: seal.selector,
                    chainValidation: seal.chainValidation, authenticationResults: [UInt8](behind)))
        } catch {
            throw ARCFailure(instance: instance, problem: .seal(error))
        }
    }

    /// RFC 8617 §5.2: the newest set must not tell of a broken chain, and each says what it has to.
    func checkValidations() throws(ARCFailure) {
        if seals.last?.chainValidation == "fail" {
            throw ARCFailure(instance: seals.count, problem: .alreadyBroken)
        }
        for (index, seal) in seals.enumerated()
        where seal.chainValidation != (index == 0 ? "none" : "pass") {
            throw ARCFailure(instance: index + 1, problem: .wrongChainValidation)
        }
    }
}

/// An `ARC-Seal` field, checked. RFC 8617 §4.1.3.
struct ARCSeal: Sendable {
    var algorithm: DKIMAlgorithm
    var domain: String
    var selector: String
    var chainValidation: String
    var signature: [UInt8]
    /// Where the value of `b=` is in the header section.
    var signatureRange: Range<Int>
    /// It must not.
    var namesFields: Bool

    init(
        _ field: HeaderSection.Field, of header: HeaderSection, limits: SignatureLimits
    ) throws(DKIMProblem) {
        let list = try SignatureTags.list(of: field, in: header, limits: limits)
        algorithm = try SignatureTags.algorithm(in: list)
        (signature, signatureRange) = try SignatureTags.signature(in: list)
        (domain, selector) = try SignatureTags.signer(in: list)
        guard let validation = list.text("cv") else { throw .missingTag("cv") }
        chainValidation = validation.asciiLowercased
        guard ["none", "pass", "fail"].contains(chainValidation) else { throw .malformedTag("cv") }
        _ = try SignatureTags.number("t", in: list)
        namesFields = list["h"] != nil
    }
}
