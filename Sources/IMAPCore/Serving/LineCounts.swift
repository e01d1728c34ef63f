import MartletBytes

/// How many lines are in ranges of octets, which may lie in each other as often as they like: all are counted once.
struct LineCounts {
    private static let blockSize = 4096

    private let octets: Octets
    /// The line ends before each block.
    private var counts: [Int] = []

    init(_ octets: Octets) {
        self.octets = octets
        counts.reserveCapacity(octets.count / Self.blockSize + 1)
        octets.withUnsafeBytes { octets in
            var total = 0
            for start in stride(from: 0, to: octets.count, by: Self.blockSize) {
                counts.append(total)
                let end = min(start + Self.blockSize, octets.count)
                total += Self.count(octets, start..<end)
            }
        }
    }

    /// The line ends in `range`, which lies within the octets.
    func count(in range: Range<Int>) -> Int {
        octets.withUnsafeBytes { before(range.upperBound, $0) - before(range.lowerBound, $0) }
    }

    private func before(_ offset: Int, _ octets: UnsafeRawBufferPointer) -> Int {
        let block = min(offset / Self.blockSize, counts.count - 1)
        guard block >= 0 else { return 0 }
        return counts[block] + Self.count(octets, block * Self.blockSize..<offset)
    }

    static func count(_ octets: UnsafeRawBufferPointer, _ range: Range<Int>) -> Int {
        var count = 0
        for octet in octets[range] { count &+= octet == ASCII.lf ? 1 : 0 }
        return count
    }
}
