extension DoubleOctetTable {
    /// Which octets a table asks the system about.
    struct Outline {
        /// The charset's names on different systems.
        var names: [String]
        /// Octets that stand before each pair.
        var prefix: [UInt8] = []
        var firsts: [ClosedRange<UInt8>]
        var seconds: [ClosedRange<UInt8>]
        /// Whether pairs that are two characters are wanted.
        var hasSequences = false
    }

    /// Asks the system for every pair of an outline. `nil` where it does not know the charset.
    ///
    /// The pairs are converted in one text, with a line feed behind each, so that it shows how many
    /// characters a pair is. At a pair that is none, iconv stops; it is left out, and the rest goes on.
    init?(asking outline: Outline) {
        guard let converter = SystemConverter(from: outline.names) else { return nil }
        self.init()
        let pairs = outline.firsts.joined().flatMap { first in
            outline.seconds.joined().map { second in (first, second) }
        }
        let size = outline.prefix.count + 3
        var text: [CChar] = []
        text.reserveCapacity(pairs.count * size)
        for (first, second) in pairs {
            for octet in outline.prefix { text.append(CChar(bitPattern: octet)) }
            text.append(CChar(bitPattern: first))
            text.append(CChar(bitPattern: second))
            text.append(CChar(Self.lineFeed))
        }
        // No charset asked here makes more characters than octets.
        var characters = [UInt32](repeating: 0, count: text.count + 8)
        var index = 0
        while index < pairs.count {
            let (characterCount, consumedCount) = text.withUnsafeMutableBufferPointer { text in
                characters.withUnsafeMutableBufferPointer { characters in
                    converter.convert(
                        UnsafeMutableBufferPointer(rebasing: text[(index * size)...]),
                        into: characters)
                }
            }
            add(characters[..<characterCount], for: pairs[index...], with: outline.hasSequences)
            index += consumedCount / size + 1
        }
    }

    private static let lineFeed: UInt8 = 0x0A

    /// Adds the characters of pairs, each of which a line feed ends.
    private mutating func add(
        _ characters: ArraySlice<UInt32>, for pairs: ArraySlice<(UInt8, UInt8)>,
        with sequences: Bool
    ) {
        var start = characters.startIndex
        for (first, second) in pairs {
            guard let end = characters[start...].firstIndex(of: UInt32(Self.lineFeed).littleEndian)
            else { return }
            switch end - start {
            case 1: set(first, second, to: UInt32(littleEndian: characters[start]))
            case 2 where sequences:
                set(
                    first, second, to: UInt32(littleEndian: characters[start]),
                    UInt32(littleEndian: characters[start + 1]))
            default: break
            }
            start = end + 1
        }
    }
}
