import MartletIMAP

/// What the command line asks for.
struct Options: Sendable {
    struct Mistake: Error { var text: String }

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

    init(_ arguments: ArraySlice<String>) throws(Mistake) {
        var rest = arguments
        guard let name = rest.popFirst(), let work = Work(rawValue: name) else {
            throw Mistake(text: "say what to do")
        }
        self.work = work
        while let argument = rest.popFirst() {
            switch argument {
            case "--user": user = try Self.value(&rest, argument)
            case "--password": password = try Self.value(&rest, argument)
            case "--mailbox": mailbox = try Self.value(&rest, argument)
            case "--tls": authorities = try Self.value(&rest, argument)
            case "--compress": compresses = true
            case "--count":
                guard let number = Int(try Self.value(&rest, argument)), number > 0 else {
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

    private static func value(
        _ rest: inout ArraySlice<String>, _ option: String
    ) throws(Mistake) -> String {
        guard let text = rest.popFirst() else { throw Mistake(text: "\(option) needs a value") }
        return text
    }

    /// The server of `target`.
    func server() throws -> IMAPServer {
        guard let colon = target.lastIndex(of: ":"),
            let port = Int(target[target.index(after: colon)...])
        else { throw Mistake(text: "\(target) is not HOST:PORT") }
        var server = try IMAPServer(
            host: String(target[..<colon]), port: port,
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
