import MartletFiles
import MartletIMAPCore
import MartletMIME
import MartletSMTPCore
import MartletTransport

/// All mail of a sandbox: accounts with their mailboxes, and what came by SMTP. Bounded: when there is no more room, the
/// oldest messages go.
actor MailSystem {
    /// Which mailbox mail goes to.
    let rules: AddressRules
    /// Where mailboxes are kept besides memory; `nil`: nowhere.
    let keeper: MaildirKeeper?
    private let limit: Int
    private var accounts: [String: Account] = [:]
    private var deliveries: ArraySlice<(message: StoredMessage, content: MailContent)> = []
    private var holdings = MailHoldings()
    private var octetsComing = 0
    private var lastDelivery = 0
    private var lastValidity: UInt32
    private var watchers: [Int: Watcher] = [:]
    private var lastWatcher = 0
    /// Accounts for which messages are being written to files: those are there before their UIDs are.
    private var arriving: [String: Int] = [:]
    /// Those who wait for something to come.
    var waits = Waits()
    /// Deliveries that are not in all of their mailboxes yet.
    var unfinished: Set<Int> = []

    /// Somebody who wants to hear of changes in an account, or in any.
    private struct Watcher {
        var account: String?
        var tell: @Sendable () -> Void
    }

    init(limitInOctets: Int, rules: AddressRules, keeper: MaildirKeeper? = nil) {
        limit = limitInOctets
        self.rules = rules
        self.keeper = keeper
        lastValidity = UInt32(clamping: WallClock.now.secondsSinceEpoch)
    }

    // MARK: Room

    /// Makes room for octets of a message on its way in; `false` when too many come at once.
    func admit(_ count: Int) -> Bool {
        guard octetsComing + count <= limit else { return false }
        octetsComing += count
        return true
    }

    /// Octets that were admitted are not coming after all.
    func release(_ count: Int) { octetsComing -= count }

    /// The octets that are kept in memory.
    var sizeInOctets: Int { holdings.sizeInOctets }

    /// Lets the oldest messages go until there is room.
    ///
    /// - Returns: how many.
    func dropOldest() -> Int {
        var dropped = 0
        while holdings.sizeInOctets > limit, holdings.count > 1, let oldest = holdings.oldest {
            dropped += 1
            if let first = deliveries.first, first.content === oldest.content {
                deliveries.removeFirst()
                holdings.release(first.content)
            }
            for address in oldest.accounts {
                change(address) { account in
                    for name in Array(account.mailboxes.keys) {
                        let uids =
                            account[name]?.messages
                            .filter { $0.content === oldest.content }.map(\.uid) ?? []
                        guard !uids.isEmpty else { continue }
                        let removed = account.change(name) { $0.remove(UIDSet(uids)) } ?? []
                        for message in removed { holdings.release(message.content) }
                    }
                }
            }
        }
        return dropped
    }

    // MARK: Deliveries

    /// Keeps a message that came by SMTP.
    func keepDelivery(_ make: (Int) -> StoredMessage) -> (
        message: StoredMessage, content: MailContent
    ) {
        lastDelivery += 1
        let message = make(lastDelivery)
        let content = holdings.add(message.octets)
        deliveries.append((message, content))
        unfinished.insert(message.id)
        return (message, content)
    }

    /// What came by SMTP, oldest first.
    var delivered: [StoredMessage] { deliveries.map(\.message) }

    /// What came by SMTP after a message and is in its mailboxes, oldest first.
    func delivered(after id: Int) -> [StoredMessage] {
        let start = deliveries.lastIndex { $0.message.id <= id }.map { $0 + 1 }
        return deliveries[(start ?? deliveries.startIndex)...].map(\.message)
            .prefix { !unfinished.contains($0.id) }
    }

    /// Forgets what came by SMTP and empties all mailboxes; they stay, with their UIDs going on.
    func removeAll() {
        for (_, content) in deliveries { holdings.release(content) }
        deliveries = []
        for address in accounts.keys {
            change(address) { account in
                for name in Array(account.mailboxes.keys) {
                    let removed = account.change(name) { mailbox in
                        mailbox.remove(UIDSet(mailbox.messages.map(\.uid)))
                    }
                    for message in removed ?? [] { forget(message, in: name, of: address) }
                }
            }
        }
    }

    // MARK: Contents

    /// Makes the content of a new message, which is held once: by whoever makes it, until `forget`.
    func content(_ octets: [UInt8]) -> MailContent {
        keeper == nil
            ? holdings.add(octets)
            : MailContent(
                number: contentNumber(), sizeInOctets: LineEnds.servedSize(of: octets))
    }

    /// A number for a content that is in a file.
    func contentNumber() -> Int { holdings.number() }

    /// A message of an account has the content.
    func hold(_ content: MailContent, _ address: String) { holdings.hold(content, address) }

    /// Whoever held the content does no longer.
    func forget(_ content: MailContent) { holdings.release(content) }

    /// A message is gone, and its file with it.
    func forget(_ message: MailEntry, in name: MailboxName, of address: String) {
        forget(message.content)
        keeper?.remove(message, from: name, of: address)
    }

    // MARK: Accounts

    /// Runs `body` on an account, which is made where there is none, and tells who watches it.
    ///
    /// - Parameter quietly: whether nobody is told.
    func change<Result>(
        _ address: String, quietly: Bool = false, _ body: (inout Account) throws -> Result
    ) rethrows -> Result {
        var account = accounts.removeValue(forKey: address) ?? makeAccount(address)
        let before = account.changeCount
        defer {
            let isChanged = account.changeCount != before && !quietly
            accounts[address] = account
            if isChanged { tellWatchers(of: address) }
        }
        return try body(&account)
    }

    private func makeAccount(_ address: String) -> Account {
        var account = Account(address: address)
        for mailbox in keptMailboxes(of: address) { account[mailbox.name] = mailbox }
        for (text, uses) in Account.usual {
            guard let name = try? MailboxName(text), account[name] == nil else { continue }
            let mailbox = makeMailbox(name, uses: uses)
            try? keeper?.create(mailbox, of: address)
            account[name] = mailbox
        }
        return account
    }

    /// The mailboxes that an earlier run left; messages that came meanwhile get UIDs behind all others.
    private func keptMailboxes(of address: String) -> [Mailbox] {
        guard let keeper, let kept = try? keeper.load(address) else { return [] }
        return kept.map { keptMailbox($0.name, $0.maildir, keeper) }
    }

    /// A mailbox as its folder has it.
    func keptMailbox(
        _ name: MailboxName, _ maildir: Maildir, _ keeper: MaildirKeeper
    ) -> Mailbox {
        let modSeq = Self.modSeqOfNow
        let record = keeper.record(of: maildir)
        var mailbox = makeMailbox(name, uses: record?.uses ?? [])
        if let record {
            mailbox = Mailbox(
                name, id: ObjectID(record.mailboxID), uidValidity: record.uidValidity,
                uses: record.uses)
            lastValidity = max(lastValidity, record.uidValidity.rawValue)
        }
        let loaded = KeptMessages(maildir, record)
        mailbox.restore(
            lastUID: loaded.lastUID, modSeq: modSeq,
            loaded.entries(modSeq: modSeq) { holdings.number() })
        try? keeper.write(mailbox, in: maildir)
        return mailbox
    }

    // MARK: Files on their way

    /// Messages for an account are about to be written to files. Loads the account: a file that was there before its
    /// mailbox was would count as one more message.
    func arrivalBegins(for address: String) {
        guard keeper != nil else { return }
        _ = account(address)
        arriving[address, default: 0] += 1
    }

    /// They have their UIDs, or are not coming.
    func arrivalEnds(for address: String) {
        guard let count = arriving[address] else { return }
        arriving[address] = count > 1 ? count - 1 : nil
    }

    func isArriving(for address: String) -> Bool { arriving[address] != nil }

    /// Beyond all that an earlier run told, as long as clocks go forward.
    private static var modSeqOfNow: ModSequence {
        let now = UInt64(max(WallClock.now.secondsSinceEpoch, 1))
        return ModSequence(now << 20) ?? .first
    }

    func makeMailbox(_ name: MailboxName, uses: [MailboxAttribute] = []) -> Mailbox {
        lastValidity += 1
        return Mailbox(
            name, id: ObjectID("B\(lastValidity)"), uidValidity: UIDValidity(lastValidity),
            uses: uses)
    }

    /// An account as it stands.
    func account(_ address: String) -> Account {
        if let account = accounts[address] { return account }
        change(address) { _ in }
        return accounts[address] ?? Account(address: address)
    }

    /// Voids what clients know of a mailbox's UIDs. One that is not there stays so.
    func renewUIDs(in name: MailboxName, of address: String) {
        guard account(address)[name] != nil else { return }
        lastValidity += 1
        let validity = UIDValidity(lastValidity)
        change(address) { account in account.change(name) { $0.renewUIDs(validity) } }
        if let mailbox = account(address)[name] { try? keeper?.rewrite(mailbox, of: address) }
    }

    /// The addresses of all accounts, in order.
    var addresses: [String] { accounts.keys.sorted() }

    /// A mailbox as it stands.
    func mailbox(_ name: MailboxName, of address: String) -> Mailbox? { account(address)[name] }

    /// The mailbox with an ID, which was last known by a name: it may have another one now.
    func mailbox(_ id: ObjectID, named name: MailboxName, of address: String) -> Mailbox? {
        let account = account(address)
        if let mailbox = account[name], mailbox.mailboxID == id { return mailbox }
        return account.mailboxes.values.first { $0.mailboxID == id }
    }

    // MARK: Watching

    /// Calls `tell` after each change in an account, or in any; it must not take time.
    ///
    /// - Returns: what to stop it by.
    func watch(_ address: String?, _ tell: @escaping @Sendable () -> Void) -> Int {
        lastWatcher += 1
        watchers[lastWatcher] = Watcher(account: address, tell: tell)
        return lastWatcher
    }

    /// Ends a watch.
    func unwatch(_ id: Int) { watchers[id] = nil }

    private func tellWatchers(of address: String) {
        waits.lookAgain()
        for watcher in watchers.values where watcher.account == nil || watcher.account == address {
            watcher.tell()
        }
    }
}
