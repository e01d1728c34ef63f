import MartletBytes

/// A charset's label without what its spellings differ in.
///
/// Letters are lower case; all but letters and digits goes (`-`, `_`, `.`, `:`, blanks, quotes); reading
/// ends at a `;`. So `"ISO_8859-1"`, `iso8859-1` and `'ISO-8859-1'` have one key.
struct LabelKey: Hashable {
    private(set) var octets = InlineOctets()
    private(set) var count = 0

    /// Three words of octets, so that a key needs no memory of its own.
    struct InlineOctets: Hashable {
        var first: UInt64 = 0
        var second: UInt64 = 0
        var third: UInt64 = 0

        func hash(into hasher: inout Hasher) {
            // All labels are known beforehand, and this tells them well apart.
            hasher.combine(first ^ (second &* 0x9E37_79B9_7F4A_7C15) ^ third)
        }
    }

    /// Letters and digits of the longest key; no charset has a longer one.
    static let sizeLimitInOctets = 24
    /// Octets of a label that are looked at.
    static let labelSizeLimitInOctets = 100

    /// `nil` for a label that cannot be a charset's: empty, too long, or with octets above 127.
    init?(_ label: some Collection<UInt8>) {
        let key = label.withContiguousStorageIfAvailable { Self(reading: $0) }
        guard let key = key ?? Self(reading: label) else { return nil }
        self = key
    }

    private init?(reading label: some Collection<UInt8>) {
        var isStarted = false
        for octet in label.prefix(Self.labelSizeLimitInOctets) {
            if octet == 0x3B, isStarted { break }
            guard octet < 0x80 else { return nil }
            guard octet.isLetter || octet.isDigit else { continue }
            isStarted = true
            guard append(octet.lowercased) else { return nil }
        }
        if count == 0 { return nil }
    }

    private init() {}

    private mutating func append(_ octet: UInt8) -> Bool {
        guard count < Self.sizeLimitInOctets else { return false }
        let word = UInt64(octet) &<< UInt64((count & 7) &* 8)
        switch count &>> 3 {
        case 0: octets.first |= word
        case 1: octets.second |= word
        default: octets.third |= word
        }
        count += 1
        return true
    }

    private subscript(index: Int) -> UInt8 {
        let word =
            switch index &>> 3 {
            case 0: octets.first
            case 1: octets.second
            default: octets.third
            }
        return UInt8(truncatingIfNeeded: word &>> UInt64((index & 7) &* 8))
    }

    /// The key without `prefix`; `nil` if it does not begin with it, or is nothing more.
    func dropping(prefix: StaticString) -> LabelKey? {
        let size = prefix.utf8CodeUnitCount
        guard size < count else { return nil }
        let begins = prefix.withUTF8Buffer { octets in
            (0..<size).allSatisfy { self[$0] == octets[$0] }
        }
        guard begins else { return nil }
        var rest = LabelKey()
        for index in size..<count { _ = rest.append(self[index]) }
        return rest
    }
}
