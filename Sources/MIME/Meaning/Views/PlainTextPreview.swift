import MartletBytes

/// Takes from a plain text what its author wrote.
enum PlainTextPreview {
    /// Adds the text to the line: without quotes and what introduces them, signature, rules and what is behind them.
    static func add(_ text: String, to preview: inout PreviewLine, keepsQuotes: Bool) {
        var reader = Reader(keepsQuotes: keepsQuotes)
        for line in text.utf8.split(omittingEmptySubsequences: false, whereSeparator: isLineEnd) {
            if preview.isFull || reader.isAtEnd { break }
            reader.take(line, adding: &preview)
        }
        reader.flush(to: &preview)
    }

    private static func isLineEnd(_ octet: UInt8) -> Bool {
        octet == ASCII.lf || octet == ASCII.cr
    }

    private struct Reader {
        let keepsQuotes: Bool
        var isAtEnd = false
        private var isInArmorHeader = false
        private var hasText = false
        // Up to two lines that may introduce a quote, and not yet be added.
        private var held: [Substring.UTF8View] = []

        init(keepsQuotes: Bool) { self.keepsQuotes = keepsQuotes }

        mutating func take(_ line: Substring.UTF8View, adding preview: inout PreviewLine) {
            let content = line.trimmedOfBlanks
            if isInArmorHeader {
                isInArmorHeader = !content.isEmpty
                return
            }
            if content.isEmpty { return }
            if content.first == ASCII.greater {
                if keepsQuotes {
                    return add(content.drop { $0 == ASCII.greater || $0.isBlank }, to: &preview)
                }
                dropIntroduction()
                return flush(to: &preview)
            }
            if isSeparator(content) {
                flush(to: &preview)
                isAtEnd = !keepsQuotes && hasText
                return
            }
            if content.hasPrefix("-----BEGIN PGP ") {
                flush(to: &preview)
                isInArmorHeader = content.hasPrefix("-----BEGIN PGP SIGNED")
                isAtEnd = !isInArmorHeader
                return
            }
            if content.isSignatureSeparator {
                flush(to: &preview)
                isAtEnd = true
                return
            }
            // Rules of dashes, stars and the like.
            guard content.contains(where: { $0.isLetter || $0.isDigit || $0 >= 0x80 }) else {
                return
            }
            held.append(line)
            if held.count > 2 { add(held.removeFirst(), to: &preview) }
        }

        mutating func flush(to preview: inout PreviewLine) {
            for line in held { add(line, to: &preview) }
            held = []
        }

        private mutating func add(_ line: Substring.UTF8View, to preview: inout PreviewLine) {
            preview.endWord()
            preview.add(Substring(line))
            preview.endWord()
            hasText = true
        }

        /// `On Monday, Jane wrote:`, which may take two lines.
        private mutating func dropIntroduction() {
            guard let last = held.last, last.trimmedOfBlanks.last == UInt8(ascii: ":") else {
                return
            }
            held.removeLast()
            if let first = held.last,
                first.hasPrefix("On ") || first.hasPrefix("Am ")
                    || first.hasPrefix("Le ")
            {
                held.removeLast()
            }
        }

        /// `-----Original Message-----`, `---------- Forwarded message ----------`.
        private func isSeparator(_ line: Substring.UTF8View) -> Bool {
            line.hasPrefix("-----") && line.reversed().prefix(5).allSatisfy { $0 == ASCII.hyphen }
                && line.contains(where: \.isLetter)
                && !line.hasPrefix("-----BEGIN ") && !line.hasPrefix("-----END ")
        }
    }
}

extension Substring.UTF8View {
    var trimmedOfBlanks: Substring.UTF8View {
        var content = self.drop(while: \.isBlank)
        while let last = content.last, last.isBlank { content.removeLast() }
        return content
    }

    func hasPrefix(_ prefix: StaticString) -> Bool {
        prefix.withUTF8Buffer { prefix in self.prefix(prefix.count).elementsEqual(prefix) }
    }

    fileprivate var isSignatureSeparator: Bool {
        count <= 2 && count > 1 && allSatisfy { $0 == ASCII.hyphen }
    }
}
