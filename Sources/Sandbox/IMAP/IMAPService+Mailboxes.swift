import MartletBytes
import MartletIMAPCore

/// Lists, and what is said of mailboxes that are not selected.
extension IMAPService {
    func create(_ tag: String, _ command: IMAP.Create, _ user: String) async {
        do throws(MailProblem) {
            let id = try await sandbox.mail.create(command.mailbox, uses: command.uses, of: user)
            answer(tag, .ok, .mailboxID(id), "Done")
        } catch {
            answer(tag, error)
        }
    }

    func namespaces(_ tag: String) {
        guard let none = MailboxName.none else { return answer(tag, .bad, "There are none") }
        encoder.append(
            .namespace(
                NamespaceResponse(
                    personal: [.init(prefix: none, delimiter: Account.delimiter)], otherUsers: [],
                    shared: [])))
        answer(tag, .ok, "Done")
    }

    // MARK: LIST

    func list(_ tag: String, _ command: IMAP.List, _ user: String) async {
        if command.patterns == [.empty] { return listDelimiter(tag, .list) }
        await sandbox.mail.refreshMailboxes(of: user)
        let account = await sandbox.mail.account(user)
        let reference = command.reference?.text ?? ""
        let patterns = command.patterns.map { ListPattern(reference + $0.text) }
        let isForSubscribed = command.selection.contains(.subscribed)
        var names = Set(account.mailboxes.keys)
        if isForSubscribed { names.formUnion(account.subscriptions) }
        for name in names.sorted(by: Self.isBefore) {
            guard patterns.contains(where: { $0.matches(name.text) }) else { continue }
            let isWanted = isForSubscribed ? account.subscriptions.contains(name) : true
            let mailbox = account[name]
            if command.selection.contains(.specialUse), mailbox?.uses.isEmpty ?? true { continue }
            let children = account.names(below: name)
            let childIsWanted =
                command.selection.contains(.recursiveMatch)
                && children.contains { account.subscriptions.contains($0) }
            guard isWanted || childIsWanted else { continue }
            var entry = ListEntry(
                kind: .list, attributes: mailbox?.uses ?? [.nonExistent],
                delimiter: Account.delimiter, name: name)
            entry.attributes.append(children.isEmpty ? .hasNoChildren : .hasChildren)
            if isForSubscribed || command.returning.subscribed,
                account.subscriptions.contains(name)
            {
                entry.attributes.append(.subscribed)
            }
            if childIsWanted, !isWanted || isForSubscribed { entry.childInfo = ["SUBSCRIBED"] }
            encoder.append(.list(entry))
            if !command.returning.status.isEmpty, let mailbox {
                encoder.append(
                    .mailboxStatus(name, mailbox.status(command.returning.status, sandbox)))
            }
        }
        answer(tag, .ok, "Done")
    }

    func listSubscribed(_ tag: String, _ command: IMAP.ListSubscribed, _ user: String) async {
        if command.pattern == .empty { return listDelimiter(tag, .lsub) }
        let account = await sandbox.mail.account(user)
        let pattern = ListPattern((command.reference?.text ?? "") + command.pattern.text)
        for name in account.subscriptions.sorted(by: Self.isBefore)
        where pattern.matches(name.text) {
            encoder.append(
                .list(
                    ListEntry(
                        kind: .lsub, attributes: account[name] == nil ? [.noSelect] : [],
                        delimiter: Account.delimiter, name: name)))
        }
        answer(tag, .ok, "Done")
    }

    private func listDelimiter(_ tag: String, _ kind: ListEntry.Kind) {
        if let none = MailboxName.none {
            encoder.append(
                .list(
                    ListEntry(
                        kind: kind, attributes: [.noSelect], delimiter: Account.delimiter,
                        name: none)))
        }
        answer(tag, .ok, "Done")
    }

    /// INBOX first, then by name.
    private static func isBefore(_ left: MailboxName, _ right: MailboxName) -> Bool {
        if left == .inbox || right == .inbox { return left == .inbox && right != .inbox }
        return left.text < right.text
    }

    // MARK: STATUS

    func status(_ tag: String, _ command: IMAP.Status, _ user: String) async {
        guard let mailbox = await sandbox.mail.currentMailbox(command.mailbox, of: user) else {
            return answer(tag, .noMailbox)
        }
        encoder.append(
            .mailboxStatus(command.mailbox, mailbox.status(command.items, sandbox)))
        await tellNews(mayShrink: true)
        answer(tag, .ok, "Done")
    }

    // MARK: QUOTA

    func quota(_ tag: String, root: String, _ user: String) async {
        guard root.isEmpty else {
            return answer(tag, .no, .nonexistent, "There is no such quota root")
        }
        encoder.append(.quota(await quota(of: user)))
        answer(tag, .ok, "Done")
    }

    func quotaRoot(_ tag: String, _ name: MailboxName, _ user: String) async {
        guard await sandbox.mail.mailbox(name, of: user) != nil else {
            return answer(tag, .noMailbox)
        }
        encoder.append(.quotaRoot(QuotaRootResponse(mailbox: name, roots: [""])))
        encoder.append(.quota(await quota(of: user)))
        answer(tag, .ok, "Done")
    }

    /// All of the sandbox's room is everybody's; octets in units of 1,024. RFC 9208 §5.1.
    private func quota(of user: String) async -> QuotaResponse {
        let account = await sandbox.mail.account(user)
        let limit = sandbox.configuration.memoryLimitInOctets
        return QuotaResponse(
            root: "",
            resources: [
                .init(
                    name: "STORAGE", usage: UInt64(account.sizeInOctets + 1_023) / 1_024,
                    limit: UInt64(limit) / 1_024),
                .init(
                    name: "MESSAGE", usage: UInt64(account.messageCount),
                    limit: UInt64(UInt32.max)),
            ])
    }

    // MARK: METADATA

    func metadata(_ tag: String, _ command: IMAP.GetMetadata, _ user: String) async {
        let account = await sandbox.mail.account(user)
        let stored: [String: [UInt8]]
        if let name = command.mailbox {
            guard let mailbox = account[name] else { return answer(tag, .noMailbox) }
            stored = mailbox.metadata
        } else {
            stored = account.metadata
        }
        let found = MetadataMatch(command).entries(in: stored)
        if !found.entries.isEmpty {
            encoder.append(
                .metadata(MetadataResponse(mailbox: command.mailbox, entries: found.entries)))
        }
        answer(
            tag, .ok, found.longest.map { .metadata(.longEntries(UInt64($0))) }, "Done")
    }

    func setMetadata(_ tag: String, _ command: IMAP.SetMetadata, _ user: String) async {
        do throws(MailProblem) {
            try await sandbox.mail.setMetadata(command.entries, of: command.mailbox, of: user)
            answer(tag, .ok, "Done")
        } catch {
            answer(tag, error)
        }
    }
}

extension MailboxName {
    /// The empty name, which only lists have.
    static let none: MailboxName? = MailboxName(wire: [], isUTF8: false)
}

extension Mailbox {
    /// The numbers that STATUS asks for. RFC 9051 §6.3.11 and the extensions' own.
    func status(_ items: Set<StatusItem>, _ sandbox: Sandbox.Shared) -> MailboxStatus {
        var status = MailboxStatus()
        for item in items {
            switch item {
            case .messages: status.messages = UInt32(clamping: messages.count)
            case .recent: status.recent = 0
            case .uidNext: status.uidNext = uidNext
            case .uidValidity: status.uidValidity = uidValidity
            case .unseen: status.unseen = count { !$0.has(.seen) }
            case .deleted: status.deleted = count { $0.has(.deleted) }
            case .size: status.sizeInOctets = UInt64(sizeInOctets)
            case .deletedStorage:
                status.deletedStorageInOctets = UInt64(
                    messages.reduce(0) { $0 + ($1.has(.deleted) ? $1.content.sizeInOctets : 0) })
            case .highestModSeq: status.highestModSeq = highestModSeq
            case .appendLimit:
                status.appendLimit = .octets(UInt64(sandbox.configuration.messageLimitInOctets))
            case .mailboxID: status.mailboxID = mailboxID
            case .yahooHighestModSeq: break
            }
        }
        return status
    }

    private func count(_ isCounted: (MailEntry) -> Bool) -> UInt32 {
        UInt32(clamping: messages.reduce(0) { $0 + (isCounted($1) ? 1 : 0) })
    }
}
