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
