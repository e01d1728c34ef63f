import MartletBytes

extension ListedMailbox {
    /// What the mailbox is for, such as `.sent`: as the server says (RFC 6154, or XLIST before it), else as guessed.
    public var specialUse: MailboxAttribute? { entry.specialUse ?? guessedUse }
}

extension ListEntry {
    /// What the server says that the mailbox is for; XLIST's words as those of RFC 6154.
    public var specialUse: MailboxAttribute? {
        for attribute in attributes {
            switch attribute {
            case .all, .archive, .drafts, .flagged, .junk, .sent, .trash, .important:
                return attribute
            case .allMail: return .all
            case .spam: return .junk
            case .starred: return .flagged
            default: continue
            }
        }
        return nil
    }

    /// What the mailbox is called within the one that holds it.
    var lastComponent: String {
        let text = name.text
        guard let delimiter else { return text }
        let character = Character(Unicode.Scalar(delimiter))
        return text.split(separator: character).last.map(String.init) ?? text
    }

    /// How many mailboxes stand above it, INBOX not counted: some servers keep all inside of it.
    var depth: Int {
        guard let delimiter else { return 0 }
        let parts = name.text.split(separator: Character(Unicode.Scalar(delimiter)))
        let isInside = parts.count > 1 && parts[0].utf8.equalsIgnoringCase("INBOX".utf8)
        return parts.count - (isInside ? 2 : 1)
    }
}

extension [ListedMailbox] {
    /// QUIRK(special-use-by-name): a server that says of no mailbox what it is for, since it has no SPECIAL-USE or nobody
    /// set it up, leaves it to their names. For each use the uppermost mailbox that is called so is taken.
    package mutating func guessSpecialUses() {
        guard allSatisfy({ $0.entry.specialUse == nil }) else { return }
        var found: [MailboxAttribute: Index] = [:]
        for index in indices {
            let entry = self[index].entry
            guard entry.name != .inbox, !entry.attributes.contains(.noSelect),
                !entry.attributes.contains(.nonExistent),
                let use = SpecialUseNames.uses[entry.lastComponent.lowercased()]
            else { continue }
            if let other = found[use], self[other].entry.depth <= entry.depth { continue }
            found[use] = index
        }
        for (use, index) in found { self[index].guessedUse = use }
    }
}
