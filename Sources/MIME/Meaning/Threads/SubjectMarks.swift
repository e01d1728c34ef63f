import MartletBytes

/// What programs put around the subject of an answer and of a message that they pass on: the grammar of RFC 5256 §5,
/// and what else is in use: `Re(2):`, `Re^2:`, words of other languages, the colon of Chinese and Japanese.
struct SubjectMarks {
    /// The words of the RFC, in lower case.
    private static let words: Set<String> = ["re", "fw", "fwd"]

    /// Words of other languages that programs write, two letters at least: single ones are too often something else.
    static let localizedWords = [
        "AW", "WG", "Antw", "Antwort", "Doorst", "SV", "VS", "VB", "VL", "VID", "TR", "RV", "RES",
        "ENC", "Rif", "Ris", "Ats", "HA", "Odp", "PD", "YNT", "YML", "ILT", "İLT", "ATB", "BLS",
        "TRS", "PRS", "TS", "Vá", "Továbbítás", "ΑΠ", "ΣΧΕΤ", "ΠΡΘ", "Отв", "Пер", "На", "Пересл",
        "השב", "הועבר", "رد", "ตอบ", "ส่งต่อ", "回复", "答复", "转发", "回覆", "轉寄", "返信", "転送",
        "답장", "전달",
    ]

    let octets: [UInt8]
    /// What is left of the subject.
    var start = 0
    var end: Int
    private let more: Set<String>
    /// A word longer than this in octets is none of them.
    private let wordLimit: Int

    /// - Parameter more: words beside those of the RFC, in lower case.
    init(_ octets: [UInt8], more: Set<String>) {
        self.octets = octets
        self.more = more
        end = octets.count
        wordLimit = more.lazy.map(\.utf8.count).reduce(3, max) + 2
    }

    var text: String { String(decoding: octets[start..<end], as: UTF8.self) }

    /// Removes white space at both ends.
    mutating func trim() {
        start = behindSpace(start)
        while end > start, octets[end - 1].isBlank { end -= 1 }
    }

    // subj-trailer = "(fwd)" / WSP
    /// Removes one `(fwd)` at the end, if there is one.
    mutating func removeTrailer() -> Bool {
        guard end - start >= 5, has("(fwd)", at: end - 5) else { return false }
        end -= 5
        return true
    }

    // subj-fwd = "[fwd:" subject "]"
    /// Removes what is around a subject that was passed on, if there is such.
    mutating func removeWrapper() -> Bool {
        guard end - start >= 6, isWrapper(start), octets[end - 1] == UInt8(ascii: "]") else {
            return false
        }
        start += 5
        end -= 1
        return true
    }

    /// Whether `[fwd:` is at `index`.
    func isWrapper(_ index: Int) -> Bool { has("[fwd:", at: index) }

    // subj-blob = "[" *BLOBCHAR "]" *WSP
    /// Behind the mark of a list, such as `[list] `, and the white space behind it.
    func blob(at start: Int) -> Int? {
        guard start < end, octets[start] == UInt8(ascii: "[") else { return nil }
        var index = start + 1
        while index < end, octets[index] != UInt8(ascii: "]") {
            if octets[index] == UInt8(ascii: "[") { return nil }
            index += 1
        }
        return index < end ? behindSpace(index + 1) : nil
    }

    // subj-refwd = ("re" / ("fw" ["d"])) *WSP [subj-blob] ":"
    /// Behind a mark with its colon.
    func replyOrForward(at start: Int) -> Int? {
        var wordEnd = start
        while wordEnd < end, !endsWord(wordEnd) {
            guard wordEnd - start < wordLimit else { return nil }
            wordEnd += 1
        }
        guard wordEnd > start else { return nil }
        var index = behindSpace(wordEnd)
        if index < end, octets[index] == UInt8(ascii: "[") {
            index = blob(at: index) ?? index
        } else {
            index = behindCount(index)
        }
        guard let behind = behindColon(index) else { return nil }
        let word = String(decoding: octets[start..<wordEnd], as: UTF8.self).lowercased()
        return Self.words.contains(word) || more.contains(word) ? behind : nil
    }

    private func endsWord(_ index: Int) -> Bool {
        octets[index].isBlank || "[(^*:".utf8.contains(octets[index]) || isWideColon(index)
    }

    /// `Re(2):`, `Re^2:`, `Re*2:`, which the RFC does not have.
    private func behindCount(_ start: Int) -> Int {
        guard start < end, "(^*".utf8.contains(octets[start]) else { return start }
        var index = start + 1
        while index < end, octets[index].isDigit { index += 1 }
        guard index > start + 1 else { return start }
        if octets[start] == UInt8(ascii: "(") {
            guard index < end, octets[index] == UInt8(ascii: ")") else { return start }
            index += 1
        }
        return behindSpace(index)
    }

    private func behindColon(_ index: Int) -> Int? {
        guard index < end else { return nil }
        if octets[index] == UInt8(ascii: ":") { return index + 1 }
        return isWideColon(index) ? index + 3 : nil
    }

    /// The colon of Chinese and Japanese, U+FF1A.
    private func isWideColon(_ index: Int) -> Bool {
        octets[index] == 0xEF && index + 2 < end && octets[index + 1] == 0xBC
            && octets[index + 2] == 0x9A
    }

    private func behindSpace(_ start: Int) -> Int {
        var index = start
        while index < end, octets[index].isBlank { index += 1 }
        return index
    }

    private func has(_ word: StaticString, at index: Int) -> Bool {
        word.withUTF8Buffer { word in
            index + word.count <= end
                && octets[index..<(index + word.count)].lazy.map(\.lowercased)
                    .elementsEqual(word)
        }
    }
}
