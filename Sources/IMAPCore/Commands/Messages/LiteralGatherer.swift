import MartletBytes

/// Puts large literals, which come in pieces, back into the response that they are of.
struct LiteralGatherer: Sendable {
    private var literals: [Int: [UInt8]] = [:]
    private var current: Int?

    /// Whether a literal may be kept. Its octets are counted before they come.
    mutating func begin(_ literal: DetachedLiteral, _ budget: inout GatheringBudget) -> Bool {
        current = nil
        guard budget.take(Int(clamping: literal.size)) else { return false }
        current = literal.index
        // What is announced is not believed before it comes.
        literals[literal.index] = []
        return true
    }

    /// The next octets of the literal that began.
    mutating func append(_ octets: ArraySlice<UInt8>) {
        guard let current else { return }
        literals[current, default: []].append(contentsOf: octets)
    }

    /// The response is over.
    mutating func clear() {
        current = nil
        if !literals.isEmpty { literals = [:] }
    }

    /// The data with their octets, if all of them came.
    func settle(_ data: MessageData) -> MessageData {
        guard case .detached(let index, let size) = data, let octets = literals[index],
            octets.count >= size
        else { return data }
        return .octets(octets.prefix(Int(clamping: size)))
    }

    func settle(_ row: FetchResponse) -> FetchResponse {
        guard !literals.isEmpty else { return row }
        var row = row
        for index in row.items.indices {
            switch row.items[index] {
            case .section(let section, let origin, let data):
                row.items[index] = .section(section, origin: origin, settle(data))
            case .binary(let part, let origin, let data):
                row.items[index] = .binary(part, origin: origin, settle(data))
            case .rfc822(let part, let data): row.items[index] = .rfc822(part, settle(data))
            default: break
            }
        }
        return row
    }

    /// The annotations with their values.
    mutating func settle(_ entries: [MetadataResponse.Entry]) -> [MetadataResponse.Entry] {
        defer { clear() }
        guard !literals.isEmpty else { return entries }
        return entries.map { MetadataResponse.Entry(name: $0.name, value: settle($0.value)) }
    }
}

extension DetachedLiteral {
    /// Whether it is in a response with this name, in upper case, and no number before it.
    func isInResponse(_ name: StaticString) -> Bool {
        let start = head.octets.prefix(name.utf8CodeUnitCount + 3).map(\.uppercased)
        return name.withUTF8Buffer {
            start == [UInt8(ascii: "*"), ASCII.space] + $0 + [ASCII.space]
        }
    }
}
