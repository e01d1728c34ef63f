import MartletBytes
import MartletCommandLineParsing
import MartletSASL

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
    static let isToken = Switch(
        "oauth",
        help:
            "What is given for the password is an OAuth 2 access token, as Gmail and Office 365 want it."
    )
    static let allowsPlaintext = Switch(
        "allow-plaintext-login",
        help: "Log in even without TLS, where everybody on the way can read the password.")

    static let group = CommandDefinition.Group(
        "Login", [user, command, file, environment, isToken, allowsPlaintext])

    static let sources: [any OptionDeclaration] = [command, file, environment]

    static let refused = RefusedOption(
        ["password", "pass", "passwd", "pw", "p"],
        "every user of the machine can read a command line. Use --password-command, "
            + "--password-file or --password-env, or let martlet ask for it.")

    /// Who logs in; `nil`: nobody.
    ///
    /// A person is asked here, before there is a connection that could time out meanwhile; other sources are read
    /// when the password is needed.
    static func credentials(of parsed: ParsedCommand) throws -> Credentials? {
        guard let user = parsed[user] else {
            let needsUser: [any OptionDeclaration] = sources + [isToken]
            if let given = needsUser.first(where: { parsed.isGiven($0) }) {
                throw parsed.usageError(
                    "\(given.definition.longName) needs --user, the name to log in with.")
            }
            return nil
        }
        guard !user.isEmpty else { throw parsed.usageError("--user is empty.") }
        let source = try source(parsed, user)
        if parsed[isToken] {
            return Credentials(user: user, token: { _ in try await source.read() })
        }
        return Credentials(user: user, password: { try await source.read() })
    }

    private static func source(_ parsed: ParsedCommand, _ user: String) throws -> PasswordSource {
        if let command = parsed[command] { return .command(command) }
        if let file = parsed[file] { return .file(file) }
        if let name = parsed[environment] { return .environment(name) }
        switch HiddenInput.ask("\(parsed[isToken] ? "Token" : "Password") of \(user): ") {
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
