import MartletIMAPCore

/// Opening and closing mailboxes.
extension IMAPService {
    func select(_ tag: String, _ command: IMAP.Select, _ user: String) async {
        if view != nil { say(.ok, .closed, "The other mailbox is closed") }
        view = nil
        if command.condStore { enabled.insert(.condStore) }
        guard let mailbox = await sandbox.mail.currentMailbox(command.mailbox, of: user) else {
            return answer(tag, .noMailbox)
        }
        let view = MailboxView(mailbox, isReadOnly: command.isReadOnly)
        self.view = view
        tell(mailbox, isReadOnly: command.isReadOnly)
        if let known = command.qResync, enabled.contains(.qResync) { resync(mailbox, since: known) }
        answer(
            tag, .ok, command.isReadOnly ? .readOnly : .readWrite,
            "\(mailbox.name.text) is selected")
    }

    private static let systemFlags: [MessageFlag] = [.answered, .flagged, .deleted, .seen, .draft]

    private func tell(_ mailbox: Mailbox, isReadOnly: Bool) {
        let flags = Self.systemFlags + mailbox.keywords
        encoder.append(.flags(flags))
        say(
            .ok, .permanentFlags(isReadOnly ? [] : flags + [.anyKeyword]),
            isReadOnly ? "Nothing can be changed" : "These can be changed")
        encoder.append(.exists(UInt32(clamping: mailbox.messages.count)))
        if !enabled.contains(.imap4rev2) {
            encoder.append(.recent(0))
            if let first = mailbox.messages.firstIndex(where: { !$0.has(.seen) }),
                let number = SequenceNumber(UInt32(first + 1))
            {
                say(.ok, .unseen(number), "The first that is not read")
            }
        }
        say(.ok, .uidValidity(mailbox.uidValidity), "UIDs are valid")
        if let next = mailbox.uidNext { say(.ok, .uidNext(next), "The next UID") }
        say(.ok, .highestModSeq(mailbox.highestModSeq), "The last change")
        say(.ok, .mailboxID(mailbox.mailboxID), "Its name for ever")
        if enabled.contains(.imap4rev2) {
            encoder.append(
                .list(
                    ListEntry(
                        kind: .list, attributes: mailbox.uses, delimiter: Account.delimiter,
                        name: mailbox.name)))
        }
    }

    /// What the client missed. RFC 7162 §3.2.5.
    private func resync(_ mailbox: Mailbox, since known: IMAP.Select.KnownState) {
        guard known.uidValidity == mailbox.uidValidity else { return }
        var vanished = mailbox.removed(since: known.modSeq)
        if let uids = known.uids {
            vanished = vanished.intersection(
                mailbox.messages.last.map { uids.resolved(last: $0.uid) } ?? uids)
        }
        if !vanished.isEmpty { encoder.append(.vanished(earlier: true, vanished)) }
        for (index, message) in mailbox.messages.enumerated()
        where message.modSeq > known.modSeq && known.uids?.contains(message.uid) ?? true {
            tellFlags(at: index)
        }
    }

    func close(_ tag: String, _ user: String, expunges: Bool) async {
        if expunges, let view, !view.isReadOnly {
            await sandbox.mail.expungeDeleted(from: view.name, of: user)
        }
        view = nil
        answer(tag, .ok, "Done")
    }
}
