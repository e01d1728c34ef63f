import MartletCommandLineParsing

/// A small program whose table uses everything a table can say.
enum Sample {
    enum Mode: String, CaseIterable, Sendable {
        case implicit, starttls, plaintext
    }

    static let server = Option("server", .hostAndPort, isRequired: true, help: "Where to connect.")
    static let mode = Option<Mode>(
        "tls", .choice("MODE"), default: .starttls,
        help: "How the connection is protected. A second sentence that only the long help has.")
    static let attach = Option(
        "attach", short: "a", .file(), isRepeatable: true, help: "A file to attach [any kind].")
    static let subject = Option(
        "subject", short: "s", .text("TEXT"), help: "The subject: a 'text'.")
    static let count = Option("count", short: "n", .integer("N", in: 0...99), help: "How many.")
    static let folder = Option(
        "state-folder-of-the-program", .folder(), help: "Where things are kept: “état”.")
    static let command = Option("run", .command(), help: "What to run.")
    static let json = Switch("json", short: "j", help: "Print JSON.")
    static let quiet = Switch("quiet", short: "q", help: "Print nothing.")
    static let body = Argument(
        .file("BODY"), help: "The body; standard input if it is \"-\" or absent.")
    static let shell = Argument<Shell>(.choice("SHELL"), isRequired: true, help: "The shell.")

    static var send: CommandDefinition {
        var send = CommandDefinition(name: "send", summary: "Send a message")
        send.discussion = [
            "Sends one message and waits until the server has taken it over. This paragraph is long "
                + "enough to be wrapped at the right margin of an ordinary terminal."
        ]
        send.groups = [
            .init("Server", [server, mode, count]),
            .init("Message", [subject, attach]),
            .init("Output", [json, quiet, folder, command]),
        ]
        send.arguments = [body]
        send.exclusions = [[json, quiet]]
        send.refused = [
            RefusedOption(["password", "p"], "everybody can see it; use --run instead.")
        ]
        send.examples = [
            .init("Send a file", "sample send --server mail.example.org:465 \\\n    body.txt"),
            .init("Send nothing", "sample send --server [::1]:25 </dev/null"),
        ]
        send.exitStatuses = [.init(0, "Sent."), .init(64, "The command line is wrong.")]
        return send
    }

    static var table: CommandTable {
        var smtp = CommandDefinition(name: "smtp", summary: "Check an SMTP server")
        smtp.groups = [.init("Server", [server])]
        var check = CommandDefinition(name: "check", summary: "Check a server")
        check.subcommands = [smtp]
        var completions = CommandDefinition(
            name: "completions", summary: "Print a script for a shell")
        completions.arguments = [shell]
        var root = CommandDefinition(name: "sample", summary: "Mail for examples")
        root.discussion = [".A paragraph that starts with a dot and holds a \\ and a-hyphen."]
        root.subcommands = [send, check, completions]
        root.exitStatuses = send.exitStatuses
        root.examples = send.examples
        return CommandTable(root: root, version: "1.2")
    }
}
