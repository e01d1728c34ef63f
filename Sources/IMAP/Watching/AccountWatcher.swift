import MartletIMAPCore

/// Watches an account for one reader.
struct AccountWatcher {
    typealias Element = AccountWatch.Element

    private enum Input {
        case event(MailboxEvent)
        case tick
    }

    private struct AnotherRound: Error {}

    private let watch: AccountWatch
    private let output: AsyncThrowingStream<Element, any Error>.Continuation
    private var known: [MailboxName: MailboxStatus] = [:]
    private var pauses = WatchPauses()
    /// How often in a row the server gave up telling.
    private var overflows = 0
    /// Something was dropped that the reader had no room for.
    private var isBehind = false

    private var client: IMAPClient { watch.client }

    init(
        _ watch: AccountWatch, _ output: AsyncThrowingStream<Element, any Error>.Continuation
    ) {
        self.watch = watch
        self.output = output
    }

    /// Watches until it is cancelled, or nothing helps any more.
    mutating func run() async {
        while !Task.isCancelled {
            do {
                try await open()
            } catch is AnotherRound {
                continue
            } catch {
                let error =
                    error as? IMAPError
                    ?? IMAPError(kind: .cancelled, server: client.server.host, underlying: error)
                guard !Task.isCancelled, let pause = pauses.next(after: error) else {
                    return output.finish(throwing: Task.isCancelled ? nil : error)
                }
                send(.lost(error, pause: pause))
                try? await Task.sleep(for: pause)
            }
        }
        output.finish()
    }

    private mutating func open() async throws {
        let opened = try await client.select(watch.selected, readOnly: true).mailbox
        let connection = try await client.selected()
        let events = await connection.events(idles: true)
        known = [watch.selected: MailboxStatus(opened)]
        let told = try await told(on: connection)
        let numbers = if let told { told } else { try await numbers() }
        known.merge(numbers) { own, asked in asked.updated(with: own) }
        send(.opened(known))
        pauses.began()
        try await follow(events, connection, isTold: told != nil)
    }

    // MARK: Following

    private mutating func follow(
        _ events: AsyncThrowingStream<MailboxEvent, any Error>, _ connection: IMAPConnection,
        isTold: Bool
    ) async throws {
        let (inputs, feed) = AsyncThrowingStream.makeStream(
            of: Input.self, bufferingPolicy: .bufferingOldest(EventHub.backlogLimit))
        let (timeouts, host) = (client.server.timeouts, client.server.host)
        try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask {
                do {
                    for try await event in events {
                        // Where it cannot keep up, it hears so.
                        if case .dropped = feed.yield(.event(event)) { break }
                    }
                    feed.finish(throwing: IMAPError(kind: .unexpectedClose, server: host))
                } catch {
                    feed.finish(throwing: error)
                }
            }
            group.addTask {
                while true {
                    try await Task.sleep(for: isTold ? timeouts.recount : timeouts.polling)
                    feed.yield(.tick)
                }
            }
            defer { group.cancelAll() }
            for try await input in inputs {
                switch input {
                case .event(let event): try await take(event, connection, isTold: isTold)
                case .tick where isTold: compare(with: try await recount(connection))
                case .tick: compare(with: try await numbers())
                }
            }
        }
    }

    private mutating func take(
        _ event: MailboxEvent, _ connection: IMAPConnection, isTold: Bool
    ) async throws {
        switch event {
        case .status(let name, let status):
            overflows = 0
            learn(status, of: name)
        case .mailbox(let entry):
            rename(entry)
            send(.mailbox(entry))
        case .notificationOverflow where isTold:
            // The server tells nothing more: it is asked to once more, not too often.
            let pause = overflows == 0 ? 0 : 1 << min(overflows, 8)
            overflows += 1
            try await Task.sleep(for: .seconds(pause))
            try await refresh(connection)
        case .numbersLost:
            send(.event(watch.selected, event))
            if isTold {
                try await refresh(connection)
            } else {
                compare(with: try await numbers())
            }
        default:
            send(.event(watch.selected, event))
        }
    }

    /// Hears all numbers anew.
    private mutating func refresh(_ connection: IMAPConnection) async throws {
        known.merge(try await recount(connection)) { own, asked in own.updated(with: asked) }
        send(.opened(known))
    }

    /// Asks a server anew to tell, and what the numbers are.
    private func recount(_ connection: IMAPConnection) async throws
        -> [MailboxName: MailboxStatus]
    {
        // Where it would not any more, the next round asks for the numbers itself.
        guard let numbers = try await told(on: connection) else { throw AnotherRound() }
        return numbers
    }

    private mutating func learn(_ status: MailboxStatus, of name: MailboxName) {
        let merged = (known[name] ?? MailboxStatus()).updated(with: status)
        guard merged != known[name] else { return }
        known[name] = merged
        send(.numbers(name, merged))
    }

    private mutating func rename(_ entry: ListEntry) {
        if let old = entry.oldName { known[entry.name] = known.removeValue(forKey: old) }
        if entry.attributes.contains(.nonExistent) { known[entry.name] = nil }
    }

    // MARK: NOTIFY

    /// Asks the server to tell. Returns all numbers, or nothing where it does not tell.
    private func told(on connection: IMAPConnection) async throws(IMAPError)
        -> [MailboxName: MailboxStatus]?
    {
        guard await connection.capabilities.has(.notify) else { return nil }
        for isLeast in [false, true] {
            do throws(IMAPError) {
                let told = try await connection.run(notification(isLeast: isLeast))
                return Dictionary(told.map { ($0.mailbox, $0.status) }) { $0.updated(with: $1) }
            } catch {
                switch error.kind {
                // All of it is too much for some, which name what they can: the least is tried, then asking.
                case .refused, .rejected: continue
                default: throw error
                }
            }
        }
        return nil
    }

    private func notification(isLeast: Bool) -> IMAP.Notify {
        var events: [IMAP.Notify.Event] = [.messageNew(), .messageExpunge]
        if !isLeast { events.append(.flagChange) }
        let names: [IMAP.Notify.Event] = isLeast ? [] : [.mailboxName, .subscriptionChange]
        let filter: MailboxFilter =
            switch watch.scope {
            case .personal: .personal
            case .subscribed: .subscribed
            case .named(let names): .mailboxes(names)
            }
        return IMAP.Notify(
            [
                .init(.selectedDelayed, events), .init(filter, events + names),
            ], status: true)
    }

    // MARK: Asking

    private static let items: Set<StatusItem> = [
        .messages, .unseen, .uidNext, .uidValidity, .highestModSeq,
    ]

    private func numbers() async throws(IMAPError) -> [MailboxName: MailboxStatus] {
        let names: [MailboxName]
        switch watch.scope {
        case .named(let wanted): names = wanted
        case .personal, .subscribed:
            let listed = try await client.mailboxes(
                subscribedOnly: watch.scope == .subscribed, status: Self.items)
            let pairs = listed.compactMap { mailbox in
                mailbox.status.map { (mailbox.entry.name, $0) }
            }
            return Dictionary(pairs) { first, _ in first }
        }
        let capabilities = await client.capabilities
        let items = Self.items.filter { $0.isOffered(by: capabilities) }
        let found = try await client.statuses(of: names, items)
        return Dictionary(
            zip(names, found).compactMap { name, status in status.map { (name, $0) } }
        ) { first, _ in first }
    }

    /// Tells what is different from what was known.
    private mutating func compare(with numbers: [MailboxName: MailboxStatus]) {
        catchUp()
        var gone = Set(known.keys)
        gone.remove(watch.selected)
        for (name, status) in numbers where name != watch.selected {
            gone.remove(name)
            if known[name] == nil { send(.mailbox(ListEntry(name: name))) }
            learn(status, of: name)
        }
        for name in gone {
            known[name] = nil
            send(.mailbox(ListEntry(attributes: [.nonExistent], name: name)))
        }
    }

    // MARK: The reader

    private mutating func send(_ element: Element) {
        catchUp()
        guard !isBehind else { return }
        if case .dropped = output.yield(element) { isBehind = true }
    }

    /// A reader who missed something hears all numbers, as soon as there is room.
    private mutating func catchUp() {
        guard isBehind, case .enqueued = output.yield(.opened(known)) else { return }
        isBehind = false
    }
}

extension MailboxStatus {
    /// What is known of a mailbox that was opened.
    init(_ mailbox: SelectedMailbox) {
        self.init()
        messages = UInt32(clamping: mailbox.messageCount)
        uidNext = mailbox.uidNext
        uidValidity = mailbox.uidValidity
        highestModSeq = mailbox.highestModSeq
    }

    /// With what `newer` says.
    func updated(with newer: MailboxStatus) -> MailboxStatus {
        var status = self
        status.messages = newer.messages ?? messages
        status.recent = newer.recent ?? recent
        status.uidNext = newer.uidNext ?? uidNext
        status.uidValidity = newer.uidValidity ?? uidValidity
        status.unseen = newer.unseen ?? unseen
        status.deleted = newer.deleted ?? deleted
        status.sizeInOctets = newer.sizeInOctets ?? sizeInOctets
        status.highestModSeq = newer.highestModSeq ?? highestModSeq
        status.mailboxID = newer.mailboxID ?? mailboxID
        return status
    }
}
