import MartletBytes

extension AddressScanner {
    /// The only mailbox of `text`.
    static func singleMailbox(in text: String) throws(AddressError) -> MailboxAddress {
        func refuse(_ kind: AddressError.Kind) -> AddressError {
            AddressError(kind: kind, text: text)
        }
        guard !hasControlCharacter(text) else { throw refuse(.controlCharacter) }
        var scanner = AddressScanner(Array(text.utf8))
        let tokens = scanner.tokens()
        guard !tokens.isEmpty else { throw refuse(.empty) }
        guard !tokens.contains(where: { $0.kind == .stray }) else { throw refuse(.malformed) }
        guard !tokens.contains(where: { $0.isSign(",") || $0.isSign(";") || $0.isSign(":") }) else {
            throw refuse(.severalAddresses)
        }
        return try AddressReader(octets: scanner.octets, isTolerant: false).mailbox(tokens[...])
    }
}

/// Makes a mailbox of tokens.
struct AddressReader {
    let octets: [UInt8]
    /// Takes obsolete and damaged forms whose meaning is plain: routes, dots at odd places, any
    /// characters in a display name.
    let isTolerant: Bool

    // mailbox = name-addr / addr-spec ; RFC 5322 §3.4
    func mailbox(_ tokens: ArraySlice<AddressToken>) throws(AddressError) -> MailboxAddress {
        guard let open = tokens.firstIndex(where: { $0.isSign("<") }) else {
            return try addrSpec(tokens, displayName: nil)
        }
        guard let last = tokens.last, last.isSign(">"),
            tokens[(open + 1)...].dropLast().allSatisfy({ !$0.isSign("<") && !$0.isSign(">") })
        else { throw refuse(.malformed) }
        let name = try displayName(tokens[..<open])
        var inner = tokens[(open + 1)...].dropLast()
        // angle-addr = "<" [obs-route ":"] addr-spec ">" ; RFC 5322 §4.4
        if isTolerant, let first = inner.first, first.isSign("@"),
            let colon = inner.firstIndex(where: { $0.isSign(":") })
        {
            inner = inner[(colon + 1)...]
        }
        return try addrSpec(inner, displayName: name)
    }

    // phrase = 1*word / obs-phrase ; RFC 5322 §3.2.5, §4.1
    private func displayName(_ tokens: ArraySlice<AddressToken>) throws(AddressError) -> String? {
        var name: [UInt8] = []
        var end: Int?
        for token in tokens {
            if let end, token.range.lowerBound > end { name.append(ASCII.space) }
            end = token.range.upperBound
            switch token.kind {
            case .quoted: name += unquoted(token.range)
            case .atom, .sign(ASCII.dot): name += octets[token.range]
            default:
                guard isTolerant else { throw refuse(.malformed) }
                name += octets[token.range]
            }
        }
        if isTolerant {
            // Damaged names are shown as well as possible: the address counts.
            name = name.prefix(MailboxAddress.displayNameLimitInOctets / 3)
                .map { $0.isControl ? ASCII.space : $0 }
        }
        let text = String(decoding: name, as: UTF8.self)
        return isTolerant && hasControlCharacter(text) ? nil : text
    }

    // addr-spec = local-part "@" domain ; RFC 5322 §3.4.1
    private func addrSpec(
        _ tokens: ArraySlice<AddressToken>, displayName: String?
    ) throws(AddressError) -> MailboxAddress {
        guard let at = tokens.lastIndex(where: { $0.isSign("@") }) else {
            throw refuse(tokens.isEmpty ? .empty : .missingAtSign)
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

    // local-part = dot-atom / quoted-string / obs-local-part ; RFC 5322 §3.4.1, §4.4
    private func localPart(_ tokens: ArraySlice<AddressToken>) throws(AddressError) -> [UInt8] {
        var local: [UInt8] = []
        var wordMayFollow = true
        for token in tokens {
            switch token.kind {
            case .sign(ASCII.dot):
                guard isTolerant || !wordMayFollow else { throw refuse(.invalidLocalPart) }
                local.append(ASCII.dot)
                wordMayFollow = true
            case .atom where wordMayFollow:
                local += octets[token.range]
                wordMayFollow = false
            case .quoted where wordMayFollow:
                local += unquoted(token.range)
                wordMayFollow = false
            default:
                throw refuse(.invalidLocalPart)
            }
        }
        guard !tokens.isEmpty, isTolerant || !wordMayFollow else { throw refuse(.invalidLocalPart) }
        return local
    }

    // domain = dot-atom / domain-literal / obs-domain ; RFC 5322 §3.4.1, §4.4
    private func domain(_ tokens: ArraySlice<AddressToken>) throws(AddressError) -> [UInt8] {
        if tokens.count == 1, let only = tokens.first, only.kind == .literal {
            let literal = octets[only.range]
            return isTolerant ? literal.filter { $0 > ASCII.space } : Array(literal)
        }
        var domain: [UInt8] = []
        var labelMayFollow = true
        for token in tokens {
            switch token.kind {
            case .sign(ASCII.dot) where !labelMayFollow:
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

    /// The content of the quoted string at `range`: no quotes, no backslashes, no folding.
    private func unquoted(_ range: Range<Int>) -> [UInt8] {
        var content: [UInt8] = []
        var isEscaped = false
        for octet in octets[range].dropFirst().dropLast() {
            if octet == ASCII.backslash, !isEscaped {
                isEscaped = true
                continue
            }
            if isEscaped || (octet != ASCII.cr && octet != ASCII.lf) { content.append(octet) }
            isEscaped = false
        }
        return content
    }

    private func refuse(_ kind: AddressError.Kind) -> AddressError {
        AddressError(kind: kind, text: "")
    }
}
