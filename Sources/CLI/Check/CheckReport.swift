import MartletSMTP
import MartletTransport

/// The layers between this machine and a sent message, and how each did.
struct CheckReport {
    /// One layer.
    struct Layer {
        enum Outcome: String {
            case passed, failed, skipped
        }

        let name: String
        var outcome = Outcome.skipped
        var duration: Duration?
        /// What was found, a line each.
        var details: [String] = []
        /// Why it was skipped, or what to do.
        var note: String?

        init(_ name: String) { self.name = name }

        mutating func pass(after duration: Duration, _ details: [String]) {
            outcome = .passed
            self.duration = (self.duration ?? .zero) + duration
            self.details = details
        }
    }

    private let server: SMTPServer
    var dns = Layer("DNS")
    var tcp = Layer("TCP")
    var tls = Layer("TLS")
    var ehlo = Layer("EHLO")
    var login = Layer("AUTH")
    var mailFrom = Layer("MAIL FROM")
    private var greeting: SMTPReply?
    private(set) var failure: CommandFailure?

    init(_ server: SMTPServer) {
        self.server = server
        if server.security == .plaintext { tls.note = "not asked for (--tls plaintext)" }
        if server.credentials == nil { login.note = "no --user given" }
    }

    var status: ExitStatus { failure?.status ?? .success }
    private var layers: [Layer] { [dns, tcp, tls, ehlo, login, mailFrom] }

    // MARK: What happened

    mutating func add(
        _ step: SMTPConnectionStep, after duration: Duration, _ lookUps: TimedLookUps.Result
    ) {
        switch step {
        case .connected(let address):
            passed(lookUps)
            let connecting = max(.zero, duration - (lookUps.duration ?? .zero))
            tcp.pass(after: connecting, ["connected to \(address.map { "\($0)" } ?? server.host)"])
        case .secured(let info):
            tls.pass(after: duration, Self.details(of: info))
        case .greeted(let reply):
            greeting = reply
            ehlo.duration = duration
        case .introduced(let capabilities):
            ehlo.pass(after: duration, details(of: capabilities))
            if server.security == .plaintext, server.credentials == nil {
                tls.note = "not asked for: everybody on the way can read and change the mail"
            }
        case .authenticated(let mechanism):
            login.pass(after: duration, ["logged in as \(user) by \(mechanism)"])
        }
    }

    private var user: String { server.credentials?.user ?? "" }

    private mutating func passed(_ lookUps: TimedLookUps.Result) {
        if let duration = lookUps.duration {
            dns.pass(after: duration, [lookUps.addresses.map(\.address).joined(separator: ", ")])
        } else {
            dns.note = "an address needs no look-up"
        }
    }

    mutating func fail(
        _ error: any Error, after duration: Duration, _ lookUps: TimedLookUps.Result
    ) {
        let failure = CommandFailure(error)
        self.failure = failure
        let smtp = error as? SMTPError
        let transport = smtp?.underlying as? TransportError
        if transport?.stage != .resolve, dns.outcome == .skipped, dns.note == nil {
            passed(lookUps)
        }
        let advice = advice(for: smtp, transport)
        switch smtp?.stage {
        case .connect where transport?.stage == .resolve:
            fail(\.dns, after: duration, failure, advice)
        case .connect: fail(\.tcp, after: duration, failure, advice)
        case .tlsHandshake, .startTLS: fail(\.tls, after: duration, failure, advice)
        case .greeting, .ehlo, .helo: fail(\.ehlo, after: duration, failure, advice)
        case .authentication: fail(\.login, after: duration, failure, advice)
        default: fail(\.mailFrom, after: duration, failure, advice)
        }
        for layer in [\CheckReport.tcp, \.tls, \.ehlo, \.login, \.mailFrom]
        where self[keyPath: layer].outcome == .skipped && self[keyPath: layer].note == nil {
            self[keyPath: layer].note = "not reached"
        }
    }

    private mutating func fail(
        _ layer: WritableKeyPath<CheckReport, Layer>, after duration: Duration,
        _ failure: CommandFailure, _ advice: String?
    ) {
        self[keyPath: layer].outcome = .failed
        self[keyPath: layer].duration = duration
        self[keyPath: layer].details = [failure.message]
        self[keyPath: layer].note = advice
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

    private static func details(of info: TLSConnectionInfo) -> [String] {
        let session = ["\(info.version), \(info.cipherSuite)"]
        guard let certificate = info.peerCertificates.first else { return session }
        return session + [
            "certificate of \(certificate.names.joined(separator: ", "))",
            "issued by \(certificate.issuer), valid until \(certificate.notAfter)",
        ]
    }
}

extension CheckReport {
    /// For a person.
    var text: String {
        var text = "\(server.host), port \(server.port), \(server.security.rawValue)\n\n"
        for layer in layers {
            let time = layer.duration.map { "\($0.millisecondsText) ms" } ?? ""
            text += "  \(layer.name.padded(to: 11))\(layer.outcome.rawValue.padded(to: 9))"
            text += String(repeating: " ", count: max(0, 12 - time.count)) + time
            let lines = layer.details + (layer.note.map { [$0] } ?? [])
            for (index, line) in lines.enumerated() {
                text += index > 0 ? "\n" + String(repeating: " ", count: 36) : "  "
                text += Console.printable(line)
            }
            text += "\n"
        }
        return text
    }

    /// For a program.
    var json: JSONText {
        var members: [(name: String, value: JSONText)] = [
            ("ok", .bool(failure == nil)),
            ("exitStatus", .integer(Int(status.rawValue))),
            ("host", .string(server.host)),
            ("port", .integer(server.port)),
            ("tls", .string(server.security.rawValue)),
            (
                "layers",
                .array(
                    layers.map { layer in
                        .object([
                            ("name", .string(layer.name)),
                            ("outcome", .string(layer.outcome.rawValue)),
                            ("milliseconds", layer.duration.map { .milliseconds($0) } ?? .null),
                            ("details", .array(layer.details.map { .string($0) })),
                            ("note", .optional(layer.note)),
                        ])
                    })
            ),
        ]
        if let failure { members.append(("error", failure.json)) }
        return .object(members)
    }
}
