import MartletBytes

// Plain text as a caller has it, and as `format=flowed` writes it. RFC 3676.

/// The lines of `text` as `format=flowed`, with CRLF: each line is a paragraph, and `>` in front of it quotes it.
func flowedLines(_ text: String, delSp: Bool) -> [UInt8] {
    let paragraphs = plainLines(of: text).map { line in
        var rest = line.drop { $0 == ASCII.greater }
        let quoteDepth = line.count - rest.count
        if quoteDepth > 0, rest.first == ASCII.space { rest = rest.dropFirst() }
        return FlowedText.Paragraph(String(Substring(rest)), quoteDepth: quoteDepth)
    }
    return FlowedText(paragraphs).encode(deletesSpaces: delSp)
}

/// The lines between CRLF, LF or CR.
func plainLines(of text: String) -> [Substring.UTF8View] {
    var lines: [Substring.UTF8View] = []
    let octets = text.utf8
    var start = octets.startIndex
    var index = start
    while index < octets.endIndex {
        let octet = octets[index]
        let next = octets.index(after: index)
        guard octet == ASCII.cr || octet == ASCII.lf else {
            index = next
            continue
        }
        lines.append(text[start..<index].utf8)
        index = next
        if octet == ASCII.cr, index < octets.endIndex, octets[index] == ASCII.lf {
            index = octets.index(after: index)
        }
        start = index
    }
    if start < octets.endIndex { lines.append(text[start...].utf8) }
    return lines
}
