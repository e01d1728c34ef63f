import MartletBytes

extension AddressReader {
    /// The only mailbox of `text`, as a person has to write it.
    static func singleMailbox(in text: String) throws(AddressError) -> MailboxAddress {
        guard !hasControlCharacter(text) else {
            throw AddressError(kind: .controlCharacter, text: text)
        }
        return try text.utf8.withFieldOctets { octets in
            var scanner = AddressScanner(octets, keepsEncodedWords: false)
            var tokens: [AddressToken] = []
            var isMalformed = false
            var hasSeveral = false
            while let token = scanner.next() {
                switch token.kind {
                case .comment: continue
                case .stray: isMalformed = true
                case .comma, .semicolon, .colon: hasSeveral = true
                default: break
                }
                tokens.append(token)
            }
            let reader = AddressReader(octets: octets, isTolerant: false)
            return Result { () throws(AddressError) in
                guard !tokens.isEmpty else { throw reader.refuse(.empty) }
                guard !isMalformed else { throw reader.refuse(.malformed) }
                guard !hasSeveral else { throw reader.refuse(.severalAddresses) }
                return try reader.mailbox(tokens[...])
            }
        }.get()
    }

    // mailbox = name-addr / addr-spec ; RFC 5322 §3.4
    private func mailbox(
        _ tokens: ArraySlice<AddressToken>
    ) throws(AddressError) -> MailboxAddress {
        guard let open = tokens.firstIndex(where: { $0.kind == .less }) else {
            return try addrSpec(tokens, displayName: nil)
        }
        guard tokens.last?.kind == .greater,
            tokens[(open + 1)...].dropLast().allSatisfy({ $0.kind != .less && $0.kind != .greater })
        else { throw refuse(.malformed) }
        let name = try displayName(tokens[..<open])
        return try addrSpec(tokens[(open + 1)...].dropLast(), displayName: name)
    }

    // phrase = 1*word / obs-phrase ; RFC 5322 §3.2.5, §4.1
    private func displayName(_ tokens: ArraySlice<AddressToken>) throws(AddressError) -> String? {
        var name: [UInt8] = []
        var end: Int?
        for token in tokens {
            if let end, token.start > end { name.append(ASCII.space) }
            end = token.end
            switch token.kind {
            case .quoted: name += octets.unescaped((token.start + 1)..<(token.end - 1))
            case .atom, .dot: name += octets[token.range]
            default: throw refuse(.malformed)
            }
        }
        return String(decoding: name, as: UTF8.self)
    }
}

/// Makes a mailbox of tokens.
struct AddressReader {
    let octets: FieldOctets
    /// Takes obsolete and damaged forms whose meaning is plain: dots at odd places, white space and comments
    /// anywhere.
    let isTolerant: Bool

    // addr-spec = local-part "@" domain ; RFC 5322 §3.4.1
    func addrSpec(
        _ tokens: ArraySlice<AddressToken>, displayName: String?
    ) throws(AddressError) -> MailboxAddress {
        guard let at = tokens.lastIndex(where: { $0.kind == .at }) else {
            throw refuse(tokens.isEmpty ? .empty : .missingAtSign)
        }
        let nameSize = displayName?.utf8.count ?? 0
        if nameSize <= MailboxAddress.displayNameLimitInOctets, isPlain(tokens, at: at) {
            return MailboxAddress(
                plainLocalPart: octets.text(tokens[tokens.startIndex].start..<tokens[at].start),
                domain: octets.text(tokens[at].end..<tokens[tokens.endIndex - 1].end),
                displayName: displayName)
        }
        let local = try localPart(tokens[..<at])
        let domain = try domain(tokens[(at + 1)...])
        guard let localText = String(validating: local, as: UTF8.self) else {
            throw refuse(.invalidLocalPart)
        }
        guard let domainText = String(validating: domain, as: UTF8.self) else {
            throw refuse(.invalidDomain)
        }
        return try MailboxAddress(
            displayName: displayName, localPart: localText, domain: domainText)
    }

    /// Whether the tokens are ASCII atoms with single dots and nothing between, within the limits of
    /// `MailboxAddress`: what all but a few addresses are. The domain begins behind the token `at`.
    private func isPlain(_ tokens: ArraySlice<AddressToken>, at: Int) -> Bool {
        let labelLimit = 63
        let (first, last) = (tokens.startIndex, tokens.endIndex - 1)
        guard at > first, at < last, tokens[first].kind == .atom, tokens[last].kind == .atom,
            tokens[at].start - tokens[first].start <= MailboxAddress.localPartLimitInOctets,
            tokens[last].end - tokens[at].end <= MailboxAddress.domainLimitInOctets
        else { return false }
        for index in first..<last {
            // Atoms at even places of each side, dots at odd ones.
            let isAtom = (index < at ? index - first : index - at - 1) % 2 == 0
            let kind: AddressToken.Kind = index == at ? .at : isAtom ? .atom : .dot
            guard tokens[index].kind == kind, tokens[index].end == tokens[index + 1].start else {
                return false
            }
        }
        guard tokens[at - 1].kind == .atom else { return false }
        for index in tokens[first].start..<tokens[at].start where octets[index] >= 0x80 {
            return false
        }
        for token in tokens[(at + 1)...] where token.kind == .atom {
            guard token.end - token.start <= labelLimit else { return false }
            for index in token.range where !octets[index].isLabelOctet { return false }
        }
        return true
    }

    // local-part = dot-atom / quoted-string / obs-local-part ; RFC 5322 §3.4.1, §4.4
    private func localPart(_ tokens: ArraySlice<AddressToken>) throws(AddressError) -> [UInt8] {
        var local: [UInt8] = []
        var wordMayFollow = true
        for token in tokens {
            switch token.kind {
            case .comment: continue
            case .dot:
                guard isTolerant || !wordMayFollow else { throw refuse(.invalidLocalPart) }
                local.append(ASCII.dot)
                wordMayFollow = true
            case .atom where wordMayFollow:
                local += octets[token.range]
                wordMayFollow = false
            case .quoted where wordMayFollow:
                local += octets.unescaped((token.start + 1)..<(token.end - 1))
                wordMayFollow = false
            default:
                throw refuse(.invalidLocalPart)
            }
        }
        guard !local.isEmpty, isTolerant || !wordMayFollow else { throw refuse(.invalidLocalPart) }
        return local
    }

    // domain = dot-atom / domain-literal / obs-domain ; RFC 5322 §3.4.1, §4.4
    private func domain(_ tokens: ArraySlice<AddressToken>) throws(AddressError) -> [UInt8] {
        var domain: [UInt8] = []
        var labelMayFollow = true
        var isLiteral = false
        for token in tokens {
            switch token.kind {
            case .comment: continue
            case _ where isLiteral: throw refuse(.invalidDomain)
            case .literal where domain.isEmpty:
                domain = octets[token.range]
                if isTolerant { domain.removeAll { $0 <= ASCII.space } }
                isLiteral = true
            case .dot where !labelMayFollow:
                domain.append(ASCII.dot)
                labelMayFollow = true
            case .atom where labelMayFollow:
                domain += octets[token.range]
                labelMayFollow = false
            default:
                throw refuse(.invalidDomain)
            }
        }
        if isTolerant, domain.last == ASCII.dot { domain.removeLast() }
        return domain
    }

    func refuse(_ kind: AddressError.Kind) -> AddressError { AddressError(kind: kind, text: "") }
}
