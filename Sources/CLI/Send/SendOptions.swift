import MartletCommandLineParsing

/// The options of `martlet send`.
enum SendOptions {
    static let from = Option(
        "from", short: "f", .text("ADDRESS"),
        help: "Who writes: an address, or \"Name <address>\".")
    static let to = Option(
        "to", short: "t", .text("ADDRESS"), isRepeatable: true,
        help: "Who gets it. Several addresses may also be separated by commas.")
    static let cc = Option(
        "cc", .text("ADDRESS"), isRepeatable: true, help: "Who gets a copy that everybody sees.")
    static let bcc = Option(
        "bcc", .text("ADDRESS"), isRepeatable: true,
        help: "Who gets a copy that nobody else learns of.")
    static let subject = Option("subject", short: "s", .text("TEXT"), help: "The subject.")
    static let html = Option(
        "html", .file(),
        help: "The text as HTML, in UTF-8. Without FILE it is the only text, and standard input is "
            + "not read.")
    static let attach = Option(
        "attach", short: "a", .file(), isRepeatable: true,
        help: "A file to attach, under its own name.")
    static let envelopeFrom = Option(
        "envelope-from", .text("ADDRESS"),
        help: "Where failure notices go, if not to --from; \"<>\" for nowhere.")

    static let raw = Switch(
        "raw",
        help:
            "FILE is a ready message with its header: send it as it is, but for Bcc fields, which "
            + "are removed.")
    static let readsRecipients = Switch(
        "read-recipients",
        help:
            "With --raw: send to the addresses in its To, Cc and Bcc fields; of a message that was resent, in those "
            + "of its newest Resent- block.")

    static let json = Switch(
        "json", help: "Print what became of each recipient as a JSON object on standard output.")

    static let body = Argument(
        .file(), help: "The text in UTF-8, or with --raw the message; standard input without it.")

    /// What only makes sense when a message is composed.
    static let composing: [any OptionDeclaration] = [cc, bcc, subject, html, attach]
}
