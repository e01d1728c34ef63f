import MartletSMTPCore
import MartletTransport

/// The sandbox's mailboxes, in memory and bounded.
actor MailStore {
    private let limit: Int
    private var messages: [StoredMessage] = []
    private var lastID = 0
    /// Octets of kept messages and of those on their way in.
    private var octetsKept = 0
    private var octetsComing = 0

    init(limitInOctets: Int) { limit = limitInOctets }

    /// Makes room for octets of a message on its way in; `false` when too many come at once.
    func admit(_ count: Int) -> Bool {
        guard octetsComing + count <= limit else { return false }
        octetsComing += count
        return true
    }

    /// Octets that were admitted are not coming after all.
    func release(_ count: Int) { octetsComing -= count }

    /// Keeps a message whose octets were admitted.
    ///
    /// - Returns: the message, and how many of the oldest went for it.
    func keep(_ make: @Sendable (Int) -> StoredMessage) -> (message: StoredMessage, dropped: Int) {
        lastID += 1
        let message = make(lastID)
        octetsComing -= message.octets.count
        octetsKept += message.octets.count
        messages.append(message)
        var dropped = 0
        while octetsKept > limit, dropped < messages.count - 1 {
            octetsKept -= messages[dropped].octets.count
            dropped += 1
        }
        messages.removeFirst(dropped)
        return (message, dropped)
    }

    /// All messages, oldest first.
    var all: [StoredMessage] { messages }

    /// The messages of one address, oldest first.
    func messages(of address: String) -> [StoredMessage] {
        let mailbox = address.lowercased()
        return messages.filter { message in
            message.envelope.forwardPaths.contains { $0.description.lowercased() == mailbox }
        }
    }

    /// Forgets all messages.
    func removeAll() {
        messages = []
        octetsKept = 0
    }
}
