import MartletBytes
import MartletSASL
import MartletSMTPCore
import MartletTransport

/// Logging in. RFC 4954.
extension SMTPClient {
    /// Logs in with the credentials, if there are any, by the best mechanism that does.
    func authenticate(
        _ connection: Connection, _ steps: Steps?
    ) async throws(SMTPError) {
        guard let credentials = server.credentials else { return }
        var login = SASLNegotiation(
            credentials, offered: connection.session.capabilities.authenticationMechanisms,
            channel: await loginChannel(connection),
            allowsPlaintext: server.allowsPlaintextAuthentication)
        var refusal: SMTPError?
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
                throw SMTPError(error, refusal)
            }
            if case .done = step { break }
            do throws(SMTPError) {
                answer = try await say(step)
            } catch {
                guard let reply = error.loginReply else { throw error.explained(by: refusal) }
                refusal = error
                answer = .refusal(reply.loginRefusal)
            }
        }
        let name = login.mechanismName ?? ""
        let user = credentials.user.isEmpty ? "" : " as \(credentials.user)"
        connection.log?.note("logged in\(user) by \(name)")
        steps?.yield(.authenticated(mechanism: name))
    }

    private func loginChannel(_ connection: Connection) async -> SASLChannel {
        let bindings = await connection.channel.channelBindings?.all ?? []
        return SASLChannel(
            service: "smtp", host: server.host, port: server.port,
            isEncrypted: connection.session.isEncrypted,
            bindings: bindings.map {
                SASLChannelBinding(name: $0.kind.rawValue, octets: $0.octets)
            }, secondsSinceEpoch: WallClock.now.secondsSinceEpoch)
    }

    private func say(
        _ step: SASLNegotiation.Step
    ) async throws(SMTPError) -> SASLNegotiation.Answer {
        let said: AuthStep
        switch step {
        case .start(let mechanism, let initialResponse):
            said = try await exchange(
                Auth(mechanism: mechanism, initialResponse: initialResponse))
        case .respond(let response): said = try await exchange(AuthResponse(response))
        case .cancel:
            try await exchange(AuthCancel())
            return .refusal(SASLRefusal(.mechanism, words: "given up"))
        case .done: return .success()
        }
        return switch said {
        case .challenge(let challenge): .challenge(challenge)
        case .succeeded: .success()
        }
    }
}

extension SMTPError {
    /// The reply by which a server refused a login.
    fileprivate var loginReply: SMTPReply? {
        if case .authenticationRefused(let reply) = kind { reply } else { nil }
    }

    /// A server that closes the connection after a refusal has said the reason before.
    fileprivate func explained(by refusal: SMTPError?) -> SMTPError {
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
    fileprivate init(_ failure: SASLFailure, _ refusal: SMTPError?) {
        // One attempt is told by the reply itself.
        let underlying: (any Error)? = failure.story == nil ? nil : failure
        switch failure.kind {
        case .noCommonMechanism(let offered):
            self.init(kind: .noCommonMechanism(offered: offered), stage: .authentication)
        case .plaintextNotAllowed:
            self.init(kind: .plaintextAuthenticationNotAllowed, stage: .authentication)
        case .noSecret:
            let isCancelled = failure.underlying is CancellationError || Task.isCancelled
            self.init(
                kind: isCancelled ? .cancelled : .noPassword, stage: .authentication,
                underlying: failure.underlying)
        case .refused:
            self = refusal ?? SMTPError(kind: .unexpectedClose, stage: .authentication)
            self.underlying = underlying
        case .unusable(let error) where error.kind == .invalidCredentials:
            self.init(kind: .invalidInput(error.description), stage: .authentication)
        case .unusable(let error), .serverNotAuthentic(let error):
            self.init(
                kind: .protocolViolation(error.predicate), stage: .authentication,
                underlying: underlying ?? error)
        }
    }
}
