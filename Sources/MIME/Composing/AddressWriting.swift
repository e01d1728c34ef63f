import MartletBytes

extension HeaderWriter {
    /// An atom longer than this makes a name encoded words, so that it can be folded.
    private static let atomLimit = 200
    /// A name longer than this does not fit a line of its own.
    private static let wholeNameLimit = 76

    /// Writes a field of mailboxes and groups, their domains as they shall stand. RFC 5322 §3.4, §3.6.2,
    /// §3.6.3.
    mutating func field(
        _ name: String, mailboxes: [MailboxAddress], groups: [MailboxGroup] = []
    ) throws(CompositionError) {
        begin(name)
        for (index, mailbox) in mailboxes.enumerated() {
            let isLast = index == mailboxes.count - 1 && groups.isEmpty
            self.mailbox(mailbox, endedBy: isLast ? "" : ",")
        }
        for (index, group) in groups.enumerated() {
            self.group(group, endedBy: index == groups.count - 1 ? ";" : ";,")
        }
        try end()
    }

    // name-addr / addr-spec ; RFC 5322 §3.4
    private mutating func mailbox(_ mailbox: MailboxAddress, endedBy sign: StaticString) {
        var address: [UInt8] = []
        address.reserveCapacity(mailbox.localPart.utf8.count + mailbox.domain.utf8.count + 8)
        if let displayName = mailbox.displayName {
            phrase(displayName)
            address.append(ASCII.less)
            address += mailbox.addrSpec.utf8
            address.append(ASCII.greater)
        } else {
            address += mailbox.addrSpec.utf8
        }
        sign.withUTF8Buffer { address += $0 }
        word(address)
    }

    // group = display-name ":" [group-list] ";" ; RFC 5322 §3.4
    private mutating func group(_ group: MailboxGroup, endedBy sign: StaticString) {
        let isEmpty = group.members.isEmpty
        phrase(group.name, endedBy: ":" + (isEmpty ? "\(sign)" : ""))
        for (index, mailbox) in group.members.enumerated() {
            self.mailbox(mailbox, endedBy: index == group.members.count - 1 ? sign : ",")
        }
    }

    /// Writes a display name or another phrase: atoms, a quoted string, or encoded words. RFC 5322 §3.2.5,
    /// RFC 2047 §5.
    ///
    /// - Parameter sign: what comes right behind it; behind a blank if the last word is an encoded one, which
    ///   white space has to end.
    mutating func phrase(_ name: String, endedBy sign: String = "") {
        let octets = Array(name.utf8)
        let isASCII = octets.allSatisfy { $0 >= ASCII.space && $0 < ASCII.del }
        guard isASCII, !containsEncodedWordStart(octets) else {
            encodedPhrase(octets, endedBy: sign)
            return
        }
        let isAtoms = isPhraseOfAtoms(name)
        let text = (isAtoms ? name : quotedString(name)) + sign
        if text.utf8.count <= Self.wholeNameLimit {
            word(text.utf8)
            return
        }
        let atoms = text.utf8.split(separator: ASCII.space)
        // There are readers to whom a fold inside of quotes is part of the name.
        guard isAtoms, atoms.allSatisfy({ $0.count <= Self.atomLimit }) else {
            encodedPhrase(octets, endedBy: sign)
            return
        }
        for atom in atoms { word(atom) }
    }

    private mutating func encodedPhrase(_ name: [UInt8], endedBy sign: String) {
        encodedWords(name[...])
        if !sign.isEmpty { word(sign.utf8) }
    }
}

/// Whether `=?` is in `octets`: what readers may take for an encoded word wherever it stands.
func containsEncodedWordStart(_ octets: [UInt8]) -> Bool {
    guard octets.count > 1 else { return false }
    for index in 1..<octets.count
    where octets[index] == UInt8(ascii: "?") && octets[index - 1] == ASCII.equals { return true }
    return false
}
