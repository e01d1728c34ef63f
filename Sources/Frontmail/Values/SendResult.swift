/// What the service answers when it has accepted a mail.
public struct SendResult: Hashable, Sendable {
    /// The ID of the message, for ``Frontmail/Frontmail/status(messageID:statusToken:)``.
    public let messageID: String
    /// ``DeliveryStatus/queued``, or ``DeliveryStatus/held`` while the account has no credits.
    public let status: DeliveryStatus
    /// Opens the status of this one message.
    public let statusToken: String
    /// The language that was used; `nil` if the template has none to choose from.
    public let locale: String?

    /// Makes a result, for tests and previews of your own.
    public init(
        messageID: String, status: DeliveryStatus, statusToken: String, locale: String? = nil
    ) {
        self.messageID = messageID
        self.status = status
        self.statusToken = statusToken
        self.locale = locale
    }

    /// - Throws: ``FrontmailError`` with the code `invalid_response` if it is no such answer.
    init(reply: Reply) throws {
        let members = try reply.members()
        self.init(
            messageID: try reply.text("message_id", in: members),
            status: DeliveryStatus(rawValue: members["status"]?.stringValue ?? ""),
            statusToken: try reply.text("status_token", in: members),
            locale: members["locale"]?.stringValue)
    }
}
