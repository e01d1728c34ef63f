import MartletBytes

/// Reads little-endian numbers and ranges within bounds.
struct TNEFCursor {
    let octets: UnsafeRawBufferPointer
    /// Where the next number is.
    var offset: Int
    /// Nothing is read from here on.
    let end: Int

    init(_ octets: UnsafeRawBufferPointer) { self.init(octets, in: 0..<octets.count) }

    /// Reads in `range` only, which must lie within the octets.
    init(_ octets: UnsafeRawBufferPointer, in range: Range<Int>) {
        precondition(range.lowerBound >= 0 && range.upperBound <= octets.count)
        self.octets = octets
        offset = range.lowerBound
        end = range.upperBound
    }

    var isAtEnd: Bool { offset >= end }
    var left: Int { end - offset }

    mutating func uint8() -> UInt8? { number() }
    mutating func uint16() -> UInt16? { number() }
    mutating func uint32() -> UInt32? { number() }
    mutating func uint64() -> UInt64? { number() }

    func peekUInt32() -> UInt32? {
        var copy = self
        return copy.uint32()
    }

    /// The next `count` octets; `nil` if there are not as many.
    mutating func range(_ count: Int) -> Range<Int>? {
        guard count >= 0, count <= left else { return nil }
        defer { offset += count }
        return offset..<(offset + count)
    }

    /// The same, and the padding behind it up to a multiple of four; the last padding may be missing.
    mutating func padded(_ count: Int) -> Range<Int>? {
        guard let range = range(count) else { return nil }
        offset += min(left, (4 - count % 4) % 4)
        return range
    }

    /// Octets that are counted by a number of 32 bits before them.
    mutating func counted() -> Range<Int>? {
        guard let count = uint32() else { return nil }
        return padded(Int(count))
    }

    private mutating func number<Number: FixedWidthInteger & BitwiseCopyable>() -> Number? {
        let size = MemoryLayout<Number>.size
        guard size <= left else { return nil }
        // In bounds: `offset + size` is at most `end`, which is at most the count.
        let number = octets.loadUnaligned(fromByteOffset: offset, as: Number.self)
        offset += size
        return Number(littleEndian: number)
    }
}
