import MartletBytes

extension IMAPCursor {
    /// `(`, elements with spaces between, `)`. No elements are fine.
    ///
    /// - Parameter element: reads one; it must read something or throw.
    package mutating func list(
        _ element: (inout IMAPCursor) throws(ParseFailure) -> Void
    ) throws(ParseFailure) {
        try expect(UInt8(ascii: "("), "\"(\"")
        try elements(until: UInt8(ascii: ")"), element)
    }

    /// Elements with spaces between, and what ends them.
    mutating func elements(
        until close: UInt8, _ element: (inout IMAPCursor) throws(ParseFailure) -> Void
    ) throws(ParseFailure) {
        while true {
            if isStrict { _ = takeIfPresent(ASCII.space) } else { skipSpaces() }
            if takeIfPresent(close) { return }
            let before = index
            try element(&self)
            guard index > before else { throw failure("another element") }
        }
    }

    /// Elements to the end.
    mutating func elementsToEnd(
        _ element: (inout IMAPCursor) throws(ParseFailure) -> Void
    ) throws(ParseFailure) {
        while true {
            skipSpaces()
            if isAtEnd { return }
            let before = index
            try element(&self)
            guard index > before else { throw failure("another element") }
        }
    }

    // flag-list = "(" [flag *(SP flag)] ")"
    /// Flags. From a server, anything without blanks and parentheses is one.
    package mutating func flagList() throws(ParseFailure) -> [MessageFlag] {
        if !isStrict, nilIfPresent() { return [] }
        var flags: [MessageFlag] = []
        flags.reserveCapacity(2)
        try list { cursor throws(ParseFailure) in flags.append(try cursor.flag()) }
        return flags
    }

    // flag = "\Answered" / … / flag-keyword / flag-extension; flag-perm = flag / "\*"
    /// A flag.
    package mutating func flag() throws(ParseFailure) -> MessageFlag {
        if isStrict {
            let start = index
            _ = takeIfPresent(ASCII.backslash)
            _ = try atom()
            return MessageFlag(wire: octets[start..<index])
        }
        if let flag = systemFlagIfPresent() { return flag }
        if next == ASCII.quote { return MessageFlag(wire: try quoted()) }
        let word = looseWord()
        guard !word.isEmpty else { throw failure("flag") }
        return MessageFlag(wire: word)
    }

    /// One of the flags that most messages have: no memory has to be looked for.
    private mutating func systemFlagIfPresent() -> MessageFlag? {
        guard has(ASCII.backslash, at: 0), end - index > 1 else { return nil }
        switch octets[index + 1].uppercased {
        case UInt8(ascii: "S"): return wordIfPresent("\\SEEN") ? .seen : nil
        case UInt8(ascii: "A"): return wordIfPresent("\\ANSWERED") ? .answered : nil
        case UInt8(ascii: "F"): return wordIfPresent("\\FLAGGED") ? .flagged : nil
        case UInt8(ascii: "R"): return wordIfPresent("\\RECENT") ? .recent : nil
        case UInt8(ascii: "D"):
            return wordIfPresent("\\DELETED") ? .deleted : wordIfPresent("\\DRAFT") ? .draft : nil
        default: return nil
        }
    }

    /// Octets up to a space, a parenthesis or a closing bracket.
    mutating func looseWord() -> ArraySlice<UInt8> {
        prefix {
            $0 > ASCII.space && $0 != UInt8(ascii: "(") && $0 != UInt8(ascii: ")")
                && $0 != UInt8(ascii: "]")
        }
    }

    // capability = ("AUTH=" auth-type) / atom
    /// A capability.
    mutating func capability() throws(ParseFailure) -> Capability {
        let word = looseWord()
        guard !word.isEmpty else { throw failure("capability") }
        return Capability(word.text)
    }

    /// Capabilities to the end.
    mutating func capabilities() throws(ParseFailure) -> [Capability] {
        var capabilities: [Capability] = []
        try elementsToEnd { cursor throws(ParseFailure) in
            // Brackets and parentheses do not belong here; the others do not suffer.
            if let word = try? cursor.capability() { return capabilities.append(word) }
            cursor.index += 1
        }
        return capabilities
    }

    // mailbox = "INBOX" / astring
    /// The name of a mailbox.
    package mutating func mailbox() throws(ParseFailure) -> MailboxName {
        MailboxName(wire: try astring(), isUTF8: isUTF8)
    }

    /// The name of a mailbox that stands before `stop`, or at the end where that is `nil`.
    mutating func mailbox(before stop: UInt8?) throws(ParseFailure) -> MailboxName {
        MailboxName(wire: try name(before: stop), isUTF8: isUTF8)
    }

    /// A name that stands before `stop`, or at the end where that is `nil`.
    ///
    /// QUIRK(unquoted-mailbox-name): names with spaces and other odd octets, without quotes.
    mutating func name(before stop: UInt8?) throws(ParseFailure) -> ArraySlice<UInt8> {
        let start = index
        if let name = try? astring() {
            let behind = index
            skipSpaces()
            if isAtEnd || stop != nil && next == stop {
                index = behind
                return name
            }
        }
        index = start
        guard next != ASCII.quote, !isAtLiteral else { return try astring() }
        var close = end
        if let stop {
            guard let last = octets[index..<end].lastIndex(of: stop) else {
                throw failure("mailbox")
            }
            close = last
        }
        while close > index, octets[close - 1] == ASCII.space { close -= 1 }
        guard close > index else { throw failure("mailbox") }
        defer { index = close }
        return octets[index..<close]
    }

    /// `"` QUOTED-CHAR `"` or `NIL`: what stands between the levels of a name.
    ///
    /// QUIRK(unescaped-delimiter): `"\"` for a backslash.
    mutating func delimiter() throws(ParseFailure) -> UInt8? {
        if has(ASCII.quote, at: 0), has(ASCII.backslash, at: 1), has(ASCII.quote, at: 2),
            !has(ASCII.quote, at: 3)
        {
            index += 3
            return ASCII.backslash
        }
        guard let text = try nstring() else { return nil }
        return text.first
    }

    /// A name and its value, neither of which is known here.
    mutating func extendedItem() throws(ParseFailure) -> ExtendedItem {
        let name = try astring().text
        skipSpaces()
        guard let value = anyValue() else { throw failure("tagged-ext-val") }
        return ExtendedItem(name: name, octets: Array(value))
    }
}
