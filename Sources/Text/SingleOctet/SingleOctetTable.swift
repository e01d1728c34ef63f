import Synchronization

/// What each of the 256 octets is in UTF-8.
struct SingleOctetTable: Sendable {
    /// For each octet, its UTF-8 with the first octet lowest; an unused octet has ``nothing``.
    let entries: [UInt32]

    /// Stands for an octet that means nothing: U+FFFD, and a mark in the octet above it.
    static let nothing: UInt32 = 0xFFBD_BFEF

    init(_ charset: SingleOctetCharset) {
        var entries = [UInt32](0..<256)
        for (octet, scalar) in zip(0x80..<0x100, charset.upperHalf.unicodeScalars) {
            entries[octet] = scalar == "\u{FFFD}" ? Self.nothing : PackedUTF8.pack(scalar)
        }
        for (octet, scalar) in charset.lowerHalfExceptions {
            entries[Int(octet)] = PackedUTF8.pack(scalar)
        }
        self.entries = entries
    }

    /// The table of a charset, which is made once.
    static func table(of charset: SingleOctetCharset) -> SingleOctetTable {
        cache.withLock { tables in
            if let table = tables[charset] { return table }
            let table = SingleOctetTable(charset)
            tables[charset] = table
            return table
        }
    }

    private static let cache = Mutex<[SingleOctetCharset: SingleOctetTable]>([:])
}
