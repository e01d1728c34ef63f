public import MartletBytes

/// A source that is not in memory, as far as its users know: a file that may change or break off while it is read.
public struct StreamedOctets: OctetSource {
    /// What it throws where a test wants it to fail.
    public enum Failure: Error {
        /// It cannot be opened.
        case cannotOpen
        /// It broke off.
        case broken
        /// A reader gave more than it was asked for.
        case tooMuch
    }

    /// What the reader gives.
    public var octets: [UInt8]
    /// The size it tells, which may be wrong.
    public var sizeInOctets: Int
    private var sizes: [Int]
    private var opens: Bool
    private var breaksAt: Int

    /// Octets that come in pieces.
    ///
    /// - Parameters:
    ///   - size: the size it tells, instead of the right one.
    ///   - sizes: how large the pieces are at most, in turn.
    ///   - opens: whether it can be opened.
    ///   - offset: where it breaks off.
    public init(
        _ octets: [UInt8], told size: Int? = nil, pieces sizes: [Int] = [100], opens: Bool = true,
        breaksAt offset: Int = .max
    ) {
        self.octets = octets
        self.sizes = sizes
        self.opens = opens
        breaksAt = offset
        sizeInOctets = size ?? octets.count
    }

    /// Octets that come in a thousand pieces of seeded sizes, and again.
    public init(_ octets: [UInt8], seed: UInt64) {
        var generator = SeededGenerator(seed: seed)
        let most = seed.isMultiple(of: 2) ? 9 : 10_000
        self.init(
            octets, pieces: (0..<1_000).map { _ in Int.random(in: 1...most, using: &generator) })
    }

    /// Starts reading from the first octet.
    public func makeReader() throws -> any OctetReader {
        guard opens else { throw Failure.cannotOpen }
        return Reader(rest: octets[...], sizes: sizes, breaksAt: breaksAt)
    }

    private struct Reader: OctetReader {
        var rest: ArraySlice<UInt8>
        let sizes: [Int]
        let breaksAt: Int
        var turn = 0

        mutating func read(atMost limit: Int) throws -> [UInt8] {
            guard rest.startIndex < breaksAt else { throw Failure.broken }
            let piece = rest.prefix(min(limit, sizes[turn % sizes.count]))
            turn += 1
            rest = rest[piece.endIndex...]
            return [UInt8](piece)
        }
    }
}

extension OctetSource {
    /// Everything a reader gives, in pieces of at most `limit`.
    public func allOctets(limit: Int = 1_000) async throws -> [UInt8] {
        var reader = try makeReader()
        var all: [UInt8] = []
        while true {
            let piece = try await reader.read(atMost: limit)
            if piece.isEmpty { return all }
            guard piece.count <= limit else { throw StreamedOctets.Failure.tooMuch }
            all += piece
        }
    }
}
