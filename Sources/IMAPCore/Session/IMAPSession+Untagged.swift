/// What servers say between commands and their ends. It updates what is known of the mailbox first, then goes to the
/// command that it answers; what is left is an event.
extension IMAPSession {
    mutating func takeUntagged(_ response: IMAPResponse) {
        switch response {
        case .fetch(let row): return take(numbered(row))
        case .capability(let words): learn(words)
        case .enabled(let words): enable(words)
        case .condition(let condition): take(condition)
        default: break
        }
        let event = update(with: response)
        if give(response) { return }
        if let event { events.append(.mailbox(event)) }
    }

    private mutating func take(_ row: FetchResponse) {
        if !give(.fetch(row)) { events.append(.mailbox(.changed(row))) }
    }

    /// Gives a response to the first command that claims it.
    private mutating func give(_ response: IMAPResponse) -> Bool {
        for index in running.indices where running[index].collector.receive(response) == .consumed {
            grew(running[index].id)
            if let excess = running[index].collector.excess {
                phase = .failed(excess)
            }
            return true
        }
        return false
    }

    mutating func grew(_ id: CommandID) {
        if grown.last != id, !grown.contains(id) { grown.append(id) }
    }

    private mutating func learn(_ words: [Capability]) {
        capabilities = Capabilities(words)
        capabilitiesAreCurrent = true
    }

    private mutating func enable(_ words: [Capability]) {
        enabled.formUnion(words)
        if enabled.contains(.utf8Accept) || enabled.contains(.imap4rev2) { parser.isUTF8 = true }
    }

    private mutating func take(_ condition: UntaggedCondition) {
        note(condition.text.code)
        guard condition.kind == .bye else { return }
        bye = condition.text
        events.append(.closing(condition.text))
    }

    mutating func note(_ code: ResponseCode?) {
        guard let code else { return }
        switch code {
        case .capability(let words): learn(words)
        case .closed: mailbox = mailbox.map { SelectedMailbox(name: $0.name) }
        default: mailbox?.note(code)
        }
    }

    /// QUIRK(fetch-without-uid): DavMail leaves it out of the answer to UID FETCH, others out of what nobody asked for.
    private mutating func numbered(_ row: FetchResponse) -> FetchResponse {
        guard let number = row.number else { return row }
        if let uid = row.uid {
            mailbox?.numbering.set(uid, of: number)
            return row
        }
        guard let uid = mailbox?.uid(of: number) else { return row }
        var row = row
        row.items.insert(.uid(uid), at: 0)
        return row
    }

    /// Takes note of a response, and says what it means for somebody who did not ask.
    private mutating func update(with response: IMAPResponse) -> MailboxEvent? {
        switch response {
        case .exists(let count):
            if mailbox?.numbering.resize(to: count) == true {
                events.append(.mailbox(.numbersLost))
            }
            return .exists(count)
        case .recent(let count):
            mailbox?.recentCount = count
            return nil
        case .expunge(let number):
            guard let gone = mailbox?.numbering.remove(number), gone.wasThere else {
                return .numbersLost
            }
            return .expunged(number, gone.uid)
        case .vanished(let earlier, let uids): return vanish(uids, earlier: earlier)
        case .flags(let flags):
            mailbox?.flags = flags
            return .flags(flags)
        case .condition(let condition): return event(of: condition)
        case .mailboxStatus(let name, let status): return .status(name, status)
        case .list(let entry): return .mailbox(entry)
        case .metadata(let metadata): return .metadata(metadata)
        case .extendedSearch(let result): return .search(result)
        case .capability, .enabled: return nil
        default: return .other(response)
        }
    }

    /// UIDs that vanished earlier have no numbers any more.
    private mutating func vanish(_ uids: UIDSet, earlier: Bool) -> MailboxEvent {
        guard !earlier, mailbox != nil else { return .vanished(uids) }
        let before = mailbox?.messageCount ?? 0
        let known = mailbox?.numbering.remove(uids) ?? 0
        let unknown = (uids.count ?? .max) - known
        guard unknown > 0 else { return .vanished(uids) }
        // Which numbers went cannot be told. QUIRK(absurd-vanished): more than there were is not believed.
        let left = before - known
        mailbox?.numbering.forget(count: unknown <= left ? left - unknown : left)
        events.append(.mailbox(.numbersLost))
        return .vanished(uids)
    }

    private func event(of condition: UntaggedCondition) -> MailboxEvent? {
        switch condition.text.code {
        case .alert, .webAlert: return .alert(condition.text.words)
        case .permanentFlags(let flags): return .permanentFlags(flags)
        case .uidNext(let uid): return .uidNext(uid)
        case .highestModSeq(let value): return .highestModSeq(value)
        case .inProgress(let progress): return .progress(progress)
        case .notificationOverflow: return .notificationOverflow
        case .readOnly, .readWrite, .uidValidity, .unseen, .noModSeq, .mailboxID, .uidNotSticky,
            .closed,
            .capability:
            return nil
        default: return condition.kind == .bye ? nil : .other(.condition(condition))
        }
    }
}
