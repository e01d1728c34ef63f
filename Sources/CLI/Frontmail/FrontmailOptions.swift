import MartletCommandLineParsing

/// Whose Turnstile keys a token belongs to, in the service's words.
package enum TurnstileKeyChoice: String, CaseIterable, Sendable {
    case org
    case frontmail
}

/// The options of `martlet frontmail`.
package enum FrontmailOptions {
    package static let key = Option(
        "key", short: "k", .text("PUBLIC-KEY"), isRequired: true,
        help: "The account's public key, pk_… A private key is refused.")
    package static let url = Option(
        "url", .text("URL"),
        help:
            "Where the service is, such as http://localhost:8080; https://api.frontmail.dev if it is not given."
    )
    package static let retries = Option(
        "retries", .integer("NUMBER", in: 0...100), default: 3,
        help: "How often a request is made again when the service does not answer or is busy.")
    package static let timeout = Option(
        "timeout", .integer("SECONDS", in: 1...3_600), default: 15,
        help: "How long one attempt may take.")

    package static let template = Option(
        "template", short: "t", .text("TEMPLATE-ID"), isRequired: true,
        help: "The template to send, tpl_…")
    package static let param = Option(
        "param", short: "p", .text("NAME=TEXT"), isRepeatable: true,
        help: "Fill the parameter NAME with a text.")
    package static let jsonParam = Option(
        "param-json", .text("NAME=JSON"), isRepeatable: true,
        help: "Fill the parameter NAME with a JSON value: a number, true, null, a list, an object.")
    package static let attach = Option(
        "attach", short: "a", .file(), isRepeatable: true,
        help: "A file to attach, under its own name.")
    package static let upload = Option(
        "upload", .text("UPLOAD-ID"), isRepeatable: true,
        help: "A file that was uploaded to the service before, upl_…; after those of --attach.")
    package static let service = Option(
        "service", .text("SERVICE-ID"),
        help: "The mail service to send through, svc_…; the template's own one if it is not given.")
    package static let locale = Option(
        "locale", .text("LANGUAGE"), help: "The language of the mail, such as pt-BR.")
    package static let idempotencyKey = Option(
        "idempotency-key", .text("TEXT"),
        help:
            "The service sends one mail for all sends with the same key. A random one if it is not given."
    )
    package static let turnstileToken = Option(
        "turnstile-token", .text("TOKEN"), help: "The token of a Turnstile widget.")
    package static let turnstileKey = Option<TurnstileKeyChoice>(
        "turnstile-key", .choice("OWNER"),
        help: "Whose Turnstile keys the token belongs to.")

    package static let messageID = Argument(
        .text("MESSAGE-ID"), isRequired: true, help: "The ID that send printed.")
    package static let statusToken = Option(
        "status-token", .text("TOKEN"), isRequired: true,
        help: "The status token that send printed; \"-\" reads it from standard input.")

    package static let json = Switch(
        "json", help: "Print the answer, or the error, as a JSON object.")

    static let connection = CommandDefinition.Group("Service", [key, url, retries, timeout])
}
