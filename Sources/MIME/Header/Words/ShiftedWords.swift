import MartletBytes

/// Words of ISO-2022-JP whose text was cut without going back to ASCII, as RFC 2047 §3 says it must.
enum ShiftedWords {
    private static let escape: UInt8 = 0x1B

    /// Whether `next` goes on where the word that ends at the end of `text` was cut: that one ends in a set of two octets
    /// a character, and `next` leaves one that it never entered, both with whole characters together.
    static func goesOn(_ next: ArraySlice<UInt8>, behind text: ArraySlice<UInt8>) -> Bool {
        guard let leave = next.firstIndex(of: escape), leave > next.startIndex,
            next[leave...].dropFirst().first == UInt8(ascii: "("),
            let enter = text.lastIndex(of: escape)
        else { return false }
        // ESC $ B, ESC $ @ or ESC $ ( D
        let sequence = text[enter...].dropFirst()
        guard sequence.first == UInt8(ascii: "$"), let set = sequence.dropFirst().first else {
            return false
        }
        let rest = sequence.dropFirst(set == UInt8(ascii: "(") ? 3 : 2)
        let cut = next[..<leave]
        return (rest.count + cut.count).isMultiple(of: 2)
            && rest.allSatisfy(isInSet) && cut.allSatisfy(isInSet)
    }

    private static func isInSet(_ octet: UInt8) -> Bool { 0x21...0x7E ~= octet }
}
