import MartletIMAPCore

/// A mailbox as one client knows it: numbered as it was told, whatever others have done since. RFC 9051 §5.2.
struct MailboxView {
    /// What it is called now: others may rename it.
    private(set) var name: MailboxName
    let mailboxID: ObjectID
    let uidValidity: UIDValidity
    let isReadOnly: Bool
    /// What the client knows of, in the order of the sequence numbers. Some may be gone in truth.
    private(set) var messages: [MailEntry]
    /// The state of the mailbox that was told last.
    private var modSeq: ModSequence
    /// What `$` stands for. RFC 5182.
    var saved = UIDSet()

    init(_ mailbox: Mailbox, isReadOnly: Bool) {
        name = mailbox.name
        mailboxID = mailbox.mailboxID
        uidValidity = mailbox.uidValidity
        self.isReadOnly = isReadOnly
        messages = mailbox.messages
        modSeq = mailbox.highestModSeq
    }

    /// Goes on with the mailbox under another name.
    mutating func follow(to name: MailboxName) { self.name = name }

    // MARK: Numbers

    /// Where the message with that UID stands, counted from 0.
    func index(of uid: UID) -> Int? {
        var (low, high) = (0, messages.count)
        while low < high {
            let middle = (low + high) / 2
            if messages[middle].uid < uid { low = middle + 1 } else { high = middle }
        }
        return low < messages.count && messages[low].uid == uid ? low : nil
    }

    /// The message's number.
    func number(at index: Int) -> SequenceNumber? { SequenceNumber(UInt32(index + 1)) }

    /// Where the messages stand that a command names, in ascending order; `nil` where it names a number beyond the last.
    func indices(_ selection: MessageSelection<SequenceNumber>) -> [Int]? {
        guard case .numbers(let set) = selection else { return savedIndices }
        guard let last = SequenceNumber(UInt32(messages.count)) else { return nil }
        let known = set.resolved(last: last)
        guard known.ranges.last.map({ $0.upperBound <= last.rawValue }) ?? true else { return nil }
        return known.numbers.map { Int($0.rawValue) - 1 }
    }

    /// The same for UIDs; those that nobody has are passed over.
    func indices(_ selection: MessageSelection<UID>) -> [Int] {
        guard case .numbers(let set) = selection else { return savedIndices }
        guard let last = messages.last?.uid else { return [] }
        return indices(in: set.resolved(last: last))
    }

    private var savedIndices: [Int] { indices(in: saved) }

    private func indices(in set: UIDSet) -> [Int] {
        messages.indices.filter { set.contains(messages[$0].uid) }
    }

    // MARK: What is new

    /// What there is to tell since the last time.
    struct News {
        /// Numbers of messages that are gone, each as it is once those before it are gone.
        var expunged: [SequenceNumber] = []
        var vanished = UIDSet()
        /// How many messages there are, if that changed.
        var count: Int?
        /// Where messages stand whose flags changed, or that are new.
        var changed: [Int] = []
    }

    /// Takes up what happened in the mailbox.
    ///
    /// - Parameter mayShrink: whether the client may hear now that messages are gone: not while it thinks of others by
    ///   number. RFC 9051 §7.5.1.
    mutating func update(to mailbox: Mailbox, mayShrink: Bool) -> News {
        var news = News()
        guard mailbox.highestModSeq > modSeq || messages.count > mailbox.messages.count else {
            return news
        }
        let lastKnown = messages.last?.uid
        if mayShrink { removeThoseGone(from: mailbox, &news) }
        for index in messages.indices {
            guard let current = mailbox.index(of: messages[index].uid) else { continue }
            let message = mailbox.messages[current]
            if message.modSeq > messages[index].modSeq {
                messages[index] = message
                news.changed.append(index)
            }
        }
        let oldCount = messages.count
        let start = lastKnown.map { mailbox.firstIndex(from: $0) } ?? 0
        for message in mailbox.messages[start...] where lastKnown.map({ message.uid > $0 }) ?? true
        {
            messages.append(message)
        }
        if messages.count > oldCount { news.count = messages.count }
        // While messages are known that are gone, the state is not wholly told.
        modSeq =
            messages.count == mailbox.messages.count ? mailbox.highestModSeq : modSeq
        return news
    }

    private mutating func removeThoseGone(from mailbox: Mailbox, _ news: inout News) {
        var kept: [MailEntry] = []
        kept.reserveCapacity(messages.count)
        for message in messages {
            guard mailbox.index(of: message.uid) == nil else {
                kept.append(message)
                continue
            }
            if let number = SequenceNumber(UInt32(kept.count + 1)) { news.expunged.append(number) }
            news.vanished.formUnion(UIDSet(message.uid))
        }
        messages = kept
        saved = saved.subtracting(news.vanished)
    }

    /// A change of flags that the client made itself, and is told otherwise.
    mutating func took(_ changed: [MailEntry]) {
        for message in changed {
            if let index = index(of: message.uid) { messages[index] = message }
        }
    }
}
