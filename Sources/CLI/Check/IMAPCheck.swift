import MartletIMAP
import MartletTransport

/// What was found of an IMAP server, layer by layer.
struct IMAPCheck {
    private let server: IMAPServer
    private(set) var report: CheckReport
    private var isLoggedIn = false

    init(_ server: IMAPServer) {
        self.server = server
        report = CheckReport(
            host: server.host, port: server.port, security: server.security,
            layers: ["DNS", "TCP", "TLS", "GREETING", "OFFERS", "LOGIN", "SERVER", "MAILBOXES"])
        if server.security == .plaintext { report["TLS"].note = "not asked for (--tls plaintext)" }
        report["SERVER"].note = "nothing is known of servers like this one"
        guard server.credentials == nil else { return }
        report["LOGIN"].note = "no --user given"
        report["MAILBOXES"].note = "needs a login"
    }

    // MARK: What happened

    mutating func add(
        _ step: IMAPConnectionStep, after duration: Duration, _ lookUps: TimedLookUps.Result
    ) {
        switch step {
        case .connected(let address): report.connected(to: address, after: duration, lookUps)
        case .secured(let info): report.secured(info, after: duration)
        case .greeted(let greeting):
            report["GREETING"].pass(
                after: duration, ["\(greeting.kind.rawValue) \(greeting.text.words)"])
        case .capabilities(let capabilities):
            report["OFFERS"].pass(after: duration, Self.details(of: capabilities))
            offered(capabilities)
        case .authenticated(let mechanism):
            isLoggedIn = true
            report["LOGIN"].note = nil
            report["LOGIN"].pass(
                after: duration,
                [
                    mechanism == "PREAUTH"
                        ? "not needed: the server knows who connects"
                        : "logged in as \(server.credentials?.user ?? "") by \(mechanism)"
                ])
        case .identified(let identity):
            let words = identity.parameters.compactMap { parameter in
                parameter.value.map { "\(parameter.name): \($0)" }
            }
            report["SERVER"].pass(after: duration, words.isEmpty ? ["says nothing"] : words)
            report["SERVER"].note = nil
        case .compressed: break
        }
    }

    private mutating func offered(_ capabilities: Capabilities) {
        report.extra = [
            ("capabilities", .array(capabilities.words.map { .string("\($0)") }))
        ]
        if isLoggedIn { report["OFFERS"].note = Self.advice(for: capabilities) }
        if server.security == .plaintext, capabilities.has(.startTLS) {
            report["TLS"].note = "not asked for, and offered: say --tls starttls"
        }
    }

    /// What is known of servers like this one.
    mutating func recognized(_ profile: ServerProfile?) {
        report.extra.append(("profile", .optional(profile?.name)))
        guard let profile else {
            if report["SERVER"].outcome == .passed { return }
            report["SERVER"].note = "nothing is known of servers like this one"
            return
        }
        report["SERVER"].pass(
            after: .zero,
            report["SERVER"].details + ["treated as \(profile.name):"]
                + profile.measures.map { "  \($0)" })
        report["SERVER"].note = nil
    }

    mutating func found(_ mailboxes: [ListedMailbox], after duration: Duration) {
        let special = mailboxes.flatMap { mailbox in
            mailbox.entry.attributes.filter(MailboxAttribute.specialUses.contains).map {
                "\($0) is \(mailbox.entry.name.text)"
            }
        }
        report["MAILBOXES"].pass(after: duration, ["\(mailboxes.count) mailboxes"] + special)
        report.extra.append(("mailboxCount", .integer(mailboxes.count)))
    }

    // MARK: Failures

    mutating func fail(
        _ error: any Error, after duration: Duration, _ lookUps: TimedLookUps.Result
    ) {
        let failure = CommandFailure(error)
        let transport = (error as? IMAPError)?.underlying as? TransportError
        let isLookUp = transport?.stage == .resolve
        let dns = report["DNS"]
        if !isLookUp, dns.outcome == .skipped, dns.note == nil { report.resolved(lookUps) }
        if report["SERVER"].outcome == .skipped { report["SERVER"].note = nil }
        let layer = isLookUp ? "DNS" : failedLayer(error as? IMAPError)
        report.fail(layer, after: duration, failure, advice(for: layer))
    }

    /// The layer that was due.
    private func failedLayer(_ error: IMAPError?) -> String {
        switch error?.kind {
        case .tlsRequiredButNotOffered, .injectedPlaintext: return "TLS"
        case .authenticationRefused, .noCommonMechanism, .plaintextAuthenticationNotAllowed,
            .noPassword:
            return "LOGIN"
        default: break
        }
        let order =
            switch server.security {
            case .implicitTLS: ["TCP", "TLS", "GREETING", "OFFERS", "LOGIN", "MAILBOXES"]
            case .startTLS: ["TCP", "GREETING", "TLS", "OFFERS", "LOGIN", "MAILBOXES"]
            case .plaintext: ["TCP", "GREETING", "OFFERS", "LOGIN", "MAILBOXES"]
            }
        return order.first { report[$0].outcome != .passed } ?? "MAILBOXES"
    }

    /// What the error's own sentence does not say, since it does not know the settings.
    private func advice(for layer: String) -> String? {
        switch layer {
        case "TCP":
            return "IMAP is usually at port 993 (--tls implicit) or 143 (--tls starttls)."
        case "TLS":
            return server.security == .implicitTLS
                ? "If the server wants STARTTLS here, say --tls starttls."
                : "If the server wants TLS from the start, say --tls implicit."
        case "GREETING":
            guard server.security != .implicitTLS else { return nil }
            return "A server that waits for TLS says nothing: try --tls implicit."
        case "LOGIN":
            return
                "Some providers want the whole address as --user, a password made for programs, or --oauth."
        default: return nil
        }
    }

    // MARK: Offers

    private static func details(of capabilities: Capabilities) -> [String] {
        var lines: [String] = []
        var line = ""
        for word in capabilities.words.map({ "\($0)" }) {
            if !line.isEmpty, line.count + word.count > 79 {
                lines.append(line)
                line = ""
            }
            line += line.isEmpty ? word : " " + word
        }
        return line.isEmpty ? lines : lines + [line]
    }

    /// What is missed, and what that costs.
    private static func advice(for capabilities: Capabilities) -> String? {
        let missed: [(Capability, String)] = [
            (.idle, "IDLE (new mail is asked for once a minute)"),
            (.uidPlus, "UIDPLUS (messages cannot be removed one by one)"),
            (.move, "MOVE (messages are copied, then removed)"),
            (.condStore, "CONDSTORE (changed flags are found by reading all)"),
            (.specialUse, "SPECIAL-USE (folders for sent mail and drafts are guessed by name)"),
        ].filter { !capabilities.has($0.0) }
        guard !missed.isEmpty else { return nil }
        return "It lacks " + missed.map(\.1).joined(separator: ", ") + "."
    }
}
