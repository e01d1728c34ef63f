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

    /// Asks the system for every pair of an outline, and then makes changes. `nil` where it does not know
    /// the charset.
    init?(asking outline: Outline, changed changes: [UInt32] = []) {
        guard let converter = SystemConverter(from: outline.names) else { return nil }
        self.init()
        let seconds = Array(outline.seconds.joined())
        let size = outline.prefix.count + 3
        var text = seconds.flatMap { outline.prefix + [0, $0, Self.lineFeed] }
            .map(CChar.init(bitPattern:))
        // No charset asked here makes more characters than octets.
        var characters = [UInt32](repeating: 0, count: text.count + 8)
        for first in outline.firsts.joined() {
            for place in stride(from: size - 3, to: text.count, by: size) {
                text[place] = CChar(bitPattern: first)
            }
            addRow(
                first, seconds, text: &text, characters: &characters, converter,
                hasSequences: outline.hasSequences)
        }
        set(changes)
    }

    private static let lineFeed: UInt8 = 0x0A

    /// Converts the pairs of one first octet in one text, in which a line feed behind each shows how many
    /// characters it is. At a pair that is none, iconv stops; it is left out, and the rest goes on.
    private mutating func addRow(
        _ first: UInt8, _ seconds: [UInt8], text: inout [CChar], characters: inout [UInt32],
        _ converter: borrowing SystemConverter, hasSequences: Bool
    ) {
        let size = text.count / seconds.count
        var index = 0
        while index < seconds.count {
            let (characterCount, consumedCount) = text.withUnsafeMutableBufferPointer { text in
                characters.withUnsafeMutableBufferPointer { characters in
                    converter.convert(
                        UnsafeMutableBufferPointer(rebasing: text[(index * size)...]),
                        into: characters)
                }
            }
            var start = 0
            var second = index
            for offset in 0..<characterCount where characters[offset] == Self.endMark {
                let one = UInt32(littleEndian: characters[start])
                switch offset - start {
                case 1: set(first, seconds[second], to: one)
                case 2 where hasSequences:
                    let two = UInt32(littleEndian: characters[start + 1])
                    set(first, seconds[second], to: one, two)
                default: break
                }
                start = offset + 1
                second += 1
            }
            index += consumedCount / size + 1
        }
    }

    private static let endMark = UInt32(lineFeed).littleEndian
}
