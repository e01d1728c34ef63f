import MartletBytes

/// Octets that can be looked at anywhere: all of them in memory, or a file through a window of 1 MiB.
struct OctetWindow: Sendable {
    private enum Source: Sendable {
        case memory(Octets)
        case file(FileDescriptor, path: String)
    }

    static let windowInOctets = 1 << 20

    private let source: Source
    let sizeInOctets: Int
    private var start = 0
    private var window: [UInt8] = []

    init(_ octets: Octets) {
        source = .memory(octets)
        sizeInOctets = octets.count
    }

    /// The size is that of now: what is appended later is not seen.
    init(path: String) throws(FileError) {
        let (descriptor, size) = try FileDescriptor.opened(path) { $0 == .regular }
        source = .file(descriptor, path: path)
        sizeInOctets = size
    }

    /// Calls `body` with a stretch of octets and the offset of its first one. The stretch begins at `offset`
    /// or before it, and goes on for `count` octets behind `offset` or to the end.
    mutating func look<Result>(
        at offset: Int, count: Int, _ body: (UnsafeRawBufferPointer, Int) -> Result
    ) throws(FileError) -> Result {
        switch source {
        case .memory(let octets):
            return octets.withUnsafeBytes { body($0, 0) }
        case .file:
            let end = min(offset + count, sizeInOctets)
            if offset < start || end > start + window.count {
                window = try copy(of: offset..<min(offset + Self.windowInOctets, sizeInOctets))
                start = offset
            }
            return window.withUnsafeBytes { body($0, start) }
        }
    }

    /// As `look`, for a few octets far away: the window stays where it is.
    func glance<Result>(
        at offset: Int, count: Int, _ body: (UnsafeRawBufferPointer, Int) -> Result
    ) throws(FileError) -> Result {
        switch source {
        case .memory(let octets):
            return octets.withUnsafeBytes { body($0, 0) }
        case .file:
            let end = min(offset + count, sizeInOctets)
            if offset >= start, end <= start + window.count {
                return window.withUnsafeBytes { body($0, start) }
            }
            let octets = try copy(of: offset..<end)
            return octets.withUnsafeBytes { body($0, offset) }
        }
    }

    /// A copy of the octets of `range`, which lies inside.
    func copy(of range: Range<Int>) throws(FileError) -> [UInt8] {
        switch source {
        case .memory(let octets): return octets[range]
        case .file(let descriptor, let path):
            var all: [UInt8] = []
            while all.count < range.count {
                let piece = try FileDescriptor.read(
                    descriptor.number, atMost: range.count - all.count,
                    at: range.lowerBound + all.count, path: path)
                guard !piece.isEmpty else {
                    throw FileError(
                        kind: .shrank(
                            expectedOctets: sizeInOctets,
                            foundOctets: range.lowerBound + all.count),
                        operation: .read, path: path)
                }
                if all.isEmpty { all = piece } else { all += piece }
            }
            return all
        }
    }

    /// The octets of `range`: shared where they are in memory, a copy where they are in a file.
    func octets(of range: Range<Int>) throws(FileError) -> Octets {
        guard case .memory(let octets) = source else { return Octets(try copy(of: range)) }
        return range == 0..<octets.count ? octets : Octets(OctetStretch(of: octets, range: range))
    }

    /// The octets of `range`, to be read in pieces.
    func octetSource(of range: Range<Int>) -> any OctetSource {
        switch source {
        case .memory(let octets): Octets(OctetStretch(of: octets, range: range))
        case .file(let descriptor, let path):
            FileSource(taking: descriptor, range: range, path: path)
        }
    }
}

/// Some of the octets of another value, which it keeps.
private final class OctetStretch: OctetOwner {
    private let octets: Octets
    private let range: Range<Int>

    init(of octets: Octets, range: Range<Int>) {
        self.octets = octets
        self.range = range.clamped(to: 0..<octets.count)
    }

    var count: Int { range.count }

    func withUnsafeBytes<Result, Failure: Error>(
        _ body: (UnsafeRawBufferPointer) throws(Failure) -> Result
    ) throws(Failure) -> Result {
        try octets.withUnsafeBytes { octets throws(Failure) in
            try body(UnsafeRawBufferPointer(rebasing: octets[range]))
        }
    }
}
