/// The characters that pairs of octets are, in UTF-8: the first octet 0x81 to 0xFE, the second 0x40 to
/// 0xFF.
struct DoubleOctetTable: Sendable {
    static let rows = 0x81...0xFE
    static let columns = 0x40...0xFF

    /// By row and column: a character's UTF-8 with the first octet lowest, or zero for none.
    ///
    /// Above ``sequenceMark``, which no UTF-8 is, stands an index of ``sequences``.
    private(set) var entries = [UInt32](repeating: 0, count: rows.count * columns.count)
    /// Pairs of octets that are two characters each.
    private(set) var sequences: [(UInt32, UInt32)] = []

    static let sequenceMark: UInt32 = 0xFF00_0000

    /// Nothing yet.
    init() {}

    /// The entry of a pair of octets; zero if it has none.
    @inline(__always)
    static func entry(
        _ entries: UnsafeBufferPointer<UInt32>, _ first: UInt8, _ second: UInt8
    ) -> UInt32 {
        let row = Int(first) &- rows.lowerBound
        let column = Int(second) &- columns.lowerBound
        guard UInt(bitPattern: row) < UInt(rows.count),
            UInt(bitPattern: column) < UInt(columns.count)
        else { return 0 }
        // All tables have an entry for each row and column: `init` makes them, nothing removes any.
        return entries[row &* columns.count &+ column]
    }

    /// The entry of a pair of octets; zero if it has none.
    subscript(first: UInt8, second: UInt8) -> UInt32 {
        get { entries.withUnsafeBufferPointer { Self.entry($0, first, second) } }
        set {
            guard Self.rows.contains(Int(first)), Self.columns.contains(Int(second)) else { return }
            let row = Int(first) - Self.rows.lowerBound
            entries[row * Self.columns.count + Int(second) - Self.columns.lowerBound] = newValue
        }
    }

    /// The two characters that an entry stands for; `nil` if it is one or none.
    func sequence(_ entry: UInt32) -> (UInt32, UInt32)? {
        entry >= Self.sequenceMark ? sequences[Int(entry & ~Self.sequenceMark)] : nil
    }

    /// Sets a pair to the character of a number; surrogates and what is beyond Unicode are nothing.
    mutating func set(_ first: UInt8, _ second: UInt8, to value: UInt32) {
        guard let scalar = Unicode.Scalar(value), value >= 0x80 else { return }
        self[first, second] = PackedUTF8.pack(scalar)
    }

    /// Sets a pair to two characters.
    mutating func set(_ first: UInt8, _ second: UInt8, to one: UInt32, _ two: UInt32) {
        guard let one = Unicode.Scalar(one), let two = Unicode.Scalar(two) else { return }
        self[first, second] = Self.sequenceMark | UInt32(sequences.count)
        sequences.append((PackedUTF8.pack(one), PackedUTF8.pack(two)))
    }

    /// Sets pairs written as `0xFFSS_CCCC`: the octets, and a character below U+10000.
    mutating func set(_ changes: [UInt32]) {
        for change in changes {
            set(
                UInt8(truncatingIfNeeded: change >> 24), UInt8(truncatingIfNeeded: change >> 16),
                to: change & 0xFFFF)
        }
    }
}
