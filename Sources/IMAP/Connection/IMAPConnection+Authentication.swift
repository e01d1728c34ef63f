import MartletBytes
import MartletIMAPCore
import MartletSASL
import MartletTransport

/// Logging in. RFC 9051 §6.2.2, §6.2.3.
extension IMAPConnection {
    /// Logs in with the credentials, if there are any and the server asks for some.
    func authenticate(_ steps: Steps?) async throws(IMAPError) {
        guard !session.isAuthenticated else {
            steps?.yield(.authenticated(mechanism: "PREAUTH"))
            return
        }
        guard let credentials = server.credentials else { return }
        let mechanism = try await logIn(credentials)
        log?.note("logged in as \(credentials.user) by \(mechanism)")
        steps?.yield(.authenticated(mechanism: mechanism))
    }

    /// Returns the mechanism that did it.
    private func logIn(_ credentials: Credentials) async throws(IMAPError) -> String {
        var login = SASLNegotiation(
            credentials, offered: capabilities.authenticationMechanisms,
            channel: await saslChannel(),
            allowsPlaintext: server.allowsPlaintextAuthentication)
        var exchange = Exchange()
        do throws(SASLFailure) {
            var step = try await login.start()
            while let answer = await carryOut(step, &exchange) {
                step = try await login.receive(answer)
            }
            if let error = exchange.failure { throw SASLFailure(.noSecret, underlying: error) }
            return login.mechanismName ?? ""
        } catch {
            if let failure = exchange.failure { throw failure }
            guard mayUseLoginCommand(after: error, credentials) else {
                throw IMAPError(error, exchange.refusal)
            }
        }
        // Servers that offer no mechanism have the command.
        let password: Secret
        do throws(SASLFailure) {
            password = try await login.passwordForCommand(
                allowsPlaintext: server.allowsPlaintextAuthentication)
        } catch {
            throw IMAPError(error, nil)
        }
        try await run(IMAP.Login(user: credentials.user, password: password))
        return "LOGIN"
    }

    private func mayUseLoginCommand(after error: SASLFailure, _ credentials: Credentials) -> Bool {
        guard case .noCommonMechanism = error.kind, credentials.mechanisms == nil,
            case .password = credentials.proof
        else { return false }
        return !capabilities.has(.loginDisabled)
    }

    /// What a login over several commands has come to.
    private struct Exchange {
        var id: CommandID?
        var command: IMAP.Authenticate?
        /// The first response, where the server has to ask for it.
        var heldBack: Secret?
        /// The first response, where it went out with the command and nothing was heard since.
        var sentAhead: Secret?
        /// The last refusal.
        var refusal: ResponseText?
        /// Why the connection is over.
        var failure: IMAPError?
    }

    /// Does what a login wants to be done; `nil` when it is over.
    private func carryOut(
        _ step: SASLNegotiation.Step, _ exchange: inout Exchange
    ) async -> SASLNegotiation.Answer? {
        do throws(IMAPError) {
            switch step {
            case .start(let mechanism, let response):
                let isDirect = capabilities.has(.saslIR)
                try start(mechanism, response, isDirect: isDirect, &exchange)
            case .respond(let response): answer(response.base64, exchange.id)
            case .cancel: answer(nil, exchange.id)
            case .done: return nil
            }
            return try await serverAnswer(&exchange)
        } catch {
            // A server that refuses a login and closes has said why.
            exchange.failure =
                exchange.refusal.map {
                    IMAPError(kind: .authenticationRefused($0), command: "AUTHENTICATE")
                } ?? error
            return nil
        }
    }

    private func start(
        _ mechanism: String, _ response: Secret?, isDirect: Bool, _ exchange: inout Exchange
    ) throws(IMAPError) {
        let command = try IMAP.Authenticate(
            mechanism: mechanism,
            initialResponse: isDirect
                ? response.map { $0.count == 0 ? Secret("=") : $0.base64 } : nil)
        exchange.heldBack = isDirect ? nil : response
        exchange.sentAhead = isDirect ? response : nil
        exchange.command = command
        exchange.id = try submit(command)
    }

    /// QUIRK(sasl-ir-refused): a server may offer SASL-IR and say BAD to a response in the command. Then it is left out from
    /// now on, and asked for. Returns whether that was so.
    private func repeats(_ end: TaggedResponse, _ exchange: inout Exchange) throws(IMAPError)
        -> Bool
    {
        guard end.condition == .bad, end.text.code != .authenticationFailed,
            let response = exchange.sentAhead, let command = exchange.command
        else { return false }
        session.distrusted.insert(.saslIR)
        log?.note("SASL-IR is offered and refused: not used")
        try start(command.mechanism, response, isDirect: false, &exchange)
        return true
    }

    private func answer(_ response: Secret?, _ id: CommandID?) {
        guard let id else { return }
        session.respond(response, to: id)
        settle()
    }

    private func serverAnswer(
        _ exchange: inout Exchange
    ) async throws(IMAPError) -> SASLNegotiation.Answer {
        while true {
            guard let id = exchange.id else { throw IMAPError(kind: .cancelled) }
            switch await outcome(of: id) {
            case .challenge(let octets):
                exchange.sentAhead = nil
                if let heldBack = exchange.heldBack {
                    exchange.heldBack = nil
                    answer(heldBack.base64, id)
                    continue
                }
                // QUIRK(challenge-not-base64): words behind `+` where an empty challenge is due.
                return .challenge(Base64.decode(octets) ?? [])
            case .completed(_, let end):
                guard end.condition != .ok else { return .success() }
                if try repeats(end, &exchange) { continue }
                exchange.refusal = sentSecrets.masked(end.text)
                let words = sentSecrets.masked(end.text).words
                return .refusal(
                    SASLRefusal(
                        Self.reason(end), words: words.isEmpty ? "\(end.condition.rawValue)" : words
                    ))
            case .failed(let error): throw error.doing("AUTHENTICATE", server.host)
            case .grown: continue
            }
        }
    }

    private static func reason(_ end: TaggedResponse) -> SASLRefusal.Reason {
        if end.condition == .bad { return .mechanism }
        switch end.text.code {
        case .unavailable, .contactAdmin, .limit, .inUse, .serverBug, .throttled:
            return .unavailable
        case .cannot, .privacyRequired, .clientBug: return .mechanism
        default: return .credentials
        }
    }

    private func saslChannel() async -> SASLChannel {
        let bindings = await channel.channelBindings?.all ?? []
        return SASLChannel(
            service: "imap", host: server.host, port: server.port, isEncrypted: session.isEncrypted,
            bindings: bindings.map {
                SASLChannelBinding(name: $0.kind.rawValue, octets: $0.octets)
            },
            secondsSinceEpoch: WallClock.now.secondsSinceEpoch)
    }
}

extension IMAPError {
    /// What a failed login means.
    init(_ failure: SASLFailure, _ refusal: ResponseText?) {
        let kind: Kind
        switch failure.kind {
        case .noCommonMechanism(let offered): kind = .noCommonMechanism(offered: offered)
        case .plaintextNotAllowed: kind = .plaintextAuthenticationNotAllowed
        case .noSecret:
            let isCancelled = failure.underlying is CancellationError || Task.isCancelled
            kind = isCancelled ? .cancelled : .noPassword
        case .refused(let refused):
            kind = .authenticationRefused(refusal ?? ResponseText(refused.words))
        case .unusable(let error): kind = Self.kind(of: error)
        case .serverNotAuthentic:
            kind = .protocolViolation("has not proven that it knows the password")
        }
        self.init(kind: kind, command: "AUTHENTICATE", underlying: failure.underlying ?? failure)
    }

    /// What the caller gave, or what the server said.
    private static func kind(of error: SASLError) -> Kind {
        switch error.kind {
        case .invalidCredentials, .unavailable: .invalidInput("\(error)")
        default:
            .protocolViolation(
                "asked for a login that cannot be: \(error.detail.isEmpty ? "\(error)" : error.detail)"
            )
        }
    }
}

extension Secret {
    /// The octets in base64.
    fileprivate var base64: Secret {
        withOctets { octets in
            var text: [UInt8] = []
            Base64.append(octets, to: &text)
            defer { for index in text.indices { text[index] = 0 } }
            return Secret(octets: text)
        }
    }
}
