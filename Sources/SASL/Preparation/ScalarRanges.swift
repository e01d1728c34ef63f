import MartletBytes

/// Ranges of code points, in order, from a table in hexadecimal: `A0 2000-200B`.
struct ScalarRanges: Sendable {
    private let ranges: [ClosedRange<UInt32>]

    init(_ table: StaticString) {
        ranges = TableWords.all(of: table).map { word in
            let ends = word.split(separator: UInt8(ascii: "-")).map(TableWords.number)
            return ends[0]...ends[ends.count - 1]
        }
    }

    func contains(_ scalar: UInt32) -> Bool { index(of: scalar) != nil }

    /// Which range holds `scalar`.
    func index(of scalar: UInt32) -> Int? {
        var (low, high) = (0, ranges.count)
        while low < high {
            let middle = (low + high) / 2
            if ranges[middle].upperBound < scalar { low = middle + 1 } else { high = middle }
        }
        return low < ranges.count && ranges[low].contains(scalar) ? low : nil
    }
}

/// Reads the words and numbers of generated tables.
enum TableWords {
    /// The words between single spaces.
    static func all(of table: StaticString) -> [Slice<UnsafeBufferPointer<UInt8>>] {
        // Static text lives as long as the process.
        UnsafeBufferPointer(start: table.utf8Start, count: table.utf8CodeUnitCount)
            .split(separator: UInt8(ascii: " "))
    }

    static func number(_ digits: some Sequence<UInt8>) -> UInt32 {
        digits.reduce(0) { $0 << 4 | UInt32($1.hexValue ?? 0) }
    }
}
