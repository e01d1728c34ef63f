import MartletBytes

/// The lines of `text`, with ends of any kind, as `format=flowed`, with CRLF: each line is a paragraph, and `>` in front
/// of it quotes it. RFC 3676.
func flowedLines(_ text: String, delSp: Bool) -> [UInt8] {
    let octets = [UInt8](text.withLineFeeds.utf8)
    var output: [UInt8] = []
    output.reserveCapacity(octets.count + octets.count / 16)
    var start = 0
    while start < octets.count {
        let end = octets[start...].firstIndex(of: ASCII.lf) ?? octets.count
        var line = octets[start..<end].drop { $0 == ASCII.greater }
        let quoteDepth = line.startIndex - start
        if quoteDepth > 0, line.first == ASCII.space { line = line.dropFirst() }
        FlowedLineWriter(depth: quoteDepth, deletesSpaces: delSp).write(line, into: &output)
        start = end + 1
    }
    return output
}
