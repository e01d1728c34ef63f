import BenchReport
import MartletIMAP

/// What the command line asks for.
struct Options: Sendable {
    static let usage = """
        usage: imap-bench WORK HOST:PORT [--user U] [--password P] [--mailbox M] [--tls CA.pem] [--compress] [--count N]
               imap-bench parse FILE [--count N]
        WORK: envelopes, bodies, flags, download, folders, idle, connections
        """

    var work: Work
    var target = ""
    var user = "perf"
    var password = "perfpw"
    var mailbox = "INBOX"
    var authorities: String?
    var compresses = false
    var count: Int?

    init() throws(Mistake) {
        var words = Words()
        guard let name = words.next(), let work = Work(rawValue: name) else {
            throw Mistake(text: "say what to do")
        }
        self.work = work
        while let argument = words.next() {
            switch argument {
            case "--user": user = try words.value(of: argument)
            case "--password": password = try words.value(of: argument)
            case "--mailbox": mailbox = try words.value(of: argument)
            case "--tls": authorities = try words.value(of: argument)
            case "--compress": compresses = true
            case "--count":
                guard let number = Int(try words.value(of: argument)), number > 0 else {
                    throw Mistake(text: "--count needs a number above 0")
                }
                count = number
            default:
                guard target.isEmpty else { throw Mistake(text: "\(argument) is not known here") }
                target = argument
            }
        }
        guard !target.isEmpty else { throw Mistake(text: "say where") }
    }

    /// The server of `target`.
    func server() throws -> IMAPServer {
        let (host, port) = try Words.server(target)
        var server = try IMAPServer(
            host: host, port: port,
            security: authorities == nil ? .plaintext : .implicitTLS)
        if let authorities { server.tls.trust = .certificateAuthorities(file: authorities) }
        let password = self.password
        server.credentials = Credentials(user: user) { Secret(password) }
        // As the peers do: the others cost milliseconds of arithmetic on both sides.
        server.credentials?.mechanisms = ["PLAIN"]
        server.allowsPlaintextAuthentication = true
        server.compresses = compresses
        return server
    }
}
