// Everything that the Frontmail SDK offers, once: what this file says compiles in Swift 5 and in Swift 6 mode.
import Foundation
import Frontmail

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

struct Order: Encodable {
    var number: Int
    var placedAt: Date
    var note: String?
}

func makeClients() throws -> [Frontmail] {
    let url = URL(string: "https://mail.example.test")!
    return [
        try Frontmail(publicKey: "pk_4f2a"),
        try Frontmail(publicKey: "pk_4f2a", retry: .disabled),
        try Frontmail(
            publicKey: "pk_4f2a", apiURL: url,
            retry: RetryPolicy(maxRetries: 5, baseDelay: 0.1, maxDelay: 3), timeout: 20,
            session: URLSession(configuration: .ephemeral)),
    ]
}

func sendInAllWays(_ frontmail: Frontmail) async throws {
    try await frontmail.send(templateID: "tpl_hello")
    try await frontmail.send(templateID: "tpl_hello", params: [:])
    try await frontmail.send(templateID: "tpl_hello", params: ["name": "Ana"])
    try await frontmail.send(
        templateID: "tpl_hello", params: ["name": "Ana", "count": 3, "vip": true, "note": nil],
        serviceID: "svc_main")
    try await frontmail.send(templateID: "tpl_hello", params: ["name": .string("Ana")])
    let rows: [FrontmailValue] = [["sku": "Z-9", "price": 1.5], .object(["sku": .null])]
    try await frontmail.send(templateID: "tpl_rows", params: ["rows": .array(rows)])
    let result: SendResult = try await frontmail.send(
        templateID: "tpl_order", params: Order(number: 7, placedAt: Date(), note: nil),
        options: SendOptions(
            turnstileToken: "token", turnstileKey: .org,
            attachments: [
                .data(Data("hello".utf8), filename: "a.txt", contentType: "text/plain"),
                .upload(id: "upl_7"),
            ],
            idempotencyKey: "order-7", locale: "pt-BR"))
    print(result.messageID, result.status, result.statusToken, result.locale ?? "-")
}

func follow(_ result: SendResult, _ frontmail: Frontmail) async throws {
    let status: MessageStatus = try await frontmail.status(
        messageID: result.messageID, statusToken: result.statusToken)
    switch status.status {
    case .queued, .sending, .sent, .held, .heldServiceError: print("on its way")
    case .delivered: print("there")
    case .bounced, .complained, .failed, .discarded: print("lost")
    case .unknown(let word): print(word)
    }
    for event in status.events { print(event.type, event.at ?? Date(), event.data) }
    print(status.createdAt ?? Date(), status.sentAt ?? Date())
    print(status.messageID, status.templateID ?? "", status.serviceID ?? "")
}

func explain(_ error: FrontmailError) {
    if error.code == .originNotAllowed { print("allow mobile apps in the settings") }
    if error.code == FrontmailError.Code(rawValue: "brand_new") { print("news") }
    let categories = [
        error.isAuth, error.isValidation, error.isRateLimit, error.isInsufficientCredits,
        error.isNetwork, error.isCancelled,
    ]
    print(error, error.message, error.status ?? 0, error.docsURL, categories)
    print(Int(error.retryAfter ?? 60))
    if case .object(let details)? = error.details { print(details["issues"] ?? .null) }
}

func challenge(_ frontmail: Frontmail) async throws {
    let config: PublicConfig = try await frontmail.publicConfig()
    print(config.turnstile.mobileSiteKey ?? "-", config.turnstile.mobileBaseURL as Any)
    print(try await Frontmail.fetchPublicConfig(apiURL: frontmail.apiURL) == config)
    let shared: Turnstile.Widget = try await Turnstile.widget(client: frontmail)
    let own = Turnstile.Widget.custom(
        siteKey: "0x4AAA", baseURL: URL(string: "https://app.example.test")!)
    for widget in [shared, own] {
        let themes: [Turnstile.Theme] = [.auto, .light, .dark]
        let sizes: [Turnstile.Size] = [.normal, .flexible, .compact]
        print(themes, sizes.map(\.recommendedHeight), widget.turnstileKey)
        print(
            Turnstile.html(
                siteKey: widget.siteKey, theme: .auto, size: .flexible, action: "signup",
                language: "pl"))
        switch Turnstile.navigationAction(url: nil, baseURL: widget.baseURL, isTopFrame: nil) {
        case .allow, .cancel: break
        case .openExternally(let url): print(url)
        }
        print(Turnstile.isTrustedMessageOrigin(nil, baseURL: widget.baseURL))
    }
    switch Turnstile.parseMessage("{}") {
    case .token(let token)?: print(token)
    case .expired?: print("expired")
    case .error(let code)?: print(code ?? "")
    case nil: break
    }
    print(Turnstile.resetScript, Turnstile.messageHandlerName, Frontmail.version)
}

// Nothing is sent by looking at it.
print(try makeClients().map(\.publicKey))
explain(FrontmailError(code: .rateLimited, message: "Too many.", status: 429, retryAfter: 3))
