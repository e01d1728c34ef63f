import MartletBytes

extension HTMLText {
    /// What `html` says, roughly: tags dropped, blocks on lines of their own, character references decoded.
    static func plainText(of html: String) -> String {
        var html = html
        return html.withUTF8 { octets in
            let octets = UnsafeRawBufferPointer(octets)
            var scanner = HTMLScanner(octets)
            var text = PlainTextWriter()
            while let token = scanner.next() {
                switch token.kind {
                case .text: text.add(octets[token.range])
                case .character(let scalar): text.add(scalar)
                case .tag("br", _): text.breakLine()
                case .tag(let name, _):
                    if PlainTextWriter.blocks.contains(name) { text.endBlock() }
                }
            }
            return text.finish()
        }
    }
}

/// Collects text: white space becomes one blank, blocks become lines, control characters are left out.
private struct PlainTextWriter {
    static let blocks: Set<String> = [
        "p", "div", "tr", "li", "ul", "ol", "table", "blockquote", "h1", "h2", "h3", "h4", "h5",
        "h6", "pre", "hr", "section", "article", "header", "footer",
    ]

    private var text: [UInt8] = []
    private var hasBlank = false

    mutating func add(_ octets: Slice<UnsafeRawBufferPointer>) {
        for octet in octets { add(octet) }
    }

    mutating func add(_ scalar: Unicode.Scalar) {
        // A blank that keeps words together is one that stays.
        if scalar == "\u{A0}" { return append(CollectionOfOne(ASCII.space)) }
        if let octet = UInt8(exactly: scalar.value), octet < 0x80 { return add(octet) }
        if scalar.properties.generalCategory != .control { append(UTF8.encode(scalar)!) }
    }

    private mutating func add(_ octet: UInt8) {
        if octet.isFoldingSpace {
            hasBlank = true
        } else if !octet.isControl {
            append(CollectionOfOne(octet))
        }
    }

    private mutating func append(_ octets: some Collection<UInt8>) {
        if hasBlank, let last = text.last, last != ASCII.lf { text.append(ASCII.space) }
        hasBlank = false
        text += octets
    }

    mutating func breakLine() {
        text.append(ASCII.lf)
        hasBlank = false
    }

    mutating func endBlock() {
        if let last = text.last, last != ASCII.lf { breakLine() }
        hasBlank = false
    }

    func finish() -> String { String(decoding: text, as: UTF8.self) }
}
