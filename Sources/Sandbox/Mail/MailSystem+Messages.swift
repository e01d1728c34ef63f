import MartletIMAPCore
import MartletMIME
import MartletTransport

/// A message on its way into a mailbox.
struct NewMessage: Sendable {
    var octets: [UInt8]
    var flags: [MessageFlag] = []
    /// When it arrived; `nil`: now.
    var date: MailDate?
}

/// Where messages went: UIDs there in the order of those here.
struct CopiedMessages: Sendable {
    var uidValidity: UIDValidity
    var pairs: [(source: UID, destination: UID)] = []
}

/// What is done with messages.
extension MailSystem {
    /// A message's octets; `nil` where its file is gone.
    func octets(of message: MailEntry, in name: MailboxName, of address: String) -> [UInt8]? {
        message.content.octets ?? keeper?.octets(of: message, in: name, of: address)
    }

    /// Puts messages into a mailbox, all or none.
    ///
    /// - Returns: their UIDs.
    func append(
        _ messages: [NewMessage], to name: MailboxName, of address: String
    ) async throws(MailProblem) -> (uidValidity: UIDValidity, uids: [UID]) {
        guard account(address)[name] != nil else { throw .noTarget }
        arrivalBegins(for: address)
        defer { arrivalEnds(for: address) }
        let now = WallClock.now.mailDate
        var ready: [ReadyMessage] = []
        for message in messages {
            let flags = message.flags.filter { $0 != .recent }
            let file = try await keeper?.deliver(
                message.octets, flags: flags, to: name, of: address)
            ready.append(
                ReadyMessage(
                    content: content(message.octets), flags: flags, date: message.date ?? now,
                    file: file))
        }
        defer { for message in ready { forget(message.content) } }
        let added = try insert(ready, into: name, of: address)
        _ = dropOldest()
        return added
    }

    /// A message whose octets are kept.
    struct ReadyMessage {
        var content: MailContent
        var flags: [MessageFlag]
        var date: MailDate
        var file: MailboxFile?
    }

    /// Puts messages into a mailbox, all or none, and notes their UIDs.
    func insert(
        _ messages: [ReadyMessage], into name: MailboxName, of address: String
    ) throws(MailProblem) -> (uidValidity: UIDValidity, uids: [UID]) {
        let now = WallClock.now.mailDate
        // In its place: a mailbox that is held here too would be copied whole for each message.
        let added: Result<(UIDValidity, [MailEntry]), MailProblem>? = change(address) { account in
            account.change(name) { mailbox in
                guard UInt64(mailbox.lastUID) + UInt64(messages.count) < UInt64(UInt32.max) else {
                    return .failure(.noNumbers)
                }
                let count = mailbox.messages.count
                for message in messages {
                    hold(message.content, address)
                    _ = mailbox.append(
                        message.content, flags: message.flags, internalDate: message.date,
                        saveDate: now, file: message.file)
                }
                return .success((mailbox.uidValidity, Array(mailbox.messages[count...])))
            }
        }
        guard let (uidValidity, entries) = try added?.get() else { throw .noTarget }
        try keeper?.note(entries, in: name, of: address)
        return (uidValidity, entries.map(\.uid))
    }

    /// Copies messages, or moves them.
    ///
    /// - Returns: where they went; nothing of those that are not there.
    func copy(
        _ uids: UIDSet, from source: MailboxName, to target: MailboxName, of address: String,
        moving moves: Bool
    ) async throws(MailProblem) -> CopiedMessages {
        let old = account(address)
        guard let from = old[source] else { throw .noMailbox }
        guard let to = old[target] else { throw .noTarget }
        arrivalBegins(for: address)
        defer { arrivalEnds(for: address) }
        var copied = CopiedMessages(uidValidity: to.uidValidity)
        var (sources, ready) = ([UID](), [ReadyMessage]())
        for message in from.messages where uids.contains(message.uid) {
            var copy = ReadyMessage(
                content: message.content, flags: message.flags, date: message.internalDate)
            if let keeper {
                guard let octets = octets(of: message, in: source, of: address) else { continue }
                copy.file = try await keeper.deliver(
                    octets, flags: message.flags, to: target, of: address)
            }
            sources.append(message.uid)
            ready.append(copy)
        }
        let added = try insert(ready, into: target, of: address)
        copied.pairs = zip(sources, added.uids).map { (source: $0, destination: $1) }
        if moves { expunge(UIDSet(sources), from: source, of: address) }
        return copied
    }

    /// Removes messages for good.
    ///
    /// - Returns: those that were there.
    @discardableResult
    func expunge(_ uids: UIDSet, from name: MailboxName, of address: String) -> UIDSet {
        guard !uids.isEmpty else { return UIDSet() }
        let removed = change(address) { account in
            account.change(name) { $0.remove(uids) } ?? []
        }
        for message in removed { forget(message, in: name, of: address) }
        return UIDSet(removed.map(\.uid))
    }

    /// Removes messages for good that are marked as deleted.
    ///
    /// - Parameter uids: only among these; `nil`: all.
    @discardableResult
    func expungeDeleted(
        _ uids: UIDSet? = nil, from name: MailboxName, of address: String
    ) -> UIDSet {
        let messages = account(address)[name]?.messages ?? []
        let deleted = messages.filter { message in
            message.has(.deleted) && (uids?.contains(message.uid) ?? true)
        }
        return expunge(UIDSet(deleted.map(\.uid)), from: name, of: address)
    }

    /// Changes flags.
    ///
    /// - Parameters:
    ///   - change: what becomes of them.
    ///   - unchangedSince: not of messages that changed later.
    /// - Returns: the messages as they are now, and those that were left as they had changed.
    func store(
        _ uids: UIDSet, _ operation: StoreChange.Operation, _ flags: [MessageFlag],
        unchangedSince: ModSequence? = nil, in name: MailboxName, of address: String
    ) throws(MailProblem) -> (messages: [MailEntry], modified: UIDSet) {
        guard account(address)[name] != nil else { throw .noMailbox }
        let result: Result<([MailEntry], UIDSet), MailProblem>? = change(address) { account in
            account.change(name) { mailbox in
                Result { () throws(MailProblem) in
                    try store(
                        uids, { $0.after(operation, flags) }, unchangedSince, in: &mailbox, address)
                }
            }
        }
        return try result?.get() ?? ([], UIDSet())
    }

    private func store(
        _ uids: UIDSet, _ flags: ([MessageFlag]) -> [MessageFlag], _ unchangedSince: ModSequence?,
        in mailbox: inout Mailbox, _ address: String
    ) throws(MailProblem) -> ([MailEntry], UIDSet) {
        var (changed, modified) = ([MailEntry](), UIDSet())
        for index in mailbox.messages.indices {
            let message = mailbox.messages[index]
            guard uids.contains(message.uid) else { continue }
            if let unchangedSince, message.modSeq > unchangedSince {
                modified.formUnion(UIDSet(message.uid))
                continue
            }
            if mailbox.setFlags(flags(message.flags), at: index), let keeper {
                let file = try keeper.setFlags(
                    of: mailbox.messages[index], in: mailbox.name, of: address)
                mailbox.setFile(file, at: index)
            }
            changed.append(mailbox.messages[index])
        }
        return (changed, modified)
    }
}

extension [MessageFlag] {
    /// What is left of these flags once others were added, removed or put in their place. `\Recent` is the server's.
    func after(_ operation: StoreChange.Operation, _ flags: [MessageFlag]) -> [MessageFlag] {
        let flags = flags.filter { $0 != .recent }
        switch operation {
        case .add: return self + flags.unique.filter { !contains($0) }
        case .remove: return filter { !flags.contains($0) }
        case .replace: return flags.unique
        }
    }

    private var unique: [MessageFlag] {
        var seen: Set<MessageFlag> = []
        return filter { seen.insert($0).inserted }
    }
}
