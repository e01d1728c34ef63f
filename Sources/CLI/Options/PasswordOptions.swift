import MartletBytes
import MartletCommandLineParsing
import MartletSMTP

/// The options that say who logs in.
enum PasswordOptions {
    static let user = Option(
        "user", short: "u", .text("USER"), help: "Log in as this user. Without it nobody logs in.")
    static let command = Option(
        "password-command", .command(),
        help: "Take the first line that this command prints, run by sh -c, for the password.")
    static let file = Option(
        "password-file", .file(), help: "Take the first line of this file or pipe for the password."
    )
    static let environment = Option(
        "password-env", .text("VARIABLE"),
        help: "Take the value of this environment variable for the password.")
    static let allowsPlaintext = Flag(
        "allow-plaintext-login",
        help: "Log in even without TLS, where everybody on the way can read the password.")

    static let group = CommandDefinition.Group(
        "Login", [user, command, file, environment, allowsPlaintext])

    static let sources: [any OptionDeclaration] = [command, file, environment]

    static let refused = RefusedOption(
        ["password", "pass", "passwd", "pw", "p"],
        "every user of the machine can read a command line. Use --password-command, "
            + "--password-file or --password-env, or let martlet ask for it.")

    /// Lets the server know who logs in, if anybody does.
    ///
    /// A person is asked here, before there is a connection that could time out meanwhile; other sources are read
    /// when the password is needed.
    static func apply(_ parsed: ParsedCommand, to server: inout SMTPServer) throws {
        guard let user = parsed[user] else {
            if let given = sources.first(where: { parsed.isGiven($0) }) {
                throw parsed.usageError(
                    "\(given.definition.longName) needs --user, the name to log in with.")
            }
            return
        }
        guard !user.isEmpty else { throw parsed.usageError("--user is empty.") }
        let source = try source(parsed, user)
        server.credentials = Credentials(user: user) { try await source.read() }
        server.allowsPlaintextAuthentication = parsed[allowsPlaintext]
    }

    private static func source(_ parsed: ParsedCommand, _ user: String) throws -> PasswordSource {
        if let command = parsed[command] { return .command(command) }
        if let file = parsed[file] { return .file(file) }
        if let name = parsed[environment] { return .environment(name) }
        switch HiddenInput.ask("Password of \(user): ") {
        case .secret(let secret): return .typed(secret)
        case .cancelled:
            throw CommandFailure(
                .interrupted, "No password was given.", kind: "cancelled", recovery: "giveUp")
        case .noTerminal:
            throw parsed.usageError(
                "there is no password for --user and no terminal to ask at; give "
                    + "--password-command, --password-file or --password-env.")
        }
    }
}
