import MartletBytes
import MartletMIME

/// The structure of a message on a few lines: a line a part, indented, with its kind, its fields' names, its body.
///
///     multipart [Content-Type]
///       leaf [Content-Type] "x"
func outline(_ message: Message) -> String {
    message.parts.map { part in
        let names = part.header.map(\.name).joined(separator: " ")
        var line = String(repeating: "  ", count: part.depth) + "\(part.kind) [\(names)]"
        let text = part.withRawBody { String(decoding: $0, as: UTF8.self) }
        if part.kind == .leaf { line += " " + quoted(text) }
        if part.kind == .multipart {
            let octets = part.octets
            let around = [part.preambleRange, part.epilogueRange]
                .map { quoted(String(decoding: octets[$0], as: UTF8.self)) }
            if around != ["\"\"", "\"\""] { line += " (" + around.joined(separator: " ") + ")" }
        }
        return line
    }.joined(separator: "\n")
}

private func quoted(_ text: String) -> String {
    "\"" + text.unicodeScalars.map { $0 == "\n" ? "\\n" : $0 == "\r" ? "\\r" : String($0) }.joined()
        + "\""
}

/// A message of lines, with LF behind each but the last.
func lines(_ lines: String...) -> Message {
    Message(parsing: Array(lines.joined(separator: "\n").utf8))
}
