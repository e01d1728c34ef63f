/// Octets that stay where they are and never change: an array, or memory that something else owns, such
/// as a mapped file. Copies share them.
public struct Octets: Sendable {
    private enum Storage: Sendable {
        case array([UInt8])
        case owned(any OctetOwner)
    }

    private let storage: Storage
    /// The number of octets.
    public let count: Int

    /// The octets of an array, which is not copied.
    public init(_ octets: [UInt8] = []) {
        storage = .array(octets)
        count = octets.count
    }

    /// The octets that `owner` holds, for as long as any copy of this value lives.
    public init(_ owner: some OctetOwner) {
        storage = .owned(owner)
        count = owner.count
    }

    /// Whether there are none.
    public var isEmpty: Bool { count == 0 }

    /// Calls `body` with the octets in memory. The pointer must not leave it.
    public func withUnsafeBytes<Result, Failure: Error>(
        _ body: (UnsafeRawBufferPointer) throws(Failure) -> Result
    ) throws(Failure) -> Result {
        switch storage {
        case .array(let octets): try octets.span.withUnsafeBytes(body)
        case .owned(let owner): try owner.withUnsafeBytes(body)
        }
    }

    /// A copy of the octets of `range`, cut to what is there.
    public subscript(range: Range<Int>) -> [UInt8] {
        let inside = range.clamped(to: 0..<count)
        return withUnsafeBytes { [UInt8]($0[inside]) }
    }
}

/// Who keeps octets in memory, unchanged, at one place, and frees them when it goes.
public protocol OctetOwner: AnyObject, Sendable {
    /// The number of octets.
    var count: Int { get }
    /// Calls `body` with the octets.
    func withUnsafeBytes<Result, Failure: Error>(
        _ body: (UnsafeRawBufferPointer) throws(Failure) -> Result
    ) throws(Failure) -> Result
}

extension Octets: OctetSource {
    /// The number of octets.
    public var sizeInOctets: Int { count }

    /// The octets, where they are an array.
    public var octetsInMemory: [UInt8]? {
        guard case .array(let octets) = storage else { return nil }
        return octets
    }

    /// Starts reading from the first octet.
    public func makeReader() -> any OctetReader { Reader(octets: self) }

    private struct Reader: OctetReader {
        let octets: Octets
        var offset = 0

        mutating func read(atMost limit: Int) -> [UInt8] {
            let end = offset + min(limit, octets.count - offset)
            defer { offset = end }
            return octets[offset..<end]
        }
    }
}
