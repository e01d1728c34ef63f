import MartletBytes

/// What a subject is about, without what answering and passing on put around it. RFC 5256 §2.1.
///
///     BaseSubject("Re[2]: [list] Fwd: Lunch? (fwd)").text     // Lunch?
public struct BaseSubject: Hashable, Sendable {
    /// The subject without `Re:`, `Fwd:`, `[list]` in front, and `(fwd)` behind. White space is single spaces.
    public let text: String
    /// Whether the subject was that of an answer or of a message that was passed on.
    public let isReplyOrForward: Bool

    /// Prefixes that programs use in other languages than English. The RFC has none of them.
    public static let localizedPrefixes = SubjectMarks.localizedWords + ["R", "I"]

    /// Makes the base of a subject, which is decoded.
    ///
    /// - Parameter prefixes: more words that stand for `Re`, such as `localizedPrefixes`, in any case.
    public init(_ subject: String, prefixes: [String] = []) {
        var reader = Reader(subject, prefixes: prefixes)
        reader.read()
        text = reader.text
        isReplyOrForward = reader.isReplyOrForward
    }

    /// What subjects are compared by: their case does not count.
    public var key: String { text.lowercased() }

    private struct Reader {
        private var marks: SubjectMarks
        private(set) var isReplyOrForward = false

        init(_ subject: String, prefixes: [String]) {
            // Step 1: blanks and line ends are one space.
            var octets: [UInt8] = []
            octets.reserveCapacity(subject.utf8.count)
            for octet in subject.utf8 {
                if !octet.isFoldingSpace {
                    octets.append(octet)
                } else if let last = octets.last, last != ASCII.space {
                    octets.append(ASCII.space)
                }
            }
            marks = SubjectMarks(octets, more: Set(prefixes.lazy.map { $0.lowercased() }))
        }

        var text: String { marks.text }

        mutating func read() {
            repeat {
                marks.trim()
                while marks.removeTrailer() {
                    isReplyOrForward = true
                    marks.trim()
                }
                removeLeaders()
            } while removeWrapper()
        }

        // subj-leader = (*subj-blob subj-refwd) / WSP
        private mutating func removeLeaders() {
            while true {
                marks.trim()
                var index = marks.start
                var lastBlob = marks.start
                while let behind = marks.blob(at: index) {
                    lastBlob = index
                    index = behind
                }
                if let behind = marks.replyOrForward(at: index) {
                    isReplyOrForward = true
                    marks.start = behind
                    continue
                }
                // Blobs alone go as long as something is left; the last one may be all there is.
                marks.start = index < marks.end ? index : lastBlob
                return
            }
        }

        private mutating func removeWrapper() -> Bool {
            guard marks.removeWrapper() else { return false }
            isReplyOrForward = true
            return true
        }
    }
}
