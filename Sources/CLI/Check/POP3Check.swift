import MartletPOP3
import MartletTransport

/// What was found of a POP3 server, layer by layer.
struct POP3Check {
    private let server: POP3Server
    private(set) var report: CheckReport

    init(_ server: POP3Server) {
        self.server = server
        report = CheckReport(
            host: server.host, port: server.port, security: server.security,
            layers: ["DNS", "TCP", "TLS", "GREETING", "OFFERS", "LOGIN", "MAILDROP"])
        if server.security == .plaintext { report["TLS"].note = "not asked for (--tls plaintext)" }
        guard server.credentials == nil else { return }
        report["LOGIN"].note = "no --user given"
        report["MAILDROP"].note = "needs a login"
    }

    // MARK: What happened

    mutating func add(
        _ step: POP3ConnectionStep, after duration: Duration, _ lookUps: TimedLookUps.Result
    ) {
        switch step {
        case .connected(let address): report.connected(to: address, after: duration, lookUps)
        case .secured(let info): report.secured(info, after: duration)
        case .greeted(let greeting):
            report["GREETING"].pass(after: duration, [greeting.reply.text])
        case .capabilities(let capabilities):
            report["OFFERS"].pass(after: duration, Self.details(of: capabilities))
            report.extra = [
                (
                    "capabilities",
                    .array(
                        capabilities.all.map { entry in
                            .string(
                                ([entry.name.description] + entry.parameters).joined(separator: " ")
                            )
                        })
                )
            ]
        case .authenticated(let mechanism):
            report["LOGIN"].pass(
                after: duration,
                ["logged in as \(server.credentials?.user ?? "") by \(mechanism)"])
        }
    }

    mutating func found(_ status: MaildropStatus, after duration: Duration) {
        report["MAILDROP"].pass(after: duration, ["\(status.messageCount) messages"])
        report.extra.append(("messageCount", .integer(status.messageCount)))
    }

    private static func details(of capabilities: POP3Capabilities) -> [String] {
        let words = capabilities.all.map { entry in
            ([entry.name.description] + entry.parameters).joined(separator: " ")
        }
        return words.isEmpty ? ["no capabilities"] : [words.joined(separator: ", ")]
    }

    // MARK: Failures

    mutating func fail(
        _ error: any Error, after duration: Duration, _ lookUps: TimedLookUps.Result
    ) {
        let failure = CommandFailure(error)
        let transport = (error as? POP3Error)?.underlying as? TransportError
        let isLookUp = transport?.stage == .resolve
        let dns = report["DNS"]
        if !isLookUp, dns.outcome == .skipped, dns.note == nil { report.resolved(lookUps) }
        let layer = isLookUp ? "DNS" : failedLayer(error as? POP3Error)
        report.fail(layer, after: duration, failure, advice(for: layer))
    }

    /// The layer that was due.
    private func failedLayer(_ error: POP3Error?) -> String {
        switch error?.kind {
        case .tlsRequiredButNotOffered, .injectedPlaintext: return "TLS"
        case .authenticationRefused, .noCommonMechanism, .plaintextAuthenticationNotAllowed,
            .noPassword, .loginDelayed:
            return "LOGIN"
        default: break
        }
        let order =
            switch server.security {
            case .implicitTLS: ["TCP", "TLS", "GREETING", "OFFERS", "LOGIN", "MAILDROP"]
            case .startTLS: ["TCP", "GREETING", "TLS", "OFFERS", "LOGIN", "MAILDROP"]
            case .plaintext: ["TCP", "GREETING", "OFFERS", "LOGIN", "MAILDROP"]
            }
        return order.first { report[$0].outcome != .passed } ?? "MAILDROP"
    }

    /// What the error's own sentence does not say, since it does not know the settings.
    private func advice(for layer: String) -> String? {
        switch layer {
        case "TCP": "POP3 is usually at port 995 (--tls implicit) or 110 (--tls starttls)."
        case "TLS":
            server.security == .implicitTLS
                ? "If the server wants STARTTLS here, say --tls starttls."
                : "If the server wants TLS from the start, say --tls implicit."
        case "GREETING" where server.security != .implicitTLS:
            "A server that waits for TLS says nothing: try --tls implicit."
        case "LOGIN":
            "Some providers want the whole address as --user, a password made for programs, or --oauth."
        default: nil
        }
    }
}
