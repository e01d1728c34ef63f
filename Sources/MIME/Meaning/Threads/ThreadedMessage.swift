import MartletBytes

/// What must be known of a message to find its place in a conversation.
public struct ThreadedMessage<ID: Sendable>: Sendable {
    /// What the caller calls it by.
    public var id: ID
    /// Its Message-ID without angle brackets; `nil` without one.
    public var messageID: String?
    /// The messages before it in the conversation, oldest first, the one that it answers last.
    public var references: [String]
    /// Its subject, decoded.
    public var subject: String
    /// When it was sent, in any unit; `nil` sorts first.
    public var date: Int64?

    /// Makes a value.
    public init(
        id: ID, messageID: String?, references: [String] = [], subject: String = "",
        date: Int64? = nil
    ) {
        self.id = id
        self.messageID = messageID
        self.references = references
        self.subject = subject
        self.date = date
    }

    /// Takes the values from a message: its `References`, or else the first of its `In-Reply-To`. RFC 5256 §3.
    public init(id: ID, _ message: Message) {
        let root = message.root
        var references = root.references.map(\.text)
        if references.isEmpty { references = root.inReplyTo.prefix(1).map(\.text) }
        self.init(
            id: id, messageID: root.messageID?.text, references: references,
            subject: root.subject ?? "", date: root.date?.secondsSinceEpoch)
    }
}

extension ThreadedMessage: Equatable where ID: Equatable {}
extension ThreadedMessage: Hashable where ID: Hashable {}
