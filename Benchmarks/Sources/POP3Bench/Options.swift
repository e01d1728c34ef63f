import MartletPOP3

/// What the command line asks for.
struct Options: Sendable {
    struct Mistake: Error { var text: String }

    static let usage = """
        usage: pop3-bench HOST:PORT [--user U] [--password P] [--tls CA.pem] [--maildir PATH]
        Retrieves all messages, and with --maildir delivers them there.
        """

    var target = ""
    var user = "perf"
    var password = "perfpw"
    var authorities: String?
    var maildir: String?

    init(_ arguments: ArraySlice<String>) throws(Mistake) {
        var rest = arguments
        while let argument = rest.popFirst() {
            switch argument {
            case "--user": user = try Self.value(&rest, argument)
            case "--password": password = try Self.value(&rest, argument)
            case "--tls": authorities = try Self.value(&rest, argument)
            case "--maildir": maildir = try Self.value(&rest, argument)
            default:
                guard target.isEmpty else { throw Mistake(text: "\(argument) is not known here") }
                target = argument
            }
        }
        guard !target.isEmpty else { throw Mistake(text: "say where") }
    }

    private static func value(
        _ rest: inout ArraySlice<String>, _ option: String
    ) throws(Mistake) -> String {
        guard let text = rest.popFirst() else { throw Mistake(text: "\(option) needs a value") }
        return text
    }

    /// The server of `target`.
    func server() throws -> POP3Server {
        guard let colon = target.lastIndex(of: ":"),
            let port = Int(target[target.index(after: colon)...])
        else { throw Mistake(text: "\(target) is not HOST:PORT") }
        var server = try POP3Server(
            host: String(target[..<colon]), port: port,
            security: authorities == nil ? .plaintext : .implicitTLS)
        if let authorities { server.tls.trust = .certificateAuthorities(file: authorities) }
        let password = self.password
        server.credentials = Credentials(user: user) { Secret(password) }
        // As the peers do: the others cost milliseconds of arithmetic on both sides.
        server.credentials?.mechanisms = ["PLAIN"]
        server.allowsPlaintextAuthentication = true
        return server
    }
}
