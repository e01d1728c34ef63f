extension UnsafeBufferPointer<UInt8> {
    /// The place of the first CR or LF at or after `start`, `count` where there is none.
    ///
    /// Looks at eight octets at a time.
    package func firstLineEnd(from start: Int) -> Int {
        var offset = start
        guard let base = UnsafeRawPointer(baseAddress) else { return count }
        let ones: UInt64 = 0x0101_0101_0101_0101
        let tops: UInt64 = 0x8080_8080_8080_8080
        while offset + 8 <= count {
            let word = UInt64(
                littleEndian: base.loadUnaligned(fromByteOffset: offset, as: UInt64.self))
            // A zero octet in `x` sets the top bit of that octet; the lowest one set is always a true one.
            let lf = word ^ (ones &* UInt64(ASCII.lf))
            let cr = word ^ (ones &* UInt64(ASCII.cr))
            let hits = ((lf &- ones) & ~lf | (cr &- ones) & ~cr) & tops
            if hits != 0 { return offset + hits.trailingZeroBitCount / 8 }
            offset += 8
        }
        while offset < count, self[offset] != ASCII.lf, self[offset] != ASCII.cr { offset += 1 }
        return offset
    }
}
