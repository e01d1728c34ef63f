import MartletBytes

/// Lays text out in lines. White space becomes one blank, line ends wait until there is text behind them, and control
/// characters are left out.
struct HTMLPlainTextWriter {
    private var text: [UInt8] = []
    // What stands between the text so far and the next.
    private var lineEnds = 0
    private var hasBlank = false
    private var hasCellEnd = false
    private var bullet: String?
    // How deep empty lines that wait are quoted: as deep as what is on both sides of them.
    private var emptyLineDepth = 0

    private var quoteDepth = 0
    /// The lists that are open, each with the number of its next item; `nil` for those without numbers.
    private var lists: [Int?] = []
    private var preformattedDepth = 0
    private var isBehindPre = false

    mutating func finish() -> String {
        if !text.isEmpty { text.append(ASCII.lf) }
        return String(decoding: text, as: UTF8.self)
    }

    // MARK: Text

    mutating func add(_ octets: Slice<UnsafeRawBufferPointer>) {
        for octet in octets { add(octet) }
    }

    mutating func add(_ scalar: Unicode.Scalar) {
        // A blank that keeps words together is one that stays.
        if scalar == "\u{A0}" { return append(ASCII.space) }
        if let octet = UInt8(exactly: scalar.value), octet < 0x80 { return add(octet) }
        guard scalar.properties.generalCategory != .control else { return }
        for octet in UTF8.encode(scalar)! { append(octet) }
    }

    private mutating func add(_ octet: UInt8) {
        if preformattedDepth > 0, addPreformatted(octet) { return }
        if octet.isFoldingSpace || octet == ASCII.formFeed {
            hasBlank = true
        } else if !octet.isControl {
            append(octet)
        }
    }

    /// Whether the octet is white space, which stands for itself in preformatted text.
    private mutating func addPreformatted(_ octet: UInt8) -> Bool {
        let isFirst = isBehindPre
        isBehindPre = isFirst && octet == ASCII.cr
        switch octet {
        // The line end behind the tag is none. WHATWG HTML §13.1.2.5.
        case ASCII.lf: if !isFirst { breakLine() }
        case ASCII.cr: break
        case ASCII.space, ASCII.tab: append(octet)
        default: return false
        }
        return true
    }

    private mutating func append(_ octet: UInt8) {
        if lineEnds > 0 || text.isEmpty {
            endLines()
        } else if hasCellEnd {
            text.append(ASCII.tab)
        } else if hasBlank {
            text.append(ASCII.space)
        }
        forgetBlanks()
        isBehindPre = false
        text.append(octet)
    }

    /// Writes the line ends that waited, and what a line begins with.
    private mutating func endLines() {
        if !text.isEmpty {
            text.append(ASCII.lf)
            let depth = min(emptyLineDepth, quoteDepth, HTMLPlainText.shownDepth)
            for _ in 1..<max(1, lineEnds) {
                text.append(contentsOf: repeatElement(ASCII.greater, count: depth))
                text.append(ASCII.lf)
            }
        }
        lineEnds = 0
        emptyLineDepth = quoteDepth
        let quotes = min(quoteDepth, HTMLPlainText.shownDepth)
        if quotes > 0 {
            text.append(contentsOf: repeatElement(ASCII.greater, count: quotes))
            text.append(ASCII.space)
        }
        let indent = min(lists.count, HTMLPlainText.shownDepth) - (bullet == nil ? 0 : 1)
        text.append(contentsOf: repeatElement(ASCII.space, count: 2 * max(0, indent)))
        if let bullet { text += bullet.utf8 }
        bullet = nil
    }

    // MARK: Tags

    mutating func take(tag name: String, isEnd: Bool) {
        isBehindPre = false
        switch name {
        case "br": breakLine()
        case "td", "th":
            if !isEnd, !text.isEmpty, lineEnds == 0 { hasCellEnd = true }
        case "blockquote": takeQuotation(isEnd: isEnd)
        case "ul", "menu", "dir", "ol": takeList(isNumbered: name == "ol", isEnd: isEnd)
        case "li":
            endBlock()
            bullet = isEnd ? nil : nextBullet()
        case "pre", "xmp", "listing", "textarea":
            endBlock(lines: name == "textarea" ? 1 : 2)
            preformattedDepth = max(0, preformattedDepth + (isEnd ? -1 : 1))
            isBehindPre = !isEnd
        case _ where Self.paragraphs.contains(name): endBlock(lines: 2)
        case _ where Self.blocks.contains(name): endBlock()
        default: break
        }
    }

    private static let paragraphs: Set<String> = [
        "p", "h1", "h2", "h3", "h4", "h5", "h6", "hr", "dl", "fieldset", "figure",
    ]

    private static let blocks: Set<String> = [
        "div", "tr", "table", "thead", "tbody", "tfoot", "caption", "section", "article", "header",
        "footer", "main", "nav", "aside", "address", "center", "form", "dt", "dd", "figcaption",
        "details", "summary", "body", "html", "option", "legend",
    ]

    /// More in a row are left out: each is written once for every quotation that it is in.
    private static let lineEndLimit = 100

    private mutating func breakLine() {
        lineEnds = min(lineEnds + 1, Self.lineEndLimit)
        forgetBlanks()
    }

    /// What follows stands on another line, below `lines - 1` empty ones.
    private mutating func endBlock(lines: Int = 1) {
        lineEnds = max(lineEnds, lines)
        forgetBlanks()
    }

    private mutating func forgetBlanks() {
        hasBlank = false
        hasCellEnd = false
    }

    private mutating func takeQuotation(isEnd: Bool) {
        endBlock(lines: isEnd ? 2 : 1)
        quoteDepth = max(0, quoteDepth + (isEnd ? -1 : 1))
        emptyLineDepth = min(emptyLineDepth, quoteDepth)
    }

    private mutating func takeList(isNumbered: Bool, isEnd: Bool) {
        // A list within a list has no empty lines around it.
        endBlock(lines: lists.count > (isEnd ? 1 : 0) ? 1 : 2)
        if !isEnd {
            lists.append(isNumbered ? 1 : nil)
        } else if !lists.isEmpty {
            lists.removeLast()
        }
        bullet = nil
    }

    private mutating func nextBullet() -> String {
        guard let next = lists.last, let number = next else { return "- " }
        lists[lists.count - 1] = number + 1
        return "\(number). "
    }
}
