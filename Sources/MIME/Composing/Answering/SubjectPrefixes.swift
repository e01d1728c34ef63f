import MartletBytes

/// The marks of answers and forwarded messages before a subject: `Re:`, `Fwd:`, `AW:`, `Re[2]:`,
/// `[Fwd: …]`. RFC 5256 §2.1, and the words of other languages that programs write.
enum SubjectPrefixes {
    /// Words before a colon, in lower case. Single letters (`R:`, `I:`) are too often something else.
    private static let words: Set<String> = {
        let more = [
            "Antwort", "Ats", "Ref", "Réf", "Rif", "Ris", "ΑΠ", "ΣΧΕΤ", "HA", "השב", "رد", "ตอบ",
            "VID", "FS", "ILT", "İLT", "TRS", "PRS", "YML", "Továbbítás", "ΠΡΘ", "Пересл", "הועבר",
            "ส่งต่อ",
        ]
        return Set(
            (["Re", "Fw", "Fwd"] + BaseSubject.localizedPrefixes + more)
                .filter { $0.count > 1 }.map { $0.lowercased() })
    }()

    /// A word longer than this in octets is none of them.
    private static let wordLimit = 24

    /// `subject` without its marks and the blanks around it. Marks of mailing lists (`[swift]`) stay, also
    /// where an answer's mark stands behind one, but not twice.
    static func stripped(_ subject: String) -> String {
        let octets = [UInt8](subject.utf8)
        var rest = octets[...].trimmed()
        var kept: ArraySlice<UInt8> = []
        while true {
            let before = rest.count
            rest = withoutTrailer(rest)
            if let behind = behindWord(rest) {
                rest = behind.trimmed()
            } else if let blob = blob(at: rest),
                let behind = behindWord(rest[blob.endIndex...].trimmed())
            {
                if kept.isEmpty { kept = blob }
                rest = behind.trimmed()
            } else if rest.hasPrefix("[fwd:"), rest.last == UInt8(ascii: "]") {
                rest = rest.dropFirst("[fwd:".utf8.count).dropLast().trimmed()
            }
            if rest.count == before { break }
        }
        if !kept.isEmpty, let blob = blob(at: rest), blob == kept {
            kept = []
        }
        let base = String(decoding: rest, as: UTF8.self)
        return kept.isEmpty ? base : String(decoding: kept, as: UTF8.self) + " " + base
    }

    /// `subject` behind one mark, `Re:` or `Fwd:`.
    static func marked(_ subject: String, with mark: String) -> String {
        let base = stripped(subject)
        return base.isEmpty ? mark : mark + " " + base
    }

    // subj-trailer = "(fwd)" / WSP ; RFC 5256 §5
    private static func withoutTrailer(_ text: ArraySlice<UInt8>) -> ArraySlice<UInt8> {
        let trailer = "(fwd)".utf8
        guard text.count > trailer.count,
            text.suffix(trailer.count).lazy.map(\.lowercased).elementsEqual(trailer)
        else { return text }
        return text.dropLast(trailer.count).trimmed()
    }

    // subj-refwd = ("re" / ("fw" ["d"])) *WSP [subj-blob] ":" ; RFC 5256 §5
    private static func behindWord(_ text: ArraySlice<UInt8>) -> ArraySlice<UInt8>? {
        // A full-width colon counts too: U+FF1A.
        let wideColon: [UInt8] = [0xEF, 0xBC, 0x9A]
        var index = text.startIndex
        while index < text.endIndex, index - text.startIndex <= wordLimit,
            text[index] != UInt8(ascii: ":"),
            text[index] != wideColon[0] || !text[index...].starts(with: wideColon)
        {
            index += 1
        }
        guard index < text.endIndex, index - text.startIndex <= wordLimit else { return nil }
        var word = text[..<index].trimmed()
        // Re[2]: and Re(2): and Re^2:
        if let mark = word.firstIndex(where: { "[(^".utf8.contains($0) }) {
            word = word[..<mark].trimmed()
        }
        guard words.contains(String(decoding: word, as: UTF8.self).lowercased()) else { return nil }
        return text[index] == UInt8(ascii: ":")
            ? text[(index + 1)...] : text[(index + wideColon.count)...]
    }

    // subj-blob = "[" *BLOBCHAR "]" *WSP ; RFC 5256 §5
    private static func blob(at text: ArraySlice<UInt8>) -> ArraySlice<UInt8>? {
        guard text.first == UInt8(ascii: "["), !text.hasPrefix("[fwd:"),
            let end = text.dropFirst().firstIndex(where: {
                $0 == UInt8(ascii: "[") || $0 == UInt8(ascii: "]")
            }),
            text[end] == UInt8(ascii: "]")
        else { return nil }
        return text[...end]
    }
}

extension ArraySlice<UInt8> {
    /// Without blanks at both ends.
    fileprivate func trimmed() -> ArraySlice<UInt8> {
        var slice = drop(while: \.isBlank)
        while let last = slice.last, last.isBlank { slice = slice.dropLast() }
        return slice
    }

    /// Whether it begins with `prefix`, given in lower case.
    fileprivate func hasPrefix(_ prefix: String) -> Bool {
        self.prefix(prefix.utf8.count).lazy.map(\.lowercased).elementsEqual(prefix.utf8)
    }
}
