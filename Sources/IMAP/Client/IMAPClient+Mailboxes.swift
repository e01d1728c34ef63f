import MartletIMAPCore

extension IMAPClient {
    // MARK: Lists

    /// The mailboxes, with their attributes, and their numbers where asked for, in as few round trips as the server allows:
    /// one with LIST-EXTENDED and LIST-STATUS.
    ///
    /// - Parameters:
    ///   - pattern: which, by name: `*` stands for anything, `%` for anything but the delimiter.
    ///   - subscribedOnly: those that the user has subscribed to; some of them may exist no more.
    ///   - status: what to ask of each; what the server does not know is left out.
    /// - Returns: each with what it is for (`specialUse`); where the server does not say that of any, and all were asked for,
    ///   by their names in the usual languages.
    public func mailboxes(
        _ pattern: MailboxPattern = .all, subscribedOnly: Bool = false, status: Set<StatusItem> = []
    ) async throws(IMAPError) -> [ListedMailbox] {
        _ = try await ready()
        let capabilities = await capabilities
        let items = status.filter { $0.isOffered(by: capabilities) }
        // QUIRK(cyrus-list-mailboxid): Cyrus 3.6 gives octets of no meaning for it in LIST.
        let measures = await profile?.measures ?? []
        let isApart = items.contains(.mailboxID) && measures.contains(.mailboxIDApart)
        let together = isApart ? items.subtracting([.mailboxID]) : items
        var listed = try await list(pattern, subscribedOnly, together, capabilities)
        if pattern == .all, !subscribedOnly { try await addInbox(to: &listed) }
        if !together.isEmpty { try await addStatus(together, to: &listed) }
        if isApart { try await addMailboxIDs(to: &listed) }
        if pattern == .all { listed.guessSpecialUses() }
        return listed
    }

    private func list(
        _ pattern: MailboxPattern, _ subscribedOnly: Bool, _ status: Set<StatusItem>,
        _ capabilities: Capabilities
    ) async throws(IMAPError) -> [ListedMailbox] {
        if capabilities.has(.listExtended) {
            return try await run(
                IMAP.List(
                    [pattern], selection: subscribedOnly ? .subscribed : [],
                    returning: .init(
                        subscribed: true, children: true, specialUse: capabilities.has(.specialUse),
                        status: capabilities.has(.listStatus) ? status : [])))
        }
        if subscribedOnly {
            return try await run(IMAP.ListSubscribed(pattern)).map { ListedMailbox(entry: $0) }
        }
        // Both go out at once; the task ends by its answer.
        let subscribed = Task { try await run(IMAP.ListSubscribed(pattern)) }
        let entries: [ListEntry]
        if capabilities.has(.xList), !capabilities.has(.specialUse) {
            entries = try await run(IMAP.XList(pattern))
        } else {
            entries = try await run(IMAP.List([pattern])).map(\.entry)
        }
        let names = Set(try await typed { try await subscribed.value }.map(\.name))
        return entries.map { entry in
            var entry = entry
            if names.contains(entry.name), !entry.attributes.contains(.subscribed) {
                entry.attributes.append(.subscribed)
            }
            return ListedMailbox(entry: entry)
        }
    }

    /// QUIRK(list-without-inbox): strato.de leaves it out.
    private func addInbox(to listed: inout [ListedMailbox]) async throws(IMAPError) {
        guard !listed.contains(where: { $0.entry.name == .inbox }) else { return }
        let inbox = try await run(IMAP.List([try MailboxPattern(MailboxName.inbox.text)]))
        listed.insert(
            contentsOf: inbox.isEmpty ? [ListedMailbox(entry: ListEntry(name: .inbox))] : inbox,
            at: 0)
    }

    private func addMailboxIDs(to listed: inout [ListedMailbox]) async throws(IMAPError) {
        let indices = listed.indices.filter { listed[$0].entry.isSelectable }
        let found = try await statuses(of: indices.map { listed[$0].entry.name }, [.mailboxID])
        for (index, status) in zip(indices, found) {
            if listed[index].status == nil { listed[index].status = MailboxStatus() }
            listed[index].status?.mailboxID = status?.mailboxID
        }
    }

    /// Asks for what LIST did not say, all at once.
    private func addStatus(
        _ items: Set<StatusItem>, to listed: inout [ListedMailbox]
    ) async throws(IMAPError) {
        let missing = listed.indices.filter {
            listed[$0].status == nil && listed[$0].entry.isSelectable
        }
        guard !missing.isEmpty else { return }
        let names = missing.map { listed[$0].entry.name }
        let found = try await statuses(of: names, items)
        for (index, status) in zip(missing, found) { listed[index].status = status }
    }

    /// The numbers of several mailboxes, in the order given; `nil` for one that the server does not open.
    ///
    /// All questions go out before the first answer is awaited.
    ///
    /// - Parameter items: what to ask; what the server does not know is left out.
    public func statuses(
        of names: [MailboxName], _ items: Set<StatusItem>
    ) async throws(IMAPError) -> [MailboxStatus?] {
        _ = try await ready()
        let capabilities = await capabilities
        let items = items.filter { $0.isOffered(by: capabilities) }
        return try await typed {
            try await withThrowingTaskGroup(of: (Int, MailboxStatus?).self) { group in
                for (index, name) in names.enumerated() {
                    group.addTask {
                        do throws(IMAPError) {
                            return (index, try await self.status(name, items))
                        } catch {
                            switch error.kind {
                            case .refused, .rejected, .missingResponse: return (index, nil)
                            default: throw error
                            }
                        }
                    }
                }
                var found = [MailboxStatus?](repeating: nil, count: names.count)
                for try await (index, status) in group { found[index] = status }
                return found
            }
        }
    }

    /// QUIRK(status-item-refused): a server that offers an item and does not know it refuses all of them. The oldest it knows.
    private func status(
        _ name: MailboxName, _ items: Set<StatusItem>
    ) async throws(IMAPError) -> MailboxStatus {
        do throws(IMAPError) {
            return try await run(IMAP.Status(name, items))
        } catch {
            let known = items.intersection([.messages, .uidNext, .uidValidity, .unseen])
            guard case .rejected = error.kind, known != items, !known.isEmpty else { throw error }
            return try await run(IMAP.Status(name, known))
        }
    }

    /// A mailbox's numbers, without selecting it. Not for the one that is selected: its numbers are in `mailbox`.
    ///
    /// - Parameter items: what to ask; what the server does not know is left out.
    public func status(
        of name: MailboxName,
        _ items: Set<StatusItem> = [.messages, .unseen, .uidNext, .uidValidity]
    ) async throws(IMAPError) -> MailboxStatus {
        _ = try await ready()
        let capabilities = await capabilities
        return try await status(name, items.filter { $0.isOffered(by: capabilities) })
    }

    /// Where the server keeps whose mailboxes; `nil` where it does not say.
    public func namespaces() async throws(IMAPError) -> NamespaceResponse? {
        _ = try await ready()
        guard await capabilities.has(.namespace) else { return nil }
        do throws(IMAPError) {
            return try await run(IMAP.Namespace())
        } catch {
            // QUIRK(namespace-refused): Exchange offers it and says BAD.
            switch error.kind {
            case .rejected, .refused, .missingResponse: return nil
            default: throw error
            }
        }
    }

    // MARK: Changes

    /// Makes a mailbox.
    ///
    /// - Parameter uses: what it is for, such as `.archive`; left out where the server cannot be told (RFC 6154).
    /// - Throws: `.refused`, with the code `.alreadyExists` where there is one.
    @discardableResult
    public func create(
        _ name: MailboxName, uses: [MailboxAttribute] = []
    ) async throws(IMAPError) -> IMAP.Create.Result {
        _ = try await ready()
        let canTell = await capabilities.has(.createSpecialUse)
        return try await run(IMAP.Create(name, uses: canTell ? uses : []))
    }

    /// Deletes a mailbox and all its messages.
    public func delete(_ name: MailboxName) async throws(IMAPError) {
        try await run(IMAP.Delete(name))
    }

    /// Gives a mailbox, and those inside of it, another name.
    public func rename(_ name: MailboxName, to newName: MailboxName) async throws(IMAPError) {
        try await run(IMAP.Rename(name, to: newName))
    }

    /// Adds a mailbox to those that the user wants to see.
    public func subscribe(_ name: MailboxName) async throws(IMAPError) {
        try await run(IMAP.Subscribe(name))
    }

    /// Takes a mailbox from those that the user wants to see.
    public func unsubscribe(_ name: MailboxName) async throws(IMAPError) {
        try await run(IMAP.Unsubscribe(name))
    }

    /// What the server says of itself; `nil` without ID. RFC 2971.
    public func serverIdentity() async throws(IMAPError) -> IDParameters? {
        _ = try await ready()
        guard await capabilities.has(.id) else { return nil }
        return try await run(IMAP.Identify(server.identity))
    }

    /// Does nothing, and hears what is new.
    public func noop() async throws(IMAPError) { try await run(IMAP.Noop()) }

    /// The error of `body` as the one type that it can be.
    func typed<Result>(_ body: () async throws -> Result) async throws(IMAPError) -> Result {
        do {
            return try await body()
        } catch let error as IMAPError {
            throw error
        } catch {
            throw IMAPError(kind: .cancelled, server: server.host, underlying: error)
        }
    }
}

extension ListEntry {
    /// Whether it can be selected: it is not just a place that holds others.
    public var isSelectable: Bool {
        !attributes.contains(.noSelect) && !attributes.contains(.nonExistent)
    }
}
