import MartletIMAPCore

extension IMAPClient {
    /// Selects a mailbox: messages are fetched, searched and changed in it until another is.
    ///
    /// - Parameters:
    ///   - name: the mailbox.
    ///   - readOnly: opens it without changing anything, such as which messages are new (`EXAMINE`).
    /// - Returns: what the server says of it.
    /// - Throws: `IMAPError` with `.fixInput` where there is no such mailbox. None is selected then.
    @discardableResult
    public func select(
        _ name: MailboxName, readOnly: Bool = false
    ) async throws(IMAPError) -> SelectedMailbox {
        selection = nil
        lostSelection = nil
        let connection = try await ready()
        var wanted = Selection(name: name, isReadOnly: readOnly)
        guard let opened = try await Self.open(wanted, on: connection) else {
            throw IMAPError(
                kind: .missingResponse("the mailbox"), command: "SELECT", server: server.host)
        }
        wanted.uidValidity = opened.uidValidity
        selection = wanted
        return opened
    }
}
