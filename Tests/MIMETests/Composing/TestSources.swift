import MartletBytes
import MartletTestSupport

/// A source that is not in memory, as far as its users know: a file that may change while it is read.
struct StreamedOctets: OctetSource {
    struct CannotOpen: Error {}

    var octets: [UInt8]
    /// The size it tells, which may be wrong.
    var sizeInOctets: Int
    var pieceLimit = 100
    var opens = true

    init(_ octets: [UInt8], told size: Int? = nil, pieceLimit: Int = 100, opens: Bool = true) {
        self.octets = octets
        self.pieceLimit = pieceLimit
        self.opens = opens
        sizeInOctets = size ?? octets.count
    }

    func makeReader() throws -> any OctetReader {
        guard opens else { throw CannotOpen() }
        return Reader(rest: octets[...], pieceLimit: pieceLimit)
    }

    private struct Reader: OctetReader {
        var rest: ArraySlice<UInt8>
        var pieceLimit: Int
        mutating func read(atMost limit: Int) -> [UInt8] {
            let count = min(limit, pieceLimit)
            defer { rest = rest.dropFirst(count) }
            return Array(rest.prefix(count))
        }
    }
}

extension OctetSource {
    /// Everything a reader gives, in pieces of at most `limit`.
    func allOctets(limit: Int = 1_000) async throws -> [UInt8] {
        var reader = try makeReader()
        var all: [UInt8] = []
        while true {
            let piece = try await reader.read(atMost: limit)
            if piece.isEmpty { return all }
            guard piece.count <= limit else { throw StreamedOctets.CannotOpen() }
            all += piece
        }
    }
}

/// Texts as people and attackers write them: words of many scripts, emoji, blanks, signs.
func randomText(
    words: ClosedRange<Int>, controls: Bool = false, _ random: inout some RandomNumberGenerator
) -> String {
    let pieces =
        [
            "hello", "a", "Grüße", "naïve", "Привет", "мир", "日本語", "テスト", "שלום", "👩‍👩‍👧‍👦", "🇨🇭",
            "e\u{301}",
            "=?UTF-8?Q?x?=", "=?", "?=", "_", "=", "\"", "\\", ",", ";", "<x>", "(c)", "a@b", ".",
            "https://example.org/a/long/path?with=a&query=string", "x_y", "*", "'", "%41", "ß", "🎉",
            String(repeating: "long", count: 30), String(repeating: "ж", count: 50),
            "z\u{300}\u{301}",
        ] + (controls ? ["\u{1}", "\u{1B}[0m", "\u{7F}", "\t"] : [])
    var text = ""
    for _ in 0..<Int.random(in: words, using: &random) {
        text += pieces.randomElement(using: &random)!
        if Int.random(in: 0..<3, using: &random) > 0 { text += " " }
        if Int.random(in: 0..<20, using: &random) == 0 { text += "  " }
    }
    return text
}

func text(_ octets: some Sequence<UInt8>) -> String {
    String(decoding: Array(octets), as: UTF8.self)
}
