import MartletSMTP
import MartletTransport

/// What was found of an SMTP server, layer by layer.
struct SMTPCheck {
    private let server: SMTPServer
    private(set) var report: CheckReport
    private var greeting: SMTPReply?

    init(_ server: SMTPServer, tries sender: Bool) {
        self.server = server
        report = CheckReport(
            host: server.host, port: server.port, security: server.security,
            layers: ["DNS", "TCP", "TLS", "EHLO", "AUTH", "MAIL FROM"])
        if server.security == .plaintext { report["TLS"].note = "not asked for (--tls plaintext)" }
        if server.credentials == nil { report["AUTH"].note = "no --user given" }
        if !sender { report["MAIL FROM"].note = "no --from given" }
    }

    // MARK: What happened

    mutating func add(
        _ step: SMTPConnectionStep, after duration: Duration, _ lookUps: TimedLookUps.Result
    ) {
        switch step {
        case .connected(let address): report.connected(to: address, after: duration, lookUps)
        case .secured(let info): report.secured(info, after: duration)
        case .greeted(let reply):
            greeting = reply
            report["EHLO"].duration = duration
        case .introduced(let capabilities):
            report["EHLO"].pass(after: duration, details(of: capabilities))
            if server.security == .plaintext, server.credentials == nil {
                report["TLS"].note =
                    "not asked for: everybody on the way can read and change the mail"
            }
        case .authenticated(let mechanism):
            report["AUTH"].pass(after: duration, ["logged in as \(user) by \(mechanism)"])
        }
    }

    mutating func mayBeSent(from path: ReversePath, after duration: Duration) {
        report["MAIL FROM"].pass(after: duration, ["\(path) may send"])
    }

    private var user: String { server.credentials?.user ?? "" }

    mutating func fail(
        _ error: any Error, after duration: Duration, _ lookUps: TimedLookUps.Result
    ) {
        let failure = CommandFailure(error)
        let smtp = error as? SMTPError
        let transport = smtp?.underlying as? TransportError
        let dns = report["DNS"]
        if transport?.stage != .resolve, dns.outcome == .skipped, dns.note == nil {
            report.resolved(lookUps)
        }
        let layer =
            switch smtp?.stage {
            case .connect where transport?.stage == .resolve: "DNS"
            case .connect: "TCP"
            case .tlsHandshake, .startTLS: "TLS"
            case .greeting, .ehlo, .helo: "EHLO"
            case .authentication: "AUTH"
            default: "MAIL FROM"
            }
        report.fail(layer, after: duration, failure, advice(for: smtp, transport))
    }

    // MARK: Advice

    /// What the error's own sentence does not say, since it does not know the settings.
    private func advice(for error: SMTPError?, _ transport: TransportError?) -> String? {
        switch error?.stage {
        case .connect:
            guard transport?.stage != .resolve else { return nil }
            return server.port == 25
                ? "Many networks block port 25; try the submission ports 465 or 587."
                : "Mail is usually submitted at port 465 (--tls implicit) or 587 (--tls starttls)."
        case .tlsHandshake, .startTLS:
            return server.security == .implicitTLS
                ? "If the server wants STARTTLS here, say --tls starttls."
                : "If the server wants TLS from the start, say --tls implicit."
        case .greeting:
            guard server.security != .implicitTLS else { return nil }
            return "A server that waits for TLS says nothing: try --tls implicit."
        case .authentication:
            return
                "Some providers want the whole address as --user, or a password made for programs."
        case .mailFrom:
            return server.credentials == nil
                ? "The server may want a login first: add --user."
                : "The server may let \(user) send under other addresses only."
        default: return nil
        }
    }

    // MARK: Details

    private func details(of capabilities: SMTPCapabilities) -> [String] {
        let names = capabilities.extensions.map { entry in
            ([entry.keyword.keyword] + entry.parameters).joined(separator: " ")
        }
        let offers = names.isEmpty ? "no extensions" : names.joined(separator: ", ")
        return (greeting.map { ["\($0)"] } ?? []) + [offers]
    }
}
