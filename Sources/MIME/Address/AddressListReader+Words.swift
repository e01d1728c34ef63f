import MartletBytes

extension AddressListReader {
    /// Reads addresses without brackets that stand among words: `Jane Doe jane@example.org`,
    /// `a@example.org b@example.org`, `jane@example.org (Jane`. `false`, and nothing was read, if there is none, or
    /// anything that is neither.
    ///
    /// The words before an address are its name; those behind the last one are, if nothing else is.
    mutating func readAmongWords(_ range: Range<Int>) -> Bool {
        guard let addresses = addresses(amongWords: range) else { return false }
        for (place, address) in addresses.enumerated() {
            guard count < limits.addressCount else {
                noteLimit(at: tokens[address.lowerBound].start)
                break
            }
            let before = (place == 0 ? range.lowerBound : addresses[place - 1].upperBound)
            var name = self.name(before..<address.lowerBound)
            if name == nil, place == addresses.count - 1 {
                let behind = address.upperBound..<range.upperBound
                name = addresses.count == 1 ? self.name(behind) ?? comment(in: range) : nil
            }
            let reader = AddressReader(octets: octets, isTolerant: true)
            if let mailbox = try? reader.addrSpec(tokens[address], displayName: name) {
                add(.mailbox(mailbox))
            }
        }
        return true
    }

    /// Where the addresses are, each of atoms and dots without anything between.
    private func addresses(amongWords range: Range<Int>) -> [Range<Int>]? {
        var addresses: [Range<Int>] = []
        var rest = range
        while let at = tokens[rest].firstIndex(where: { $0.kind == .at }) {
            var (start, end) = (at, at + 1)
            while start > rest.lowerBound, tokens[start - 1].isPartOfAddress,
                tokens[start - 1].end == tokens[start].start
            { start -= 1 }
            while end < range.upperBound, tokens[end].isPartOfAddress,
                tokens[end].start == tokens[end - 1].end
            { end += 1 }
            let reader = AddressReader(octets: octets, isTolerant: true)
            guard isApart(start, in: range), end == range.upperBound || isApart(end, in: range),
                (try? reader.addrSpec(tokens[start..<end], displayName: nil)) != nil
            else { return nil }
            addresses.append(start..<end)
            rest = end..<range.upperBound
        }
        let hasSigns = tokens[range].contains { token in
            switch token.kind {
            case .stray: !isHalf(token)
            case .comma, .colon, .less, .literal: true
            default: false
            }
        }
        return addresses.isEmpty || hasSigns ? nil : addresses
    }

    /// Whether the token at `index` is not glued to the one before it, unless one is no word.
    private func isApart(_ index: Int, in range: Range<Int>) -> Bool {
        guard index > range.lowerBound else { return true }
        let (before, token) = (tokens[index - 1], tokens[index])
        return before.end < token.start || !before.isWord || !token.isWord
    }

    /// Whether a stray token is one of a pair, such as a quote that nothing closes.
    private func isHalf(_ token: AddressToken) -> Bool {
        let octet = octets[token.start]
        return octet == ASCII.quote || octet == UInt8(ascii: "(") || octet == UInt8(ascii: ")")
    }

    /// The name that words make, without signs and half pairs at its ends; `nil` for signs alone.
    private mutating func name(_ range: Range<Int>) -> String? {
        var range = range
        while let first = range.first, isSign(tokens[first]) { range.removeFirst() }
        while let last = range.last, isSign(tokens[last]) { range.removeLast() }
        return displayName(range)
    }

    /// Whether a token says nothing by itself, such as `(`, `/` or `->`.
    private func isSign(_ token: AddressToken) -> Bool {
        guard token.kind == .atom else { return !token.isWord }
        return !token.range.contains { index in
            let octet = octets[index]
            return octet.isLetter || octet.isDigit || octet >= 0x80 || octet == UInt8(ascii: "?")
        }
    }
}

extension AddressToken {
    fileprivate var isPartOfAddress: Bool { kind == .atom || kind == .dot }
    /// Whether it may be a part of a name.
    fileprivate var isWord: Bool { kind == .atom || kind == .dot || kind == .quoted || kind == .at }
}
