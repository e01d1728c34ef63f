import Foundation
import Frontmail
import Testing

/// The categories that an error is in.
func categories(_ error: FrontmailError) -> Set<String> {
    var names: Set<String> = []
    if error.isAuth { names.insert("auth") }
    if error.isValidation { names.insert("validation") }
    if error.isRateLimit { names.insert("rate limit") }
    if error.isInsufficientCredits { names.insert("credits") }
    if error.isNetwork { names.insert("network") }
    if error.isCancelled { names.insert("cancelled") }
    return names
}

/// A code of the service with its status and category.
struct KnownCode: Sendable, CustomTestStringConvertible {
    let code: FrontmailError.Code
    let word: String
    let status: Int?
    let category: String?

    init(_ code: FrontmailError.Code, _ word: String, _ status: Int?, _ category: String? = nil) {
        self.code = code
        self.word = word
        self.status = status
        self.category = category
    }

    var testDescription: String { word }

    static let all: [KnownCode] = [
        KnownCode(.badRequest, "bad_request", 400, "validation"),
        KnownCode(.invalidBody, "invalid_body", 400, "validation"),
        KnownCode(.invalidIdempotencyKey, "invalid_idempotency_key", 400, "validation"),
        KnownCode(.unauthorized, "unauthorized", 401, "auth"),
        KnownCode(.invalidPublicKey, "invalid_public_key", 401, "auth"),
        KnownCode(.invalidPrivateKey, "invalid_private_key", 401, "auth"),
        KnownCode(.insufficientCredits, "insufficient_credits", 402, "credits"),
        KnownCode(.forbidden, "forbidden", 403, "auth"),
        KnownCode(.originNotAllowed, "origin_not_allowed", 403, "auth"),
        KnownCode(.captchaRequired, "captcha_required", 403),
        KnownCode(.captchaFailed, "captcha_failed", 403),
        KnownCode(.captchaNotConfigured, "captcha_not_configured", 403),
        KnownCode(.headlessBlocked, "headless_blocked", 403),
        KnownCode(.recipientBlocked, "recipient_blocked", 403),
        KnownCode(.privateKeyRequired, "private_key_required", 403, "auth"),
        KnownCode(.privateKeyInBrowser, "private_key_in_browser", 403, "auth"),
        KnownCode(.emailNotVerified, "email_not_verified", 403),
        KnownCode(.organizationSuspended, "organization_suspended", 403),
        KnownCode(.planLimitReached, "plan_limit_reached", 403),
        KnownCode(.dynamicRecipientNotAllowed, "dynamic_recipient_not_allowed", 403),
        KnownCode(.dynamicRecipientRequiresCaptcha, "dynamic_recipient_requires_captcha", 403),
        KnownCode(.dynamicFieldNotAllowed, "dynamic_field_not_allowed", 403),
        KnownCode(.linkNotAllowed, "link_not_allowed", 403),
        KnownCode(.attachmentsNotAllowed, "attachments_not_allowed", 403),
        KnownCode(.notFound, "not_found", 404),
        KnownCode(.serviceNotFound, "service_not_found", 404),
        KnownCode(.templateNotFound, "template_not_found", 404),
        KnownCode(.messageNotFound, "message_not_found", 404),
        KnownCode(.conflict, "conflict", 409),
        KnownCode(.idempotencyConflict, "idempotency_conflict", 409),
        KnownCode(.payloadTooLarge, "payload_too_large", 413),
        KnownCode(.attachmentTooLarge, "attachment_too_large", 413),
        KnownCode(.invalidTemplateParams, "invalid_template_params", 422, "validation"),
        KnownCode(.translationNotConfigured, "translation_not_configured", 422, "validation"),
        KnownCode(.translationInvalid, "translation_invalid", 422, "validation"),
        KnownCode(.translationProviderAuth, "translation_provider_auth", 422, "validation"),
        KnownCode(.templateRenderFailed, "template_render_failed", 422, "validation"),
        KnownCode(.invalidRecipient, "invalid_recipient", 422, "validation"),
        KnownCode(
            .serviceUnavailableForTemplate, "service_unavailable_for_template", 422, "validation"),
        KnownCode(.senderNotConfigured, "sender_not_configured", 422, "validation"),
        KnownCode(.rateLimited, "rate_limited", 429, "rate limit"),
        KnownCode(.testSendLimit, "test_send_limit", 429, "rate limit"),
        KnownCode(.recipientSuppressed, "recipient_suppressed", 451),
        KnownCode(.internalError, "internal_error", 500),
        KnownCode(.providerError, "provider_error", 502),
        KnownCode(.translationProviderError, "translation_provider_error", 502),
        KnownCode(.serviceUnavailable, "service_unavailable", 503),
        KnownCode(.networkError, "network_error", nil, "network"),
        KnownCode(.timeout, "timeout", nil, "network"),
        KnownCode(.aborted, "aborted", nil, "cancelled"),
        KnownCode(.invalidResponse, "invalid_response", nil),
    ]
}

@Suite("Errors")
struct ErrorTests {
    @Test("Each code has its word and its category", arguments: KnownCode.all)
    func code(known: KnownCode) {
        #expect(known.code.rawValue == known.word)
        let error = FrontmailError(
            code: FrontmailError.Code(rawValue: known.word), message: "m", status: known.status)
        #expect(error.code == known.code)
        #expect(categories(error) == Set([known.category].compactMap { $0 }))
    }

    @Test(
        "A code of the service comes through with its status",
        arguments: KnownCode.all.filter { $0.status != nil })
    func fromService(known: KnownCode) async throws {
        let service = ScriptedService(
            .answer(known.status ?? 0, [:], #"{"error":{"code":"\#(known.word)","message":"m"}}"#))
        let client = try service.client(retry: .disabled)
        let error = await failure { try await client.send(templateID: "t") }
        #expect(error?.code == known.code)
        #expect(error?.status == known.status)
        #expect(error.map(categories) == Set([known.category].compactMap { $0 }))
    }

    @Test("A private key that the SDK refused is a matter of keys")
    func ownRefusal() {
        #expect(categories(FrontmailError(code: .privateKeyInBrowser, message: "")) == ["auth"])
        #expect(categories(FrontmailError(code: .invalidBody, message: "")) == ["validation"])
        #expect(categories(FrontmailError(code: .captchaFailed, message: "")) == [])
    }

    @Test(
        "Codes of the SDK's own in an answer are not its own errors",
        arguments: ["aborted", "timeout", "network_error"])
    func borrowedCodes(word: String) {
        let error = FrontmailError(code: .init(rawValue: word), message: "", status: 400)
        #expect(categories(error) == ["validation"])
    }

    @Test("An error reads as a sentence, with a page about it")
    func reading() {
        let error: any Error = FrontmailError(
            code: .rateLimited, message: "Too many.", status: 429, retryAfter: 3)
        #expect("\(error)" == "Too many. (rate_limited, HTTP 429)")
        #expect(error.localizedDescription == "Too many. (rate_limited, HTTP 429)")
        #expect(
            "\(FrontmailError(code: .timeout, message: "Late."))" == "Late. (timeout)")
        #expect(
            FrontmailError(code: .init(rawValue: "a b\n<"), message: "").docsURL.absoluteString
                == "https://docs.frontmail.dev/reference/errors/#a%20b%0A%3C")
    }
}
