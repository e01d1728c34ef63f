import MartletBytes

/// A text that is looked for in others, in time that is linear in theirs whatever is in it.
struct TextSearch: Sendable {
    private let sought: [UInt8]
    /// Of each beginning of the text, how long the longest shorter one is that it ends with.
    private let borders: [Int]

    init(_ text: String) {
        sought = FoldedText(text).octets
        var borders = [Int](repeating: 0, count: sought.count)
        var length = 0
        for index in sought.indices.dropFirst() {
            while length > 0, sought[index] != sought[length] { length = borders[length - 1] }
            if sought[index] == sought[length] { length += 1 }
            borders[index] = length
        }
        self.borders = borders
    }

    /// Whether any text is one in which it is found.
    var isEmpty: Bool { sought.isEmpty }

    /// Whether it stands anywhere in `text`.
    func isIn(_ text: FoldedText) -> Bool {
        guard let first = sought.first else { return true }
        return text.octets.withUnsafeBytes { text in
            var length = 0
            var index = 0
            while index < text.count {
                if length == 0 {
                    guard let found = text.firstOffset(of: first, from: index) else { return false }
                    index = found + 1
                    length = 1
                } else {
                    while length > 0, text[index] != sought[length] { length = borders[length - 1] }
                    if text[index] == sought[length] { length += 1 }
                    index += 1
                }
                if length == sought.count { return true }
            }
            return false
        }
    }

    /// Whether it stands anywhere in `text`.
    func isIn(_ text: some StringProtocol) -> Bool { isEmpty || isIn(FoldedText(text)) }
}
