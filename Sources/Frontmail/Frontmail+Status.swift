import Foundation

extension Frontmail {
    /// Asks what has become of a mail.
    ///
    /// - Parameters:
    ///   - messageID: the ID from ``SendResult/messageID``.
    ///   - statusToken: the token from ``SendResult/statusToken``; it opens this one message only.
    /// - Throws: ``FrontmailError``; ``FrontmailError/Code/messageNotFound`` for an unknown ID and for a wrong token alike.
    public func status(messageID: String, statusToken: String) async throws -> MessageStatus {
        guard let url = endpoint.message(messageID) else {
            throw FrontmailError(.messageNotFound, "No message can have the ID \"\(messageID)\".")
        }
        var fields = try keyFields()
        fields["X-Frontmail-Status-Token"] = try HeaderValue.checked(
            statusToken, or: .badRequest, "The status token")
        let reply = try await perform(Request(method: "GET", url: url, fields: fields, body: nil))
        return try MessageStatus(reply: reply)
    }
}
