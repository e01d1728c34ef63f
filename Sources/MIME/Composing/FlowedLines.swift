import MartletBytes

/// `text` as `format=flowed` lines with CRLF. RFC 3676 §4.
func flowedLines(_ text: String, delSp: Bool) -> [UInt8] {
    canonicalLines(text.utf8)
}
