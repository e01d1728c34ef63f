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
    public static let localizedPrefixes = [
        "AW", "WG", "Antw", "Doorst", "SV", "VS", "VB", "VL", "TR", "RV", "RES", "ENC", "R", "I",
        "Odp", "PD", "YNT", "ATB", "BLS", "Vá", "TS", "Отв", "Пер", "На", "回复", "答复",
        "转发", "回覆", "轉寄", "返信", "転送", "답장", "전달",
    ]

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
        private let octets: [UInt8]
        private let prefixes: [[UInt8]]
        private var start = 0
        private var end: Int
        var isReplyOrForward = false

        init(_ subject: String, prefixes: [String]) {
            // Step 1: blanks and line ends are one space.
            var octets: [UInt8] = []
            octets.reserveCapacity(subject.utf8.count)
            for octet in subject.utf8 {
                let isSpace = octet.isBlank || octet == ASCII.cr || octet == ASCII.lf
                if !isSpace {
                    octets.append(octet)
                } else if let last = octets.last, last != ASCII.space {
                    octets.append(ASCII.space)
                }
            }
            self.octets = octets
            end = octets.count
            self.prefixes =
                ["re", "fwd", "fw"].map { Array($0.utf8) }
                + prefixes.map { Array($0.lowercased().utf8) }
        }

        var text: String { String(decoding: octets[start..<end], as: UTF8.self) }

        mutating func read() {
            repeat {
                removeTrailers()
                removeLeaders()
            } while removeWrapper()
        }

        // subj-trailer = "(fwd)" / WSP
        private mutating func removeTrailers() {
            while true {
                while end > start, octets[end - 1] == ASCII.space { end -= 1 }
                guard end - start >= 5, has("(fwd)", at: end - 5) else { return }
                end -= 5
                isReplyOrForward = true
            }
        }

        // subj-leader = (*subj-blob subj-refwd) / WSP
        private mutating func removeLeaders() {
            while true {
                while start < end, octets[start] == ASCII.space { start += 1 }
                var index = start
                var lastBlob = start
                while let behind = blob(at: index) {
                    lastBlob = index
                    index = behind
                }
                if let behind = replyOrForward(at: index) {
                    isReplyOrForward = true
                    start = behind
                    continue
                }
                // Blobs alone go as long as something is left; the last one may be all there is.
                start = index < end ? index : lastBlob
                return
            }
        }

        // subj-fwd = "[fwd:" subject "]"
        private mutating func removeWrapper() -> Bool {
            guard end - start >= 6, has("[fwd:", at: start), octets[end - 1] == UInt8(ascii: "]")
            else {
                return false
            }
            start += 5
            end -= 1
            isReplyOrForward = true
            return true
        }

        // subj-blob = "[" *BLOBCHAR "]" *WSP
        private func blob(at start: Int) -> Int? {
            guard start < end, octets[start] == UInt8(ascii: "[") else { return nil }
            var index = start + 1
            while index < end, octets[index] != UInt8(ascii: "]") {
                if octets[index] == UInt8(ascii: "[") { return nil }
                index += 1
            }
            return index < end ? behindSpace(index + 1) : nil
        }

        // subj-refwd = ("re" / ("fw" ["d"])) *WSP [subj-blob] ":"
        private func replyOrForward(at start: Int) -> Int? {
            for prefix in prefixes {
                guard start + prefix.count < end, matches(prefix, at: start) else { continue }
                var index = behindSpace(start + prefix.count)
                index = blob(at: index) ?? behindCount(index)
                if index < end, octets[index] == UInt8(ascii: ":") { return index + 1 }
                // The colon of Chinese and Japanese.
                if index + 2 < end, octets[index...].prefix(3).elementsEqual([0xEF, 0xBC, 0x9A]) {
                    return index + 3
                }
            }
            return nil
        }

        /// `Re(2):`, `Re^2:`, `Re*2:`, which the RFC does not have.
        private func behindCount(_ start: Int) -> Int {
            guard start < end, "(^*".utf8.contains(octets[start]) else { return start }
            var index = start + 1
            while index < end, octets[index].isDigit { index += 1 }
            if octets[start] == UInt8(ascii: "(") {
                guard index < end, octets[index] == UInt8(ascii: ")") else { return start }
                index += 1
            }
            return index > start + 1 ? behindSpace(index) : start
        }

        private func behindSpace(_ start: Int) -> Int {
            var index = start
            while index < end, octets[index] == ASCII.space { index += 1 }
            return index
        }

        private func has(_ word: StaticString, at index: Int) -> Bool {
            word.withUTF8Buffer { word in
                index + word.count <= end
                    && octets[index..<(index + word.count)].lazy.map(\.lowercased)
                        .elementsEqual(word)
            }
        }

        private func matches(_ prefix: [UInt8], at index: Int) -> Bool {
            if octets[index..<(index + prefix.count)].lazy.map(\.lowercased).elementsEqual(prefix) {
                return true
            }
            guard prefix.contains(where: { $0 >= 0x80 }) else { return false }
            let text = String(decoding: octets[index..<(index + prefix.count)], as: UTF8.self)
            return text.lowercased().utf8.elementsEqual(prefix)
        }
    }
}
