import Foundation

/// What has become of a mail.
public struct MessageStatus: Hashable, Sendable {
    /// The ID of the message.
    public let messageID: String
    /// How far it has come.
    public let status: DeliveryStatus
    /// What happened to it, oldest first.
    public let events: [MessageEvent]
    /// When the service accepted it; `nil` if it did not say so in a form that can be read.
    public let createdAt: Date?
    /// When it was handed to the mail provider.
    public let sentAt: Date?
    /// The template it was made from.
    public let templateID: String?
    /// The mail service it went through.
    public let serviceID: String?

    /// Makes a status, for tests and previews of your own.
    public init(
        messageID: String, status: DeliveryStatus, events: [MessageEvent] = [],
        createdAt: Date? = nil, sentAt: Date? = nil, templateID: String? = nil,
        serviceID: String? = nil
    ) {
        self.messageID = messageID
        self.status = status
        self.events = events
        self.createdAt = createdAt
        self.sentAt = sentAt
        self.templateID = templateID
        self.serviceID = serviceID
    }

    /// - Throws: ``FrontmailError`` with the code `invalid_response` if it is no such answer.
    init(reply: Reply) throws {
        let members = try reply.members()
        let timestamps = Timestamp()
        func date(_ name: String) -> Date? { members[name]?.stringValue.flatMap(timestamps.date) }
        let events = members["events"]?.arrayValue ?? []
        self.init(
            messageID: try reply.text("message_id", in: members),
            status: DeliveryStatus(rawValue: try reply.text("status", in: members)),
            events: events.compactMap { MessageEvent($0, timestamps) },
            createdAt: date("created_at"), sentAt: date("sent_at"),
            templateID: members["template_id"]?.stringValue,
            serviceID: members["service_id"]?.stringValue)
    }
}

/// Something that happened to a mail.
public struct MessageEvent: Hashable, Sendable {
    /// What happened, as the service names it: `accepted`, `sent` and others.
    public let type: String
    /// When it happened; `nil` if the service did not say so in a form that can be read.
    public let at: Date?
    /// What else the service told about it.
    public let data: [String: FrontmailValue]

    /// Makes an event, for tests and previews of your own.
    public init(type: String, at: Date? = nil, data: [String: FrontmailValue] = [:]) {
        self.type = type
        self.at = at
        self.data = data
    }

    /// `nil` for what has no type.
    init?(_ value: FrontmailValue, _ timestamps: Timestamp) {
        guard var members = value.objectValue, let type = members["type"]?.stringValue else {
            return nil
        }
        let date = members["at"]?.stringValue.flatMap(timestamps.date)
        members["type"] = nil
        if date != nil { members["at"] = nil }
        self.init(type: type, at: date, data: members)
    }
}
