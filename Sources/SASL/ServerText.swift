/// The other side's words, safe to print.
enum ServerText {
    /// Most characters shown.
    static let limit = 500

    /// `octets` as text of one line, shortened, control characters replaced.
    static func clean(_ octets: some Collection<UInt8>) -> String {
        let text = String(decoding: octets.prefix(4 * limit + 4), as: UTF8.self)
        var shown = String.UnicodeScalarView()
        for scalar in text.unicodeScalars.prefix(limit) {
            let isControl =
                scalar.value < 0x20 || 0x7F...0x9F ~= scalar.value
                // what changes the direction or the line of all that follows
                || 0x2028...0x202E ~= scalar.value || 0x2066...0x2069 ~= scalar.value
            shown.append(isControl ? "\u{FFFD}" : scalar)
        }
        return String(shown) + (text.unicodeScalars.count > limit ? "…" : "")
    }
}
