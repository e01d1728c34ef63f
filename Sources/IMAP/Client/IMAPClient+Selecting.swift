import MartletIMAPCore

extension IMAPClient {
    /// Selects a mailbox: messages are fetched, searched and changed in it until another is.
    ///
    /// - Parameters:
    ///   - name: the mailbox.
    ///   - readOnly: opens it without changing anything, such as which messages are new (`EXAMINE`).
    ///   - known: what is known of it from before; the server tells what changed since. Needs QRESYNC, see `enable`.
    /// - Returns: what the server says of it, and what changed.
    /// - Throws: `IMAPError` with `.fixInput` where there is no such mailbox. None is selected then.
    @discardableResult
    public func select(
        _ name: MailboxName, readOnly: Bool = false, known: IMAP.Select.KnownState? = nil
    ) async throws(IMAPError) -> OpenedMailbox {
        leaveMailbox()
        var attempt = 1
        while true {
            let connection = try await ready()
            // In the order in which the commands go out.
            leaveMailbox()
            let number = selectionNumber
            var wanted = Selection(name: name, isReadOnly: readOnly)
            do throws(IMAPError) {
                let opened = try await Self.open(wanted, known, on: connection)
                wanted.uidValidity = opened.mailbox.uidValidity
                // Somebody else may have asked for another one meanwhile.
                if number == selectionNumber { selection = wanted }
                return opened
            } catch {
                guard let wait = wait(after: error, attempt, isRepeatable: true) else {
                    throw error
                }
                try await pause(wait)
            }
            attempt += 1
        }
    }

    static func open(
        _ selection: Selection, _ known: IMAP.Select.KnownState? = nil,
        on connection: IMAPConnection
    ) async throws(IMAPError) -> OpenedMailbox {
        let capabilities = await connection.capabilities
        let command = IMAP.Select(
            selection.name, isReadOnly: selection.isReadOnly,
            condStore: known == nil && capabilities.has(.condStore), qResync: known)
        let changes = try await connection.run(command)
        guard let mailbox = await connection.mailbox else {
            throw IMAPError(
                kind: .missingResponse("the mailbox"), command: command.name,
                server: connection.server.host)
        }
        return OpenedMailbox(mailbox: mailbox, changes: changes)
    }

    /// Whether a mailbox is selected for reading and writing, and its UIDs still hold.
    func hasSelected(_ name: MailboxName) -> Bool {
        lostSelection == nil && selection?.name == name && selection?.isReadOnly == false
    }

    /// No mailbox is selected any more, or soon.
    func leaveMailbox() {
        selection = nil
        lostSelection = nil
        selectionNumber += 1
    }

    /// A connection that has the wanted mailbox selected.
    func selected(within number: Int? = nil) async throws(IMAPError) -> IMAPConnection {
        let number = number ?? selectionNumber
        let connection = try await ready()
        try checkSelection(number, nil)
        return connection
    }

    /// Makes sure that what a call goes on with is the mailbox that it began with: UIDs mean something else in another.
    func checkSelection(_ number: Int, _ command: String?) throws(IMAPError) {
        if let lostSelection { throw lostSelection }
        guard number == selectionNumber else {
            throw IMAPError(
                kind: .outOfOrder("another mailbox was selected before this was done"),
                command: command, server: server.host)
        }
        guard selection != nil else {
            throw IMAPError(
                kind: .outOfOrder("no mailbox is selected"), command: command, server: server.host)
        }
    }

    /// Leaves the selected mailbox; messages marked as deleted are removed for good with `expunging`.
    public func unselect(expunging: Bool = false) async throws(IMAPError) {
        let name = selection?.name
        leaveMailbox()
        let connection = try await ready()
        if expunging {
            try await connection.run(IMAP.Close())
        } else if await connection.capabilities.has(.unselect) {
            try await connection.run(IMAP.Unselect())
        } else if let name {
            // Closing what was opened for reading only removes nothing. RFC 3501 §6.4.2.
            _ = try await connection.run(IMAP.Select(name, isReadOnly: true))
            try await connection.run(IMAP.Close())
        }
    }

    /// Switches extensions on, as far as the server offers them, such as `.qResync` or `.utf8Accept`; on later
    /// connections again.
    ///
    /// - Returns: those that are on.
    @discardableResult
    public func enable(_ capabilities: [Capability]) async throws(IMAPError) -> Set<Capability> {
        for capability in capabilities where !wantedExtensions.contains(capability) {
            wantedExtensions.append(capability)
        }
        let connection = try await ready()
        try await Self.enable(capabilities, on: connection)
        return await connection.enabled
    }

    static func enable(_ wanted: [Capability], on connection: IMAPConnection)
        async throws(IMAPError)
    {
        let (offered, enabled) = await (connection.capabilities, connection.enabled)
        let missing = wanted.filter { offered.has($0) && !enabled.contains($0) }
        guard !missing.isEmpty, offered.has(.enable) else { return }
        _ = try await connection.run(IMAP.Enable(missing))
    }
}

/// A mailbox that was selected.
public struct OpenedMailbox: Sendable {
    /// What the server says of it.
    public let mailbox: SelectedMailbox
    /// What changed since the state that was known.
    public let changes: IMAP.Select.Result
}
