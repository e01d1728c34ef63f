import Foundation

extension Frontmail {
    /// Sends a mail made from a template.
    ///
    /// It goes out once, however often the request has to be made: all attempts carry the same idempotency key.
    ///
    /// - Parameters:
    ///   - templateID: the template, such as `tpl_welcome`.
    ///   - params: what the template is filled with.
    ///   - serviceID: the mail service to send through; the template's own one if it is `nil` or empty.
    ///   - options: Turnstile token, attachments, language, idempotency key.
    /// - Returns: the ID of the message and the token that ``status(messageID:statusToken:)`` asks for. The mail is queued
    ///   then, not delivered.
    /// - Throws: ``FrontmailError``. Cancelling the task gives ``FrontmailError/Code/aborted`` at once; the mail may have
    ///   been accepted then.
    @discardableResult
    public func send(
        templateID: String, params: [String: FrontmailValue] = [:], serviceID: String? = nil,
        options: SendOptions = SendOptions()
    ) async throws -> SendResult {
        try await send(
            templateID: templateID, encodedParams: SendRequest.encodeObject(params),
            serviceID: serviceID,
            options: options)
    }

    /// Sends a mail made from a template that is filled from a value of your own.
    ///
    /// - Parameters:
    ///   - templateID: the template, such as `tpl_welcome`.
    ///   - params: what the template is filled with; must encode to a JSON object. Names of properties stay as they are,
    ///     dates become ISO 8601 text in whole seconds, optionals that are `nil` are left out.
    ///   - serviceID: the mail service to send through; the template's own one if it is `nil` or empty.
    ///   - options: Turnstile token, attachments, language, idempotency key.
    /// - Returns: the ID of the message and the token for its status.
    /// - Throws: ``FrontmailError``, with the code ``FrontmailError/Code/invalidBody`` and no status if `params` cannot be
    ///   encoded (a number that is not finite) or is no object (text, a list): nothing was sent then.
    @discardableResult
    public func send(
        templateID: String, params: some Encodable, serviceID: String? = nil,
        options: SendOptions = SendOptions()
    ) async throws -> SendResult {
        try await send(
            templateID: templateID, encodedParams: SendRequest.encodeObject(params),
            serviceID: serviceID,
            options: options)
    }

    private func send(
        templateID: String, encodedParams: Data, serviceID: String?, options: SendOptions
    ) async throws -> SendResult {
        let body = try SendRequest(
            templateID: templateID, serviceID: serviceID, userID: publicKey, options: options
        ).encoded(params: encodedParams)
        var fields = try keyFields()
        fields["Idempotency-Key"] = try idempotencyKey(options.idempotencyKey)
        fields["Content-Type"] = "application/json"
        let reply = try await perform(
            Request(method: "POST", url: endpoint.send, fields: fields, body: body))
        return try SendResult(reply: reply)
    }

    private func idempotencyKey(_ given: String?) throws -> String {
        guard let given, !given.isEmpty else { return UUID().uuidString.lowercased() }
        return try HeaderValue.checkedKey(given)
    }
}
