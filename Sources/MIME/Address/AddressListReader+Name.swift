import MartletBytes

extension AddressListReader {
    /// The name that these tokens make, decoded; `nil` if there is none.
    // display-name = phrase ; RFC 5322 §3.4
    mutating func displayName(_ range: Range<Int>) -> String? {
        guard let first = tokens[range].firstIndex(where: { $0.kind != .comment }),
            let last = tokens[range].lastIndex(where: { $0.kind != .comment })
        else { return nil }
        if first == last, tokens[first].kind == .quoted {
            let content = (tokens[first].start + 1)..<(tokens[first].end - 1)
            if isPlain(content, allowsSpecials: true) { return octets.text(content).nonEmpty }
        }
        let region = tokens[first].start..<tokens[last].end
        if isPlain(region, allowsSpecials: false) { return octets.text(region) }
        let phrase = HeaderText.decodePhrase(
            UnsafeRawBufferPointer(octets.buffer(region)), limits: limits)
        return name(phrase, at: region.lowerBound)
    }

    /// What the first comment behind the address says, or the first one of all.
    mutating func comment(in range: Range<Int>) -> String? {
        guard let first = tokens[range].firstIndex(where: { $0.kind == .comment }) else {
            return nil
        }
        let lastWord = tokens[range].lastIndex { $0.kind != .comment } ?? range.lowerBound
        let comment = tokens[lastWord < range.upperBound - 1 ? max(first, lastWord + 1) : first]
        let content = (comment.start + 1)..<(comment.end - 1)
        if isPlain(octets.trimmed(content), allowsSpecials: false) {
            return octets.text(octets.trimmed(content)).nonEmpty
        }
        let text = HeaderText.decodeComment(octets[content][...], limits: limits)
        return name(text, at: content.lowerBound)
    }

    /// Whether the octets are their own text: printable ASCII, single spaces, no encoded word, nothing to
    /// be unquoted.
    private func isPlain(_ range: Range<Int>, allowsSpecials: Bool) -> Bool {
        guard range.count <= MailboxAddress.displayNameLimitInOctets else { return false }
        var previous: UInt8 = ASCII.space
        for index in range {
            let octet = octets[index]
            guard octet >= ASCII.space, octet < ASCII.del, octet != ASCII.backslash else {
                return false
            }
            if octet == ASCII.space, previous == ASCII.space { return false }
            if octet == UInt8(ascii: "?"), previous == ASCII.equals { return false }
            if !allowsSpecials, octet == ASCII.quote || octet == UInt8(ascii: "(") { return false }
            previous = octet
        }
        return true
    }

    /// A decoded name within its limit, from octets at `offset`.
    private mutating func name(_ parsed: Parsed<String>, at offset: Int) -> String? {
        defects += parsed.defects.lazy.map { $0.moved(by: offset) }
        var name = withoutControlCharacters(parsed.value, replacement: " ")
        if name.utf8.count > MailboxAddress.displayNameLimitInOctets {
            var end = name.utf8.index(
                name.startIndex, offsetBy: MailboxAddress.displayNameLimitInOctets)
            while end.samePosition(in: name.unicodeScalars) == nil {
                name.utf8.formIndex(before: &end)
            }
            name = String(name[..<end])
            defects.append(
                Defect(.limitReached, at: offset, limit: "displayNameLimitInOctets"))
        }
        return name.nonEmpty
    }
}

extension String {
    /// `nil` instead of an empty text.
    var nonEmpty: String? { isEmpty ? nil : self }
}
