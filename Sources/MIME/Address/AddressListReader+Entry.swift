import MartletBytes

extension AddressListReader {
    /// Reads the entry of these tokens, and more than one where only a comma is missing.
    mutating func readEntries(_ range: Range<Int>) {
        var rest = range
        while !rest.isEmpty {
            guard count < limits.addressCount else {
                return noteLimit(at: tokens[rest.lowerBound].start)
            }
            let end = readEntry(rest)
            if let stray = tokens[rest.lowerBound..<end].first(where: { $0.kind == .stray }) {
                defects.append(Defect(defectKind(of: octets[stray.start]), at: stray.start))
            }
            rest = end..<rest.upperBound
        }
    }

    /// Reads an entry at the start of `range` and says where it ends.
    // mailbox = name-addr / addr-spec ; RFC 5322 §3.4
    private mutating func readEntry(_ range: Range<Int>) -> Int {
        // A bracket that is left over is no entry.
        guard tokens[range].contains(where: { $0.kind != .comment && $0.kind != .greater }) else {
            return range.upperBound
        }
        guard let first = tokens[range].firstIndex(where: { $0.kind == .less }) else {
            readBare(range)
            return range.upperBound
        }
        guard let open = purpose == .sending ? first : openBracket(in: first..<range.upperBound)
        else {
            defects.append(Defect(.invalidAddress, at: tokens[first].start))
            addInvalid(
                range, name: displayName(range.lowerBound..<first),
                address: first..<range.upperBound)
            return range.upperBound
        }
        var nameEnd = open
        while nameEnd > range.lowerBound, tokens[nameEnd - 1].kind == .less { nameEnd -= 1 }
        // angle-addr = [CFWS] "<" addr-spec ">" [CFWS] ; RFC 5322 §3.4
        guard
            let close = tokens[open..<range.upperBound].firstIndex(where: { $0.kind == .greater })
        else {
            defects.append(Defect(.unclosedBracket, at: tokens[open].start))
            readAddrSpec(
                open..<range.upperBound, of: range, name: displayName(range.lowerBound..<nameEnd))
            return range.upperBound
        }
        var end = close + 1
        while end < range.upperBound, tokens[end].kind == .greater || tokens[end].kind == .comment {
            end += 1
        }
        let trailing = end..<range.upperBound
        var name = displayName(range.lowerBound..<nameEnd)
        if trailing.isEmpty {
            readAddrSpec(open..<end, of: range, name: name)
            return end
        }
        defects.append(Defect(.invalidAddress, at: tokens[end].start))
        guard purpose == .showing else {
            addInvalid(range, name: name, address: open..<end)
            return range.upperBound
        }
        if tokens[trailing].contains(where: { $0.kind == .less || $0.kind == .at }) {
            readAddrSpec(open..<end, of: range.lowerBound..<end, name: name)
            return end
        }
        name = name ?? displayName(trailing)
        readAddrSpec(open..<end, of: range, name: name)
        return range.upperBound
    }

    /// The bracket that the address stands in: the first with an `@` behind it, since a name may have brackets too.
    /// `nil` if there are several and no `@` at all.
    private func openBracket(in range: Range<Int>) -> Int? {
        var open = range.lowerBound
        for index in range.dropFirst() {
            if tokens[index].kind == .at { return open }
            if tokens[index].kind == .less { open = index }
        }
        return open == range.lowerBound ? open : nil
    }

    /// Reads an entry without brackets: an address, or a name without one.
    private mutating func readBare(_ range: Range<Int>) {
        // Before the query of a URI is cut off: what is invalid keeps all of its octets.
        let end = tokens[range.upperBound - 1].end
        if let mailbox = mailbox(range, of: range, name: nil) { return add(.mailbox(mailbox)) }
        defects.append(Defect(.invalidAddress, at: tokens[range.lowerBound].start))
        if purpose == .showing, readAmongWords(range) { return }
        let hasAddress = tokens[range].contains { $0.kind == .at }
        let address = hasAddress ? withoutBrackets(range) : range.upperBound..<range.upperBound
        addInvalid(
            range, name: hasAddress ? comment(in: range) : displayName(range), address: address,
            end: end)
    }

    /// Reads the address of an entry, without the brackets, route and scheme around it.
    private mutating func readAddrSpec(_ range: Range<Int>, of entry: Range<Int>, name: String?) {
        let end = tokens[entry.upperBound - 1].end
        if let mailbox = mailbox(range, of: entry, name: name) { return add(.mailbox(mailbox)) }
        defects.append(Defect(.invalidAddress, at: tokens[entry.lowerBound].start))
        addInvalid(
            entry, name: name ?? comment(in: entry), address: withoutBrackets(range), end: end)
    }

    /// The mailbox of an address, with or without brackets, route and scheme around it.
    private mutating func mailbox(
        _ range: Range<Int>, of entry: Range<Int>, name: String?
    ) -> MailboxAddress? {
        let inner = withoutBrackets(range)
        let reader = AddressReader(octets: octets, isTolerant: true)
        // A comment is the name of an address that has no other: "jane@example.org (Jane Doe)".
        let name = name ?? comment(in: entry)
        if let mailbox = try? reader.addrSpec(tokens[inner], displayName: name) { return mailbox }
        guard
            let unquoted = withoutApostrophes(inner, name: name) ?? withoutQuotes(inner, name: name)
        else { return nil }
        defects.append(Defect(.invalidAddress, at: tokens[inner.lowerBound].start))
        return unquoted
    }

    private mutating func withoutBrackets(_ range: Range<Int>) -> Range<Int> {
        var (start, end) = (range.lowerBound, range.upperBound)
        while start < end, tokens[start].kind == .less || tokens[start].kind == .comment {
            start += 1
        }
        while end > start, tokens[end - 1].kind == .greater || tokens[end - 1].kind == .comment {
            end -= 1
        }
        guard start < end else { return start..<end }
        if tokens[start].kind == .at,
            let colon = tokens[start..<end].firstIndex(where: { $0.kind == .colon })
        {
            // obs-route = obs-domain-list ":" ; RFC 5322 §4.4
            return (colon + 1)..<end
        }
        if start + 1 < end, tokens[start + 1].kind == .colon,
            tokens[start].end - tokens[start].start == 6,
            octets.has("mailto", at: tokens[start].start)
        {
            defects.append(Defect(.invalidAddress, at: tokens[start].start))
            return withoutQuery((start + 2)..<end)
        }
        return start..<end
    }

    /// The address of a `mailto:` URI, whose last token may hold `?subject=…`. RFC 6068 §2.
    private mutating func withoutQuery(_ range: Range<Int>) -> Range<Int> {
        for index in range where tokens[index].kind == .atom {
            guard
                let mark = tokens[index].range.first(where: { octets[$0] == UInt8(ascii: "?") }),
                mark > tokens[index].start
            else { continue }
            tokens[index].end = mark
            return range.lowerBound..<(index + 1)
        }
        return range
    }

    /// The address in `'jane@example.org'`, which no domain can end with.
    private func withoutApostrophes(_ range: Range<Int>, name: String?) -> MailboxAddress? {
        let apostrophe = UInt8(ascii: "'")
        guard range.count >= 3 else { return nil }
        var inner = Array(tokens[range])
        let last = inner.count - 1
        guard inner[0].kind == .atom, octets[inner[0].start] == apostrophe,
            inner[last].kind == .atom, octets[inner[last].end - 1] == apostrophe,
            inner[0].end - inner[0].start > 1, inner[last].end - inner[last].start > 1
        else { return nil }
        inner[0].start += 1
        inner[last].end -= 1
        return try? AddressReader(octets: octets, isTolerant: true)
            .addrSpec(inner[...], displayName: name)
    }

    /// The address in `"jane@example.org"`, where nothing else is one.
    private func withoutQuotes(_ range: Range<Int>, name: String?) -> MailboxAddress? {
        guard purpose == .showing, range.count == 1, tokens[range.lowerBound].kind == .quoted else {
            return nil
        }
        let content = tokens[range.lowerBound].range.dropFirst().dropLast()
        guard content.contains(where: { octets[$0] == UInt8(ascii: "@") }),
            let address = try? MailboxAddress(octets.text(content)), address.displayName == nil
        else { return nil }
        return try? MailboxAddress(
            displayName: name, localPart: address.localPart, domain: address.domain)
    }

    // MARK: Invalid entries

    private mutating func addInvalid(
        _ entry: Range<Int>, name: String?, address: Range<Int>, end: Int? = nil
    ) {
        let range = tokens[entry.lowerBound].start..<(end ?? tokens[entry.upperBound - 1].end)
        var shown: String?
        if !address.isEmpty {
            let start = tokens[address.lowerBound].start
            shown = shownText(octets[start..<tokens[address.upperBound - 1].end][...])
        }
        add(.invalid(InvalidAddress(octets: octets[range], displayName: name, address: shown)))
    }

    private func defectKind(of stray: UInt8) -> Defect.Kind {
        switch stray {
        case ASCII.quote: .unclosedQuote
        case UInt8(ascii: "("): .unclosedComment
        case UInt8(ascii: "["): .unclosedBracket
        case _ where stray.isControl: .controlCharacter
        default: .invalidAddress
        }
    }
}
