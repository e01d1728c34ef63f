import MartletCLI
import MartletMIME
import MartletSandbox

/// What a sandbox says about itself: lines for a person, or JSON, an object a line.
struct SandboxVoice: Sendable {
    private let sandbox: Sandbox
    private let files: SandboxFiles
    private let httpPort: Int?
    private let printsJSON: Bool
    private let console: Console

    init(
        _ sandbox: Sandbox, _ files: SandboxFiles, httpPort: Int?, printsJSON: Bool,
        _ console: Console
    ) {
        self.sandbox = sandbox
        self.files = files
        self.httpPort = httpPort
        self.printsJSON = printsJSON
        self.console = console
    }

    // MARK: Start and end

    /// Ports and paths.
    var listening: JSONText {
        let configuration = sandbox.configuration
        return .object([
            ("event", "listening"),
            ("addresses", .array(configuration.listenAddresses.map { .string($0) })),
            ("smtpPort", .count(sandbox.ports.smtp)),
            ("submissionPort", .count(sandbox.ports.submission)),
            ("smtpsPort", .count(sandbox.ports.smtps)),
            ("lmtpPort", .count(sandbox.ports.lmtp)),
            ("imapPort", .count(sandbox.ports.imap)),
            ("imapsPort", .count(sandbox.ports.imaps)),
            ("pop3Port", .count(sandbox.ports.pop3)),
            ("pop3sPort", .count(sandbox.ports.pop3s)),
            ("httpPort", .count(httpPort)),
            ("caFile", .string(files.authorityPath)),
            ("domain", .string(configuration.domain)),
            ("users", .array(configuration.users.keys.sorted().map { .string($0) })),
        ])
    }

    func sayListening() {
        guard !printsJSON else { return console.output(listening.text) }
        let configuration = sandbox.configuration
        let users = configuration.users.keys.sorted().joined(separator: ", ")
        let hosts = configuration.listenAddresses.joined(separator: ", ")
        let isOpen = !configuration.listenAddresses.allSatisfy {
            SocketAddress(numeric: $0, port: 0)?.isLoopback ?? false
        }
        console.output(
            text: """
                Martlet sandbox. Nothing leaves this machine. Ctrl-C ends it.

                  SMTP       \(ports([sandbox.ports.smtp, sandbox.ports.submission], sandbox.ports.smtps))
                  IMAP       \(ports([sandbox.ports.imap], sandbox.ports.imaps))
                  POP3       \(ports([sandbox.ports.pop3], sandbox.ports.pop3s))
                  HTTP       \(httpPort.map { "http://localhost:\($0)/api" } ?? "none")
                  Addresses  \(hosts)
                  Users      \(users.isEmpty ? "anybody, with any password" : users)
                  Mailboxes  every address; a user without a domain is at \(configuration.domain)
                  Authority  \(files.authorityPath)


                """)
        if isOpen { console.remark("Others in the network can reach these ports.") }
    }

    /// `port 2525 or 2587, plain text or STARTTLS; 2465, TLS from the start`.
    private func ports(_ plain: [Int?], _ secure: Int?) -> String {
        let plain = plain.compactMap { $0 }.map { "\($0)" }.joined(separator: " or ")
        var parts: [String] = []
        if !plain.isEmpty { parts.append("port \(plain), plain text or STARTTLS") }
        if let secure { parts.append("port \(secure), TLS from the start") }
        return parts.isEmpty ? "none" : parts.joined(separator: "; ")
    }

    func sayStopped() {
        if printsJSON { console.output(JSONText.object([("event", "stopped")]).text) }
    }

    // MARK: Events

    func say(_ event: Sandbox.Event) {
        if printsJSON {
            console.output(json(of: event).text)
        } else {
            console.output(Console.printable(line(of: event)))
        }
    }

    private func line(of event: Sandbox.Event) -> String {
        switch event {
        case .message(let message):
            let to = message.envelope.forwardPaths.map(\.description).joined(separator: ", ")
            let tls = message.tlsVersion.map { "\($0)" } ?? "plain text"
            let user = message.user.map { ", logged in as \($0)" } ?? ""
            let subject = Message(parsing: message.octets).subject.map { "\"\($0)\", " } ?? ""
            return "\(message.received.timeOfDay)  #\(message.id)  "
                + "\(message.envelope.reversePath) → \(to)  "
                + "\(subject)\(sizeText(message.octets.count)), \(tls)\(user)"
        case .dropped(let count):
            return
                "Memory is full: \(count == 1 ? "the oldest message" : "the \(count) oldest") went."
        case .loginRefused(let user): return "A login as \"\(user)\" was refused."
        case .tlsFailed(let client, let reason): return "TLS with \(client) failed: \(reason)"
        case .fault(let strike):
            let name = strike.fault.name.map { " \"\($0)\"" } ?? strike.id.map { " \($0)" } ?? ""
            return "Fault\(name) struck \(strike.client) at \(strike.command)."
        }
    }

    private func json(of event: Sandbox.Event) -> JSONText {
        switch event {
        case .message(let message):
            .object([("event", "message")] + MessageSummary.members(of: message))
        case .dropped(let count):
            .object([("event", "dropped"), ("count", .integer(count))])
        case .loginRefused(let user):
            .object([("event", "loginRefused"), ("user", .string(user))])
        case .tlsFailed(let client, let reason):
            .object([
                ("event", "tlsFailed"), ("client", .string(client)), ("reason", .string(reason)),
            ])
        case .fault(let strike):
            .object([
                ("event", "fault"), ("id", strike.id.map { .integer($0) } ?? .null),
                ("name", .optional(strike.fault.name)),
                ("protocol", .string(strike.protocol.rawValue)),
                ("command", .string(strike.command)), ("client", .string(strike.client)),
            ])
        }
    }
}

extension WallClock {
    /// `05:09:31`, in the local zone.
    fileprivate var timeOfDay: String {
        let second = ((secondsSinceEpoch + Int64(offsetInMinutes) * 60) % 86_400 + 86_400) % 86_400
        return [second / 3_600, second / 60 % 60, second % 60]
            .map { ($0 < 10 ? "0" : "") + "\($0)" }.joined(separator: ":")
    }
}
