import MartletBytes

/// `text` as `format=flowed` lines with CRLF. RFC 3676 §4.
func flowedLines(_ text: String, delSp: Bool) -> [UInt8] {
    canonicalLines(text.utf8)
}

/// The paragraphs of a `format=flowed` text, one a line, with their marks of quotation. RFC 3676 §4.
func flowedParagraphs(_ text: String, delSp: Bool) -> String {
    text
}
