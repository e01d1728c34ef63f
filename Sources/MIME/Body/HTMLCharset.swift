import MartletBytes
import MartletText

/// The charset that an HTML text says it is in: `<meta charset=…>` or `<meta http-equiv=… content="…; charset=…">` near its
/// start. WHATWG HTML §13.2.3.2.
enum HTMLCharset {
    /// How far into the text is looked, in octets.
    private static let searchLimit = 4_096

    /// The charset; `nil` if the text names none that is known.
    static func find(in octets: UnsafeRawBufferPointer) -> Charset? {
        let head = UnsafeRawBufferPointer(rebasing: octets.prefix(searchLimit))
        var offset = 0
        while let start = head.firstOffset(of: UInt8(ascii: "<"), from: offset) {
            offset = start + 1
            if head.hasPrefix("<!--", at: start) {
                guard let end = head.firstEnd(of: "-->", from: start + 2) else { return nil }
                offset = end
            } else if head.hasPrefix("<meta", at: start), start + 5 < head.count,
                isSpace(head[start + 5]) || head[start + 5] == UInt8(ascii: "/")
            {
                let end = head.firstOffset(of: UInt8(ascii: ">"), from: start) ?? head.count
                if let charset = charset(in: head[(start + 5)..<end]) { return charset }
                offset = end
            }
        }
        return nil
    }

    /// Both forms have `charset`, blanks, `=`, blanks, and a label that may be quoted.
    private static func charset(in tag: Slice<UnsafeRawBufferPointer>) -> Charset? {
        let tag = UnsafeRawBufferPointer(rebasing: tag)
        var offset = 0
        while let found = tag.firstEnd(of: "charset", from: offset) {
            offset = found
            var rest = tag[found...].drop(while: isSpace)
            guard rest.popFirst() == UInt8(ascii: "=") else { continue }
            rest = rest.drop { isSpace($0) || isQuote($0) }
            let label = rest.prefix {
                !isSpace($0) && !isQuote($0) && $0 != UInt8(ascii: ";") && $0 != UInt8(ascii: "/")
            }
            if let charset = Charset(label: String(decoding: label, as: UTF8.self)) {
                // What could be read so far is not UTF-16, whatever it says.
                return charset.name.hasPrefix("utf-16") ? .utf8 : charset
            }
        }
        return nil
    }

    private static func isSpace(_ octet: UInt8) -> Bool {
        octet.isBlank || octet == ASCII.lf || octet == ASCII.cr || octet == 0x0C
    }

    private static func isQuote(_ octet: UInt8) -> Bool {
        octet == ASCII.quote || octet == UInt8(ascii: "'")
    }
}

extension UnsafeRawBufferPointer {
    /// Whether `text`, in lower case, stands at `offset` in any case.
    fileprivate func hasPrefix(_ text: StaticString, at offset: Int) -> Bool {
        guard offset + text.utf8CodeUnitCount <= count else { return false }
        for index in 0..<text.utf8CodeUnitCount
        where self[offset + index].lowercased != text.utf8Start[index] { return false }
        return true
    }

    /// Behind the first `text` at or after `start`.
    fileprivate func firstEnd(of text: StaticString, from start: Int) -> Int? {
        var offset = start
        while offset + text.utf8CodeUnitCount <= count {
            if hasPrefix(text, at: offset) { return offset + text.utf8CodeUnitCount }
            offset += 1
        }
        return nil
    }
}
