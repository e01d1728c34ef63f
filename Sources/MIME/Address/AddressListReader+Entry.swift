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
        guard let open = tokens[range].firstIndex(where: { $0.kind == .less }) else {
            readBare(range)
            return range.upperBound
        }
        // angle-addr = [CFWS] "<" addr-spec ">" [CFWS] ; RFC 5322 §3.4
        guard
            let close = tokens[open..<range.upperBound].firstIndex(where: { $0.kind == .greater })
        else {
            defects.append(Defect(.unclosedBracket, at: tokens[open].start))
            readAddrSpec(
                open..<range.upperBound, of: range, name: displayName(range.lowerBound..<open))
            return range.upperBound
        }
        var end = close + 1
        while end < range.upperBound, tokens[end].kind == .greater || tokens[end].kind == .comment {
            end += 1
        }
        let trailing = end..<range.upperBound
        var name = displayName(range.lowerBound..<open)
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

    /// Reads an entry without brackets: an address, or a name without one.
    private mutating func readBare(_ range: Range<Int>) {
        guard tokens[range].contains(where: { $0.kind == .at }) else {
            defects.append(Defect(.invalidAddress, at: tokens[range.lowerBound].start))
            return addInvalid(
                range, name: displayName(range), address: range.upperBound..<range.upperBound)
        }
        // "Jane Doe" jane@example.org: only the brackets are missing.
        let words = tokens[range].prefix { isName($0) || $0.kind == .comment }
        let address = words.endIndex..<range.upperBound
        if purpose == .showing, let last = words.last, !address.isEmpty,
            words.contains(where: isName), tokens[address.lowerBound].kind == .atom,
            tokens[address.lowerBound].start > last.end
        {
            defects.append(Defect(.invalidAddress, at: tokens[address.lowerBound].start))
            return readAddrSpec(
                address, of: range, name: displayName(range.lowerBound..<address.lowerBound))
        }
        readAddrSpec(range, of: range, name: nil)
    }

    /// Whether a token can be nothing but a part of a name where white space follows: it is quoted or encoded.
    private func isName(_ token: AddressToken) -> Bool {
        token.kind == .quoted
            || token.kind == .atom && octets.has("=?", at: token.start)
                && octets.has("?=", at: token.end - 2)
    }

    /// Reads the address of an entry, without the brackets, route and scheme around it.
    private mutating func readAddrSpec(_ range: Range<Int>, of entry: Range<Int>, name: String?) {
        // Before the query of a URI is cut off: what is invalid keeps all of its octets.
        let end = tokens[entry.upperBound - 1].end
        let inner = withoutBrackets(range)
        let reader = AddressReader(octets: octets, isTolerant: true)
        // A comment is the name of an address that has no other: "jane@example.org (Jane Doe)".
        let name = name ?? comment(in: entry)
        if let mailbox = try? reader.addrSpec(tokens[inner], displayName: name) {
            add(.mailbox(mailbox))
        } else if let unquoted = withoutApostrophes(inner, name: name) {
            add(.mailbox(unquoted))
            defects.append(Defect(.invalidAddress, at: tokens[inner.lowerBound].start))
        } else {
            defects.append(Defect(.invalidAddress, at: tokens[entry.lowerBound].start))
            addInvalid(entry, name: name, address: inner, end: end)
        }
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
