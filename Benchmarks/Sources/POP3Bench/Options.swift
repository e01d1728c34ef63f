import BenchReport
import MartletPOP3

/// What the command line asks for.
struct Options: Sendable {
    static let usage = """
        usage: pop3-bench HOST:PORT [--user U] [--password P] [--tls CA.pem] [--maildir PATH]
        Retrieves all messages, and with --maildir delivers them there.
        """

    var target = ""
    var user = "perf"
    var password = "perfpw"
    var authorities: String?
    var maildir: String?

    init() throws(Mistake) {
        var words = Words()
        while let argument = words.next() {
            switch argument {
            case "--user": user = try words.value(of: argument)
            case "--password": password = try words.value(of: argument)
            case "--tls": authorities = try words.value(of: argument)
            case "--maildir": maildir = try words.value(of: argument)
            default:
                guard target.isEmpty else { throw Mistake(text: "\(argument) is not known here") }
                target = argument
            }
        }
        guard !target.isEmpty else { throw Mistake(text: "say where") }
    }

    /// The server of `target`.
    func server() throws -> POP3Server {
        let (host, port) = try Words.server(target)
        var server = try POP3Server(
            host: host, port: port,
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
