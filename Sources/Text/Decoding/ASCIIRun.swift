/// Runs of ASCII, which nearly all text in mail is.
package enum ASCIIRun {
    private static let highBits: UInt64 = 0x8080_8080_8080_8080

    /// The offset of the first octet above 127 at or after `start`; `octets.count` if there is none.
    package static func end(in octets: UnsafeRawBufferPointer, from start: Int) -> Int {
        var offset = start
        // Each load lies within the octets, since `offset + 32` does.
        while offset &+ 32 <= octets.count {
            let all =
                word(octets, offset) | word(octets, offset &+ 8)
                | word(octets, offset &+ 16) | word(octets, offset &+ 24)
            if all & highBits != 0 { break }
            offset &+= 32
        }
        while offset &+ 8 <= octets.count {
            let marks = UInt64(littleEndian: word(octets, offset)) & highBits
            if marks != 0 { return offset &+ marks.trailingZeroBitCount &>> 3 }
            offset &+= 8
        }
        while offset < octets.count, octets[offset] < 0x80 { offset &+= 1 }
        return offset
    }

    /// Whether the eight octets at `offset`, which must be there, are all ASCII.
    @inline(__always)
    static func isEight(_ octets: UnsafeRawBufferPointer, at offset: Int) -> Bool {
        word(octets, offset) & highBits == 0
    }

    @inline(__always)
    static func word(_ octets: UnsafeRawBufferPointer, _ offset: Int) -> UInt64 {
        octets.loadUnaligned(fromByteOffset: offset, as: UInt64.self)
    }
}
