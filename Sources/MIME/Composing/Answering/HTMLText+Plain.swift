import MartletBytes

extension HTMLText {
    /// What `html` says, roughly: tags dropped, blocks on lines of their own, the common references decoded.
    static func plainText(of html: String) -> String {
        let octets = [UInt8](html.utf8)
        var scanner = HTMLScanner(octets)
        var text = PlainTextWriter()
        // The text of these is no text.
        let hidden: Set<String> = ["style", "script", "title", "head", "template"]
        var hiddenBy: String?
        while let token = scanner.next() {
            switch token.kind {
            case .text where hiddenBy == nil: text.add(octets[token.range])
            case .tag(let name, let isEnd):
                if hiddenBy == nil, hidden.contains(name), !isEnd { hiddenBy = name }
                // A head that nobody ends is ended by the body.
                if (isEnd && name == hiddenBy) || name == "body" { hiddenBy = nil }
                if name == "br" { text.breakLine() }
                if PlainTextWriter.blocks.contains(name) { text.endBlock() }
            default: break
            }
        }
        return text.finish()
    }
}

/// Collects text: white space becomes one blank, blocks become lines.
private struct PlainTextWriter {
    static let blocks: Set<String> = [
        "p", "div", "tr", "li", "ul", "ol", "table", "blockquote", "h1", "h2", "h3", "h4", "h5",
        "h6",
        "pre", "hr", "section", "article", "header", "footer",
    ]

    private var text: [UInt8] = []
    private var hasBlank = false

    mutating func add(_ octets: ArraySlice<UInt8>) {
        var index = octets.startIndex
        while index < octets.endIndex {
            let octet = octets[index]
            if octet.isBlank || octet == ASCII.lf || octet == ASCII.cr {
                hasBlank = true
                index += 1
                continue
            }
            if hasBlank, let last = text.last, last != ASCII.lf { text.append(ASCII.space) }
            hasBlank = false
            guard octet == UInt8(ascii: "&"), let (decoded, end) = Self.reference(octets[index...])
            else {
                text.append(octet)
                index += 1
                continue
            }
            text += decoded.utf8
            index = end
        }
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

    /// `&name;`, `&#number;` or `&#xnumber;`, of the few that plain text is written with.
    private static func reference(_ octets: ArraySlice<UInt8>) -> (Character, Int)? {
        let limit = 10
        let body = octets.dropFirst().prefix(limit).prefix { $0 != UInt8(ascii: ";") }
        guard body.endIndex < octets.endIndex, octets[body.endIndex] == UInt8(ascii: ";")
        else { return nil }
        let name = String(decoding: body, as: UTF8.self)
        let named: [String: Character] = [
            "amp": "&", "lt": "<", "gt": ">", "quot": "\"", "apos": "'", "nbsp": " ",
        ]
        if let character = named[name] { return (character, body.endIndex + 1) }
        guard name.hasPrefix("#") else { return nil }
        let digits = name.dropFirst()
        let isHex = digits.first == "x" || digits.first == "X"
        let number = isHex ? UInt32(digits.dropFirst(), radix: 16) : UInt32(digits)
        guard let number, number >= 0x20, number != 0x7F, let scalar = Unicode.Scalar(number)
        else { return nil }
        return (Character(scalar), body.endIndex + 1)
    }
}
