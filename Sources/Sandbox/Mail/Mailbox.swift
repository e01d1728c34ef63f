import MartletFiles
import MartletIMAPCore
import MartletMIME

/// A mailbox as it stands. A copy of the value is a snapshot: nothing that happens later changes it.
struct Mailbox: Sendable {
    /// Messages that went, the newest last: for clients that ask what they missed. RFC 7162 §3.2.5.
    struct Removal: Sendable {
        var uids: UIDSet
        var modSeq: ModSequence
    }

    /// Keywords of a mailbox, at most: each is told at every SELECT.
    static let keywordLimit = 1_000
    /// Removals that are remembered; older ones are joined.
    static let removalLimit = 1_000

    let name: MailboxName
    /// Its name for ever. RFC 8474.
    let mailboxID: ObjectID
    private(set) var uidValidity: UIDValidity
    /// What it is for. RFC 6154.
    var uses: [MailboxAttribute]
    /// Annotations by their names in lower case. RFC 5464.
    var metadata: [String: [UInt8]] = [:]
    private(set) var lastUID: UInt32 = 0
    private(set) var lastModSeq: UInt64 = 1
    /// In the order of their UIDs.
    private(set) var messages: [MailEntry] = []
    private(set) var removals: [Removal] = []
    /// Since when removals are remembered.
    private var historyStart = ModSequence.first
    /// What is not a system flag, in the order in which it was used first.
    private(set) var keywords: [MessageFlag] = []
    /// The folder's state when it was looked through last; `nil`: what is there now is not known.
    var folderState: MaildirState?

    init(
        _ name: MailboxName, id: ObjectID, uidValidity: UIDValidity, uses: [MailboxAttribute] = []
    ) {
        self.name = name
        mailboxID = id
        self.uidValidity = uidValidity
        self.uses = uses
    }

    // MARK: Reading

    /// The UID that the next message will have; `nil` when there are no more.
    var uidNext: UID? { lastUID < .max ? UID(lastUID + 1) : nil }

    var highestModSeq: ModSequence { ModSequence(lastModSeq) ?? .first }

    /// Octets of all messages.
    var sizeInOctets: Int { messages.reduce(0) { $0 + $1.content.sizeInOctets } }

    /// Where the message with that UID stands, counted from 0.
    func index(of uid: UID) -> Int? {
        let index = firstIndex(from: uid)
        return index < messages.count && messages[index].uid == uid ? index : nil
    }

    /// Where the first message stands that has that UID or a larger one.
    func firstIndex(from uid: UID) -> Int {
        var (low, high) = (0, messages.count)
        while low < high {
            let middle = (low + high) / 2
            if messages[middle].uid < uid { low = middle + 1 } else { high = middle }
        }
        return low
    }

    /// UIDs that went after `modSeq`; where that is too long ago to know, all that are not there.
    func removed(since modSeq: ModSequence) -> UIDSet {
        guard modSeq >= historyStart else {
            guard let last = UID(lastUID), let first = UID(1) else { return UIDSet() }
            return UIDSet(first...last).subtracting(UIDSet(messages.map(\.uid)))
        }
        var uids = UIDSet()
        for removal in removals.reversed() {
            guard removal.modSeq > modSeq else { break }
            uids.formUnion(removal.uids)
        }
        return uids
    }

    // MARK: Changing

    /// Adds a message behind all others.
    ///
    /// - Returns: its UID; `nil` when there are no more UIDs.
    mutating func append(
        _ content: MailContent, flags: [MessageFlag], internalDate: MailDate, saveDate: MailDate,
        file: MailboxFile? = nil
    ) -> UID? {
        guard let uid = uidNext else { return nil }
        lastUID += 1
        learn(flags)
        messages.append(
            MailEntry(
                uid: uid, content: content, internalDate: internalDate, saveDate: saveDate,
                flags: flags, modSeq: tick(), file: file))
        return uid
    }

    /// Gives a message other flags.
    ///
    /// - Returns: whether they are others.
    mutating func setFlags(_ flags: [MessageFlag], at index: Int) -> Bool {
        guard Set(flags) != Set(messages[index].flags) else { return false }
        learn(flags)
        messages[index].flags = flags
        messages[index].modSeq = tick()
        return true
    }

    /// The message's file has another name now.
    mutating func setFile(_ file: MailboxFile?, at index: Int) { messages[index].file = file }

    /// Removes messages.
    ///
    /// - Returns: those that were there.
    mutating func remove(_ uids: UIDSet) -> [MailEntry] {
        var removed: [MailEntry] = []
        messages.removeAll { message in
            guard uids.contains(message.uid) else { return false }
            removed.append(message)
            return true
        }
        guard !removed.isEmpty else { return [] }
        removals.append(Removal(uids: UIDSet(removed.map(\.uid)), modSeq: tick()))
        if removals.count > Self.removalLimit { joinOldRemovals() }
        return removed
    }

    /// What old removals went at is forgotten: clients then hear of more UIDs than they missed, which does no harm.
    private mutating func joinOldRemovals() {
        let half = removals.count / 2
        var joined = removals[half - 1]
        for removal in removals[..<(half - 1)] { joined.uids.formUnion(removal.uids) }
        removals.replaceSubrange(..<half, with: [joined])
    }

    /// All that clients know of its UIDs is void: a fault that tests ask for.
    mutating func renewUIDs(_ validity: UIDValidity) {
        uidValidity = validity
        removals = []
        let old = messages
        messages = []
        lastUID = 0
        for message in old {
            _ = append(
                message.content, flags: message.flags, internalDate: message.internalDate,
                saveDate: message.saveDate, file: message.file)
        }
    }

    /// Forgets keywords that no message has, and annotations.
    mutating func forgetWords() {
        metadata = [:]
        keywords = []
        for message in messages { learn(message.flags) }
    }

    /// The same mailbox under another name.
    func renamed(_ name: MailboxName) -> Mailbox {
        var copy = Mailbox(name, id: mailboxID, uidValidity: uidValidity, uses: uses)
        copy.metadata = metadata
        copy.lastUID = lastUID
        copy.lastModSeq = lastModSeq
        copy.messages = messages
        copy.removals = removals
        copy.historyStart = historyStart
        copy.keywords = keywords
        return copy
    }

    /// Takes up where an earlier run ended: what changed meanwhile nobody knows, so that all counts as changed now.
    ///
    /// - Parameter modSeq: beyond all that was told before.
    mutating func restore(lastUID: UInt32, modSeq: ModSequence, _ messages: [MailEntry]) {
        self.lastUID = lastUID
        lastModSeq = modSeq.rawValue
        historyStart = modSeq
        self.messages = messages
        for message in messages { learn(message.flags) }
    }

    private mutating func tick() -> ModSequence {
        lastModSeq += 1
        return highestModSeq
    }

    private mutating func learn(_ flags: [MessageFlag]) {
        for flag in flags
        where !flag.isSystemFlag && keywords.count < Self.keywordLimit && !keywords.contains(flag) {
            keywords.append(flag)
        }
    }
}

extension ModSequence {
    /// The first that there is.
    static let first = ModSequence(1).unsafelyUnwrapped
}
