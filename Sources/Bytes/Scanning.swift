internal import CMartletOctets

extension UnsafeRawBufferPointer {
    /// The offset of the first `octet` at or behind `start`; `nil` if there is none. As fast as `memchr`.
    ///
    /// - Parameter start: from 0 to `count`.
    package func firstOffset(of octet: UInt8, from start: Int = 0) -> Int? {
        firstOffset(of: octet, in: start..<count)
    }

    /// The offset of the first `octet` in `range`, which lies within the buffer; `nil` if there is none.
    package func firstOffset(of octet: UInt8, in range: Range<Int>) -> Int? {
        precondition(range.lowerBound >= 0 && range.upperBound <= count)
        guard let base = baseAddress else { return nil }
        // In bounds: the range lies within the buffer.
        let found = martlet_first(
            base.advanced(by: range.lowerBound).assumingMemoryBound(to: UInt8.self), range.count,
            octet)
        return found < range.count ? range.lowerBound + found : nil
    }

    /// The offset at or behind `start` of the first `octet` that `next` follows at once; `nil` if there is none.
    ///
    /// - Parameter start: from 0 to `count`.
    package func firstOffset(of octet: UInt8, before next: UInt8, from start: Int) -> Int? {
        precondition(start >= 0 && start <= count)
        guard let base = baseAddress else { return nil }
        // In bounds: `start` lies within the buffer.
        let found = martlet_first_pair(
            base.advanced(by: start).assumingMemoryBound(to: UInt8.self), count - start, octet, next
        )
        return found < count - start ? start + found : nil
    }
}
