import Synchronization

/// What each of the 256 octets is in UTF-8.
struct SingleOctetTable: Sendable {
    /// For each octet, its one to three octets of UTF-8 with the first lowest; their number above them,
    /// with ``unusedMark`` where the octet means nothing and the UTF-8 is U+FFFD.
    let entries: [UInt32]

    static let unusedMark: UInt32 = 0x8000_0000

    init(_ charset: SingleOctetCharset) {
        var entries = (0..<256).map { Self.entry(Unicode.Scalar(UInt8($0))) }
        for (octet, scalar) in zip(0x80..<0x100, charset.upperHalf.unicodeScalars) {
            entries[octet] = Self.entry(scalar)
            if scalar == "\u{FFFD}" { entries[octet] |= Self.unusedMark }
        }
        for (octet, scalar) in charset.lowerHalfExceptions {
            entries[Int(octet)] = Self.entry(scalar)
        }
        self.entries = entries
    }

    /// All characters of these charsets are below U+10000.
    private static func entry(_ scalar: Unicode.Scalar) -> UInt32 {
        PackedUTF8.pack(scalar) | UInt32(UTF8.width(scalar)) << 24
    }

    /// The UTF-8 of an octet; `nil` if it means nothing.
    subscript(octet: UInt8) -> UInt32? {
        let entry = entries[Int(octet)]
        return entry & Self.unusedMark == 0 ? entry & 0xFF_FFFF : nil
    }

    /// The table of a charset, which is made once.
    static func table(of charset: SingleOctetCharset) -> SingleOctetTable {
        cache.withLock { tables in
            let index = Int(charset.rawValue)
            if let table = tables[index] { return table }
            let table = SingleOctetTable(charset)
            tables[index] = table
            return table
        }
    }

    private static let cache = Mutex(
        [SingleOctetTable?](repeating: nil, count: SingleOctetCharset.allCases.count))
}
