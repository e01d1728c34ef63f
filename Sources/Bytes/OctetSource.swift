/// Octets that can be read in order, as often as needed: an array, a file, a composed message.
///
/// Outgoing bodies are *pulled* from a source in pieces, so that a large message never sits in memory.
public protocol OctetSource: Sendable {
    /// The exact number of octets that a reader gives. Never changes.
    var sizeInOctets: Int { get }

    /// All octets, where they are in memory anyway: lets a consumer skip the reader. `nil` otherwise.
    var octetsInMemory: [UInt8]? { get }

    /// Starts reading from the first octet.
    ///
    /// - Throws: when the source cannot be opened.
    func makeReader() throws -> any OctetReader
}

extension OctetSource {
    /// `nil`: the octets are somewhere else.
    public var octetsInMemory: [UInt8]? { nil }

    /// Calls `body` with all octets in order: those in memory at once, others in pieces of at most `limit`. Blocks on
    /// files as their reader does.
    ///
    /// - Throws: what the reader or `body` throws.
    package func forEachPiece(
        atMost limit: Int, _ body: ([UInt8]) throws -> Void
    ) async throws {
        if let octetsInMemory { return try body(octetsInMemory) }
        var reader = try makeReader()
        while true {
            let piece = try await reader.read(atMost: limit)
            if piece.isEmpty { return }
            try body(piece)
        }
    }
}

/// One pass over the octets of an `OctetSource`.
public protocol OctetReader: Sendable {
    /// The next octets: at least one and at most `limit`, or none at the end.
    ///
    /// May block on a file: never call it on an event loop's thread.
    /// - Throws: when the source breaks, or ends before `sizeInOctets` octets were given.
    mutating func read(atMost limit: Int) async throws -> [UInt8]
}

/// Octets in memory.
public struct OctetArray: OctetSource, Hashable {
    /// The octets.
    public let octets: [UInt8]

    /// Makes a source of `octets`.
    public init(_ octets: [UInt8]) { self.octets = octets }

    /// The number of octets.
    public var sizeInOctets: Int { octets.count }
    /// The octets.
    public var octetsInMemory: [UInt8]? { octets }

    /// Starts reading from the first octet.
    public func makeReader() -> any OctetReader { Reader(rest: octets[...]) }

    private struct Reader: OctetReader {
        var rest: ArraySlice<UInt8>
        mutating func read(atMost limit: Int) -> [UInt8] {
            defer { rest = rest.dropFirst(limit) }
            return [UInt8](rest.prefix(limit))
        }
    }
}
