import MartletBytes

/// The marks of answers and forwarded messages before a subject: `Re:`, `Fwd:`, `AW:`, `Re[2]:`,
/// `[Fwd: …]`. RFC 5256 §2.1, and the words of other languages that programs write.
enum SubjectPrefixes {
    private static let localizedWords = Set(SubjectMarks.localizedWords.map { $0.lowercased() })

    /// `subject` without its marks and the blanks around it. Marks of mailing lists (`[swift]`) stay, also
    /// where an answer's mark stands behind one, but not twice.
    static func stripped(_ subject: String) -> String {
        var marks = SubjectMarks([UInt8](subject.utf8), more: localizedWords)
        var kept = ""
        repeat { marks.trim() } while removeMark(&marks, &kept)
        let base = marks.text
        if base.isEmpty { return kept }
        return kept.isEmpty || base.hasPrefix(kept) ? base : kept + " " + base
    }

    /// `subject` behind one mark, `Re:` or `Fwd:`, cut where it is too long to be written.
    static func marked(_ subject: String, with mark: String) -> String {
        let base = stripped(subject)
        return base.isEmpty
            ? mark : (mark + " " + base).cut(toOctets: MessageHeader.textLimit)
    }

    /// Removes one mark; `false` if there is none. The first mark of a list before one is kept.
    private static func removeMark(_ marks: inout SubjectMarks, _ kept: inout String) -> Bool {
        // A subject of nothing but `(fwd)` says that.
        if marks.end - marks.start > 5, marks.removeTrailer() { return true }
        if let behind = marks.replyOrForward(at: marks.start) {
            marks.start = behind
            return true
        }
        if marks.removeWrapper() { return true }
        guard !marks.isWrapper(marks.start), let blob = marks.blob(at: marks.start),
            let behind = marks.replyOrForward(at: blob)
        else { return false }
        if kept.isEmpty {
            kept =
                String(decoding: marks.octets[marks.start..<blob], as: UTF8.self)
                .trimmedOfSpace
        }
        marks.start = behind
        return true
    }
}
