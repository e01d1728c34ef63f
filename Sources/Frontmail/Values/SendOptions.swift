import Foundation

/// What a send may carry beside the template and its parameters.
public struct SendOptions: Sendable, Hashable {
    /// The token that the Turnstile widget gave, for templates that need one. It is good for one send.
    public var turnstileToken: String?
    /// Whose Turnstile keys the token belongs to: ``Turnstile/Widget/turnstileKey`` of the widget that gave it.
    public var turnstileKey: Turnstile.Key?
    /// Files that go with the mail, in this order. Their number and size are the service's to limit.
    public var attachments: [Attachment]
    /// What names this send: the service sends one mail for all requests with the same key. A random one is made for each
    /// send if it is `nil` or empty. Give your own to repeat a send safely after your app was ended.
    public var idempotencyKey: String?
    /// The language of the mail as a BCP 47 tag such as `pt-BR`; the template's own one if it is `nil` or empty. It goes
    /// to the service unchanged, which refuses `pt_BR`.
    public var locale: String?

    /// Makes options; those that are not given are left out of the request.
    public init(
        turnstileToken: String? = nil, turnstileKey: Turnstile.Key? = nil,
        attachments: [Attachment] = [], idempotencyKey: String? = nil, locale: String? = nil
    ) {
        self.turnstileToken = turnstileToken
        self.turnstileKey = turnstileKey
        self.attachments = attachments
        self.idempotencyKey = idempotencyKey
        self.locale = locale
    }
}

/// A file that goes with a mail.
public enum Attachment: Sendable, Hashable {
    /// Octets that go with the request.
    ///
    /// - Parameters:
    ///   - filename: the name that the recipient sees.
    ///   - contentType: the media type, such as `application/pdf`.
    case data(Data, filename: String, contentType: String)
    /// A file that was uploaded to the service before.
    ///
    /// - Parameter id: the ID of the upload, such as `upl_…`.
    case upload(id: String)
}

/// ``Attachment`` under a name of its own, for files that see another module's type of that name as well.
public typealias FrontmailAttachment = Attachment
