import MartletIMAPCore

/// What is done with mailboxes.
extension MailSystem {
    /// Makes a mailbox, and those around it that are missing.
    func create(
        _ name: MailboxName, uses: [MailboxAttribute], of address: String
    ) throws(MailProblem) -> ObjectID {
        let name = try Self.checked(name)
        let account = account(address)
        if account[name] != nil { throw .exists }
        let missing = name.withParents.filter { account[$0] == nil }
        guard account.mailboxes.count + missing.count <= Account.mailboxLimit else {
            throw MailProblem(.limit, "There are too many mailboxes")
        }
        if let taken = uses.first(where: { use in
            account.mailboxes.values.contains { $0.uses.contains(use) }
        }) {
            throw MailProblem(.useAttribute, "There is a mailbox for \(taken) already")
        }
        var made: [Mailbox] = []
        for missing in missing {
            let mailbox = makeMailbox(missing, uses: missing == name ? uses : [])
            try keeper?.create(mailbox, of: address)
            made.append(mailbox)
        }
        change(address) { account in for mailbox in made { account[mailbox.name] = mailbox } }
        return made.last?.mailboxID ?? ObjectID("")
    }

    /// Removes a mailbox with all its messages.
    func delete(_ name: MailboxName, of address: String) throws(MailProblem) {
        guard name != .inbox else { throw MailProblem(.cannot, "INBOX stays") }
        let account = account(address)
        guard let mailbox = account[name] else { throw .noMailbox }
        guard account.names(below: name).isEmpty else {
            throw MailProblem(.hasChildren, "There are mailboxes inside of it")
        }
        try keeper?.delete(name, of: address)
        change(address) { account in account[name] = nil }
        for message in mailbox.messages { forget(message.content) }
    }

    /// Gives a mailbox and those inside of it another name; INBOX only loses its messages to the new one.
    func rename(
        _ name: MailboxName, to newName: MailboxName, of address: String
    ) async throws(MailProblem) {
        let newName = try Self.checked(newName)
        let account = account(address)
        guard let mailbox = account[name] else { throw .noMailbox }
        if account[newName] != nil { throw .exists }
        if name == .inbox {
            _ = try create(newName, uses: [], of: address)
            _ = try await copy(
                UIDSet(mailbox.messages.map(\.uid)), from: .inbox, to: newName, of: address,
                moving: true)
            return
        }
        guard !newName.text.utf8.starts(with: (name.text + "/").utf8) else {
            throw MailProblem(.cannot, "A mailbox cannot go into itself")
        }
        var renamed: [(old: MailboxName, new: MailboxName)] = [(name, newName)]
        for below in account.names(below: name) {
            let text = newName.text + below.text.dropFirst(name.text.count)
            guard let new = try? MailboxName(text) else {
                throw MailProblem(.cannot, "A name would be too long")
            }
            if account[new] != nil { throw .exists }
            renamed.append((below, try Self.checked(new)))
        }
        if let parent = newName.parent(separatedBy: "/"), account[parent] == nil {
            _ = try create(parent, uses: [], of: address)
        }
        if let keeper {
            for (old, new) in renamed { try keeper.rename(old, to: new, of: address) }
        }
        change(address) { account in
            for (old, new) in renamed {
                guard let mailbox = account[old] else { continue }
                account[old] = nil
                account[new] = mailbox.renamed(new)
                if account.subscriptions.remove(old) != nil { account.subscriptions.insert(new) }
            }
        }
    }

    /// Sets whether the user wants to see a mailbox.
    func subscribe(_ name: MailboxName, _ isWanted: Bool, of address: String) throws(MailProblem) {
        if isWanted, account(address).subscriptions.count >= Account.mailboxLimit {
            throw MailProblem(.limit, "There are too many subscriptions")
        }
        change(address) { account in
            if isWanted {
                account.subscriptions.insert(name)
            } else {
                account.subscriptions.remove(name)
            }
        }
    }

    /// A name that a mailbox can have here; one with the delimiter at its end is that without it. RFC 9051 §6.3.4.
    static func checked(_ name: MailboxName) throws(MailProblem) -> MailboxName {
        var text = name.text
        if text.utf8.last == Account.delimiter { text.removeLast() }
        let levels = text.split(separator: "/", omittingEmptySubsequences: false)
        guard !levels.contains(where: { $0.isEmpty || $0 == "." || $0 == ".." }),
            levels.count <= Account.levelLimit,
            !text.unicodeScalars.contains(where: { $0.value < 0x20 || $0.value == 0x7F }),
            let checked = try? MailboxName(text)
        else {
            throw MailProblem(
                .cannot,
                "A name has up to \(Account.levelLimit) levels, none of them empty, . or ..")
        }
        return checked
    }
}

extension MailboxName {
    /// The names of the mailboxes around this one, from the outermost, and its own.
    var withParents: [MailboxName] {
        var names = [self]
        while let parent = names[0].parent(separatedBy: "/") { names.insert(parent, at: 0) }
        return names
    }
}
