import MartletBytes
import MartletPOP3Core
import MartletSASL
import MartletTransport

/// Logging in. RFC 5034, RFC 1939 §7.
extension POP3Client {
    /// Logs in with the credentials, if there are any, by the best way that does. Returns whether there were any.
    func authenticate(
        _ connection: Connection, _ steps: Steps?
    ) async throws(POP3Error) -> Bool {
        guard let credentials = server.credentials else { return false }
        if server.usesUTF8 || credentials.user.utf8.contains(where: { $0 >= 0x80 }) {
            try await switchOnUTF8(connection)
        }
        let mechanism = try await logIn(credentials, connection)
        let user = credentials.user.isEmpty ? "" : " as \(credentials.user)"
        connection.log?.note("logged in\(user) by \(mechanism)")
        steps?.yield(.authenticated(mechanism: mechanism))
        return true
    }

    /// RFC 6856 §2: before the login or not at all.
    private func switchOnUTF8(_ connection: Connection) async throws(POP3Error) {
        guard connection.session.capabilities.has(.utf8) else { return }
        do throws(POP3Error) {
            try await exchange(POP3.Utf8())
        } catch {
            guard case .refused = error.kind else { throw error }
        }
    }

    /// Returns the mechanism that did it.
    private func logIn(
        _ credentials: Credentials, _ connection: Connection
    ) async throws(POP3Error) -> String {
        var login = SASLNegotiation(
            credentials, offered: connection.session.capabilities.authenticationMechanisms,
            channel: await saslChannel(connection),
            allowsPlaintext: server.allowsPlaintextAuthentication)
        var refusal: POP3Error?
        var answer: SASLNegotiation.Answer?
        while true {
            let step: SASLNegotiation.Step
            do throws(SASLFailure) {
                // Both leave the loop: they ask a person, derive keys.
                if let answer {
                    step = try await login.receive(answer)
                } else {
                    step = try await login.start()
                }
            } catch {
                guard let command = loginCommand(after: error, credentials, connection) else {
                    throw POP3Error(error, refusal)
                }
                return try await logIn(by: command, &login, connection)
            }
            if case .done = step { return login.mechanismName ?? "" }
            do throws(POP3Error) {
                answer = try await say(step)
            } catch {
                guard case .authenticationRefused(let reply) = error.kind else {
                    throw error.explained(by: refusal)
                }
                refusal = error
                answer = .refusal(reply.loginRefusal)
            }
        }
    }

    private func say(
        _ step: SASLNegotiation.Step
    ) async throws(POP3Error) -> SASLNegotiation.Answer {
        let said: POP3.AuthStep
        switch step {
        case .start(let mechanism, let initialResponse):
            said = try await exchange(
                POP3.Auth(mechanism: mechanism, initialResponse: initialResponse))
        case .respond(let response): said = try await exchange(POP3.AuthResponse(response))
        case .cancel:
            try await exchange(POP3.AuthCancel())
            return .refusal(SASLRefusal(.mechanism, words: "given up"))
        case .done: return .success()
        }
        return switch said {
        case .challenge(let challenge): .challenge(challenge)
        case .succeeded: .success()
        }
    }

    private func saslChannel(_ connection: Connection) async -> SASLChannel {
        let bindings = await connection.channel.channelBindings?.all ?? []
        return SASLChannel(
            service: "pop", host: server.host, port: server.port,
            isEncrypted: connection.session.isEncrypted,
            bindings: bindings.map {
                SASLChannelBinding(name: $0.kind.rawValue, octets: $0.octets)
            }, secondsSinceEpoch: WallClock.now.secondsSinceEpoch)
    }

    // MARK: Commands of POP3's own

    private enum LoginCommand {
        case user
        case apop(timestamp: [UInt8])
    }

    /// What to try where no SASL mechanism does: what the caller names, else USER, else APOP over TLS.
    private func loginCommand(
        after error: SASLFailure, _ credentials: Credentials, _ connection: Connection
    ) -> LoginCommand? {
        guard case .noCommonMechanism = error.kind, case .password = credentials.proof else {
            return nil
        }
        let timestamp = connection.greeting?.timestamp
        if let names = credentials.mechanisms {
            for name in names.map({ POP3Capability($0).name }) {
                if name == "APOP", let timestamp { return .apop(timestamp: timestamp) }
                if name == "USER" { return .user }
            }
            return nil
        }
        let capabilities = connection.session.capabilities
        let lacksUser = !capabilities.all.isEmpty && !capabilities.has(.user)
        if lacksUser, connection.session.isEncrypted, let timestamp {
            return .apop(timestamp: timestamp)
        }
        return .user
    }

    private func logIn(
        by command: LoginCommand, _ login: inout SASLNegotiation, _ connection: Connection
    ) async throws(POP3Error) -> String {
        let user = server.credentials?.user ?? ""
        let password: Secret
        do throws(SASLFailure) {
            switch command {
            case .user:
                password = try await login.passwordForCommand(
                    allowsPlaintext: server.allowsPlaintextAuthentication)
            // It does not tell the password.
            case .apop: password = try await login.passwordForCommand(allowsPlaintext: true)
            }
        } catch {
            throw POP3Error(error, nil)
        }
        switch command {
        case .user:
            try await exchange(POP3.User(user))
            try await exchange(POP3.Pass(password))
            return "USER"
        case .apop(let timestamp):
            try await exchange(
                POP3.Apop(user: user, password: password, timestamp: timestamp))
            return "APOP"
        }
    }
}

extension POP3Error {
    /// A server that closes the connection after a refusal has said the reason before.
    fileprivate func explained(by refusal: POP3Error?) -> POP3Error {
        switch kind {
        case .unexpectedClose, .transport, .serviceClosing:
            guard var refusal else { return self }
            refusal.underlying = self
            return refusal
        default: return self
        }
    }

    /// What a login that came to nothing means here.
    ///
    /// - Parameter refusal: the server's last no, if it said one.
    fileprivate init(_ failure: SASLFailure, _ refusal: POP3Error?) {
        // One attempt is told by the reply itself.
        let underlying: (any Error)? = failure.story == nil ? nil : failure
        switch failure.kind {
        case .noCommonMechanism(let offered):
            self.init(kind: .noCommonMechanism(offered: offered), command: "AUTH")
        case .plaintextNotAllowed:
            self.init(kind: .plaintextAuthenticationNotAllowed, command: "AUTH")
        case .noSecret:
            let isCancelled = failure.underlying is CancellationError || Task.isCancelled
            self.init(
                kind: isCancelled ? .cancelled : .noPassword, command: "AUTH",
                underlying: failure.underlying)
        case .refused:
            self = refusal ?? POP3Error(kind: .unexpectedClose, command: "AUTH")
            self.underlying = underlying
        case .unusable(let error) where error.kind == .invalidCredentials:
            self.init(kind: .invalidInput(error.description), command: "AUTH")
        case .unusable(let error), .serverNotAuthentic(let error):
            self.init(
                kind: .protocolViolation(error.predicate), command: "AUTH",
                underlying: underlying ?? error)
        }
    }
}
