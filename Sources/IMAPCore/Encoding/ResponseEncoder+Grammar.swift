import MartletBytes
import MartletMIME

extension ResponseEncoder {
    mutating func write(_ text: StaticString) {
        text.withUTF8Buffer { octets += $0 }
    }

    mutating func write(_ text: String) { octets += text.utf8 }

    mutating func number(_ number: UInt64) { octets.append(decimal: number) }

    /// A space and what `body` writes.
    mutating func spaced(_ body: (inout ResponseEncoder) -> Void) {
        octets.append(ASCII.space)
        body(&self)
    }

    /// `(`, elements with spaces between, `)`.
    mutating func parenthesized<Element>(
        _ elements: some Sequence<Element>, _ body: (inout ResponseEncoder, Element) -> Void
    ) {
        octets.append(UInt8(ascii: "("))
        var isFirst = true
        for element in elements {
            if !isFirst { octets.append(ASCII.space) }
            isFirst = false
            body(&self, element)
        }
        octets.append(UInt8(ascii: ")"))
    }

    /// Octets within a line: what would end it is a space.
    mutating func line(_ line: some Sequence<UInt8>) {
        for octet in line { octets.append(octet.isLineBreak || octet == 0 ? ASCII.space : octet) }
    }

    // MARK: Strings

    private static let quotedLimit = 1_000

    /// Whether octets can stand between quotes.
    private func canBeQuoted(_ string: some Collection<UInt8>) -> Bool {
        guard string.count <= Self.quotedLimit else { return false }
        var isASCII = true
        for octet in string {
            if octet.isControl, octet != ASCII.tab { return false }
            if octet >= 0x80 { isASCII = false }
        }
        return isASCII || isUTF8 && String(validating: string, as: UTF8.self) != nil
    }

    mutating func quoted(_ string: some Collection<UInt8>) {
        octets.append(ASCII.quote)
        for octet in string {
            if octet == ASCII.quote || octet == ASCII.backslash { octets.append(ASCII.backslash) }
            octets.append(octet)
        }
        octets.append(ASCII.quote)
    }

    // string = quoted / literal
    mutating func string(_ string: some Collection<UInt8>) {
        if canBeQuoted(string) { quoted(string) } else { literal(string) }
    }

    // literal = "{" number64 "}" CRLF *CHAR8; literal8 where there are NULs
    mutating func literal(_ literal: some Collection<UInt8>) {
        if literal.contains(0) { octets.append(UInt8(ascii: "~")) }
        announce(UInt64(literal.count))
        octets += literal
    }

    private mutating func announce(_ size: UInt64) {
        octets.append(UInt8(ascii: "{"))
        number(size)
        write("}\r\n")
    }

    // nstring = string / nil
    mutating func nstring(_ string: (some Collection<UInt8>)?) {
        if let string { self.string(string) } else { write("NIL") }
    }

    // astring = 1*ASTRING-CHAR / string
    mutating func astring(_ string: some Collection<UInt8>) {
        let isAtom =
            !string.isEmpty && !string.equalsIgnoringCase("NIL".utf8)
            && string.allSatisfy { $0.isAtomOctet || $0 == UInt8(ascii: "]") }
        if isAtom { octets += string } else { self.string(string) }
    }

    /// A word in the code of a status response, where there are no literals.
    mutating func codeString(_ text: String) {
        let word = text.utf8
        let isBare =
            !word.isEmpty
            && word.allSatisfy {
                $0 > ASCII.space && $0 < ASCII.del && $0 != UInt8(ascii: "]") && $0 != ASCII.quote
            }
        if isBare {
            octets += word
        } else {
            quoted(word.map { $0.isControl ? ASCII.space : $0 })
        }
    }

    mutating func mailbox(_ name: MailboxName) { astring(name.octets(isUTF8: isUTF8)) }

    // MARK: Data

    mutating func data(_ data: MessageData) {
        switch data {
        case .nil: write("NIL")
        case .octets(let octets):
            if octets.count < 100 { string(octets) } else { literal(octets) }
        case .detached(let index, let size):
            announce(size)
            detached.append(DetachedMark(index: index, size: size, offset: octets.count))
        }
    }

    // date-time = DQUOTE date-day-fixed "-" date-month "-" date-year SP time SP zone DQUOTE
    mutating func dateTime(_ date: MailDate) {
        // "Mon, 30 Nov 2026 03:22:55 +0100"
        let words = date.text.split(separator: " ")
        guard words.count == 6 else { return write("NIL") }
        let day = words[1].utf8.count == 1 ? " " + words[1] : String(words[1])
        write("\"\(day)-\(words[2])-\(words[3]) \(words[4]) \(words[5])\"")
    }

    // flag-list = "(" [flag *(SP flag)] ")"
    mutating func write(_ flags: [MessageFlag]) {
        parenthesized(flags) { $0.flag($1.rawValue) }
    }

    /// A flag, or another word that begins with a backslash; in quotes where it is too odd.
    mutating func flag(_ rawValue: String) {
        let isWord = rawValue.utf8.allSatisfy {
            $0 > ASCII.space && $0 != ASCII.del && $0 != UInt8(ascii: "(")
                && $0 != UInt8(ascii: ")")
                && $0 != UInt8(ascii: "]") && $0 != ASCII.quote
        }
        if isWord, !rawValue.isEmpty {
            write(rawValue)
        } else {
            quoted(rawValue.utf8.map { $0.isControl ? ASCII.space : $0 })
        }
    }

    mutating func numbers(_ list: MessageNumberList) {
        var isFirst = true
        for run in list.runs {
            if !isFirst { octets.append(UInt8(ascii: ",")) }
            isFirst = false
            number(UInt64(run.first))
            guard run.last != run.first else { continue }
            octets.append(UInt8(ascii: ":"))
            number(UInt64(run.last))
        }
    }

    mutating func extended(_ item: ExtendedItem) {
        astring(item.name.utf8)
        octets.append(ASCII.space)
        octets += item.octets
    }
}
