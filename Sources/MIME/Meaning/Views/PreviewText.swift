import MartletBytes
import MartletText

extension Message {
    /// The beginning of what a person would read, on one line: for lists of messages.
    ///
    /// Quoted lines, the line that introduces them, and the signature are left out, and of HTML all tags, styles and
    /// scripts. If then nothing is left, quoted text counts. White space is single spaces; control and invisible
    /// characters are left out. Empty if there is nothing to read, as where all is encrypted.
    ///
    /// Only the first 256 KiB of each part are looked at.
    /// - Parameter limit: how many characters it may have; it is cut there.
    public func previewText(limit: Int = 200, detector: CharsetDetector? = nil) -> String {
        root.previewText(limit: limit, detector: detector)
    }
}

extension Part {
    /// The beginning of what a person would read of this part, taken as a message of its own; see
    /// `Message.previewText(limit:detector:)`.
    public func previewText(limit: Int = 200, detector: CharsetDetector? = nil) -> String {
        guard limit > 0 else { return "" }
        let views = bodyViews
        for keepsQuotes in [false, true] {
            for parts in [readableParts(of: views), views.htmlBody] {
                var preview = PreviewLine(limit: limit)
                for part in parts where !preview.isFull {
                    preview.endWord()
                    part.addPreview(to: &preview, keepsQuotes: keepsQuotes, detector)
                }
                if !preview.isEmpty { return preview.text }
            }
        }
        return ""
    }

    /// Octets of a body that are looked at.
    private static let previewSizeInOctets = 256 * 1024

    private func addPreview(
        to preview: inout PreviewLine, keepsQuotes: Bool, _ detector: CharsetDetector?
    ) {
        let isHTML = self.isHTML
        guard isHTML || isPlainText else { return }
        let text = startOfText(isHTML: isHTML, detector)
        if isHTML {
            HTMLPreview.add(text, to: &preview, keepsQuotes: keepsQuotes)
            return
        }
        PlainTextPreview.add(
            text.unflowed(contentType.textFormat, limits: table.limits), to: &preview,
            keepsQuotes: keepsQuotes)
    }

    /// The text at the start of the body, cut behind a line if it is long.
    private func startOfText(isHTML: Bool, _ detector: CharsetDetector?) -> String {
        var (body, isCut) = decodedStart(Self.previewSizeInOctets)
        if isCut {
            // A character that is cut in two would make another charset likely.
            let lineEnd = body.lastIndex(of: ASCII.lf) ?? body.endIndex
            if lineEnd > body.count / 2 { body.removeSubrange(lineEnd...) }
            body.removeIncompleteCharacter()
        }
        let decoding = TextDecoding(
            label: contentType.charset, isHTML: isHTML, detector: detector)
        return body.withUnsafeBytes { decoding.text(of: $0).value }
    }
}

extension [UInt8] {
    /// Removes the start of a UTF-8 character whose rest is not there.
    fileprivate mutating func removeIncompleteCharacter() {
        let continuations = self.suffix(3).reversed().prefix { $0 & 0xC0 == 0x80 }.count
        guard count > continuations else { return }
        let lead = self[count - continuations - 1]
        let size = lead < 0xC0 ? 1 : lead < 0xE0 ? 2 : lead < 0xF0 ? 3 : 4
        if size > continuations + 1 { removeLast(continuations + 1) }
    }
}

/// One line of text that grows up to a limit: white space is collapsed, what cannot be seen is left out.
struct PreviewLine {
    let limit: Int
    private var octets: [UInt8] = []
    private var isBehindSpace = true
    // Each of these is a character; others may be parts of one.
    private var asciiCount = 0
    // A character may be many octets; nobody would miss one that has more.
    private let sizeLimit: Int

    init(limit: Int) {
        self.limit = limit
        let (size, isTooLarge) = limit.multipliedReportingOverflow(by: 16)
        sizeLimit = isTooLarge ? Int.max : max(size, 256)
    }

    /// Whether no more is needed.
    var isFull: Bool { asciiCount > limit || octets.count > sizeLimit }
    var isEmpty: Bool { octets.isEmpty }

    /// The line, cut to the limit between characters.
    var text: String {
        var text = String(decoding: octets, as: UTF8.self)
        if octets.count > limit {
            text =
                asciiCount == octets.count
                ? String(decoding: octets.prefix(limit), as: UTF8.self)
                : String(text.prefix(limit))
        }
        while text.utf8.last == ASCII.space { text.removeLast() }
        return text
    }

    /// What follows is another word.
    mutating func endWord() {
        guard !isBehindSpace else { return }
        octets.append(ASCII.space)
        asciiCount += 1
        isBehindSpace = true
    }

    mutating func add(_ text: some StringProtocol) {
        for scalar in text.unicodeScalars {
            if isFull { return }
            add(scalar)
        }
    }

    mutating func add(_ scalar: Unicode.Scalar) {
        if scalar.value < 0x80 {
            let octet = UInt8(truncatingIfNeeded: scalar.value)
            if octet > ASCII.space && octet < ASCII.del {
                octets.append(octet)
                asciiCount += 1
                isBehindSpace = false
            } else if octet == ASCII.space || 0x09...0x0D ~= octet {
                endWord()
            }
        } else if scalar.properties.isWhitespace {
            endWord()
        } else if !scalar.isInvisible {
            octets.append(contentsOf: UTF8.encode(scalar)!)
            isBehindSpace = false
        }
    }
}

extension Unicode.Scalar {
    /// Characters that newsletters fill previews with, and those that turn the direction of text.
    fileprivate var isInvisible: Bool {
        switch value {
        case 0x200D: false  // joins emoji
        case 0x034F, 0x115F, 0x1160, 0x17B4, 0x17B5, 0x3164, 0xFFA0: true
        default:
            properties.generalCategory == .format || properties.generalCategory == .control
        }
    }
}
