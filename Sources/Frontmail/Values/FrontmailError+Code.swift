import Foundation

extension FrontmailError {
    /// The kind of an error: an open list, so that codes of later versions of the service come through.
    public struct Code: RawRepresentable, Hashable, Sendable, CustomStringConvertible {
        /// The service's word, such as `origin_not_allowed`.
        public let rawValue: String

        /// Makes a code from the service's word.
        public init(rawValue: String) { self.rawValue = rawValue }

        private init(_ word: String) { self.init(rawValue: word) }

        /// The service's word.
        public var description: String { rawValue }

        /// The page about it.
        var docsURL: URL {
            let anchor = rawValue.replacingOccurrences(of: "_", with: "-")
                .addingPercentEncoding(withAllowedCharacters: Endpoint.unreserved)
            return URL(string: "https://docs.frontmail.dev/reference/errors/#" + (anchor ?? ""))!
        }
    }
}

// Bad requests (400, 422)
extension FrontmailError.Code {
    /// The request is malformed; also an error answer of 4xx that does not say more.
    public static let badRequest = Self("bad_request")
    /// The request does not fit the schema; without a status, parameters that cannot be encoded as a JSON object.
    public static let invalidBody = Self("invalid_body")
    /// The idempotency key is too long or has characters it must not have.
    public static let invalidIdempotencyKey = Self("invalid_idempotency_key")
    /// The parameters do not fit the template; see ``FrontmailError/details``.
    public static let invalidTemplateParams = Self("invalid_template_params")
    /// The account translates templates, and has not set that up.
    public static let translationNotConfigured = Self("translation_not_configured")
    /// A translation does not fit its template.
    public static let translationInvalid = Self("translation_invalid")
    /// The translation service refuses the account.
    public static let translationProviderAuth = Self("translation_provider_auth")
    /// The template could not be filled.
    public static let templateRenderFailed = Self("template_render_failed")
    /// The recipient is no address.
    public static let invalidRecipient = Self("invalid_recipient")
    /// The mail service cannot send this template.
    public static let serviceUnavailableForTemplate = Self("service_unavailable_for_template")
    /// Neither the template nor the mail service has a sender.
    public static let senderNotConfigured = Self("sender_not_configured")
}

// Keys, rights and credits (401, 402, 403)
extension FrontmailError.Code {
    /// No key, or none that counts here.
    public static let unauthorized = Self("unauthorized")
    /// The public key is unknown or switched off.
    public static let invalidPublicKey = Self("invalid_public_key")
    /// The private key is unknown or revoked.
    public static let invalidPrivateKey = Self("invalid_private_key")
    /// The account has no credits, and refuses mail instead of holding it.
    public static let insufficientCredits = Self("insufficient_credits")
    /// Not allowed.
    public static let forbidden = Self("forbidden")
    /// The site is not on the list; for apps: the account does not allow mobile apps.
    public static let originNotAllowed = Self("origin_not_allowed")
    /// The template wants a Turnstile token.
    public static let captchaRequired = Self("captcha_required")
    /// The Turnstile token was refused; without a status, there is no shared widget.
    public static let captchaFailed = Self("captcha_failed")
    /// The template wants a Turnstile token, and the account has no keys for it.
    public static let captchaNotConfigured = Self("captcha_not_configured")
    /// Automated browsers are refused.
    public static let headlessBlocked = Self("headless_blocked")
    /// The recipient is on the block list.
    public static let recipientBlocked = Self("recipient_blocked")
    /// Only a private key may do this.
    public static let privateKeyRequired = Self("private_key_required")
    /// A private key where anybody can read it; without a status, the SDK refused it.
    public static let privateKeyInBrowser = Self("private_key_in_browser")
    /// The account's own address is not confirmed.
    public static let emailNotVerified = Self("email_not_verified")
    /// The account is suspended.
    public static let organizationSuspended = Self("organization_suspended")
    /// A limit of the account's plan is reached.
    public static let planLimitReached = Self("plan_limit_reached")
    /// The recipient must not come from the parameters.
    public static let dynamicRecipientNotAllowed = Self("dynamic_recipient_not_allowed")
    /// The recipient may come from the parameters only with Turnstile.
    public static let dynamicRecipientRequiresCaptcha = Self("dynamic_recipient_requires_captcha")
    /// A header field of a locked template must not come from the parameters.
    public static let dynamicFieldNotAllowed = Self("dynamic_field_not_allowed")
    /// The mail would link to a place that is not allowed.
    public static let linkNotAllowed = Self("link_not_allowed")
    /// No attachments here.
    public static let attachmentsNotAllowed = Self("attachments_not_allowed")
}

// What is not there, what is in conflict, what is too large, what is too much (404, 409, 413, 429, 451)
extension FrontmailError.Code {
    /// No such path.
    public static let notFound = Self("not_found")
    /// No such mail service.
    public static let serviceNotFound = Self("service_not_found")
    /// No such template.
    public static let templateNotFound = Self("template_not_found")
    /// No such message, or not with this token.
    public static let messageNotFound = Self("message_not_found")
    /// The request is in conflict with another.
    public static let conflict = Self("conflict")
    /// The idempotency key was used for another request.
    public static let idempotencyConflict = Self("idempotency_conflict")
    /// The request is too large.
    public static let payloadTooLarge = Self("payload_too_large")
    /// An attachment, or all together, are too large.
    public static let attachmentTooLarge = Self("attachment_too_large")
    /// Too many requests.
    public static let rateLimited = Self("rate_limited")
    /// Too many test mails.
    public static let testSendLimit = Self("test_send_limit")
    /// The recipient gets no mail from this account any more.
    public static let recipientSuppressed = Self("recipient_suppressed")
}

// Faults of the service (5xx)
extension FrontmailError.Code {
    /// The service failed; also an error answer of 5xx that does not say more.
    public static let internalError = Self("internal_error")
    /// The mail provider failed.
    public static let providerError = Self("provider_error")
    /// The translation service failed.
    public static let translationProviderError = Self("translation_provider_error")
    /// The service has no time now.
    public static let serviceUnavailable = Self("service_unavailable")
}

// What arises here, without a status
extension FrontmailError.Code {
    /// No answer came: no connection, no such host, TLS refused, connection broken.
    public static let networkError = Self("network_error")
    /// No answer came in time.
    public static let timeout = Self("timeout")
    /// The task was cancelled.
    public static let aborted = Self("aborted")
    /// The answer is not what the service answers: something else is at that address, or stands between.
    public static let invalidResponse = Self("invalid_response")
}
