import MartletBytes
import MartletSASL
import MartletSMTPCore
import MartletTransport

/// Logging in. RFC 4954.
extension SMTPClient {
    /// Logs in with the credentials, if there are any.
    func authenticate(
        _ connection: Connection, _ steps: Steps?
    ) async throws(SMTPError) {
        guard let credentials = server.credentials else { return }
        guard connection.session.isEncrypted || server.allowsPlaintextAuthentication else {
            throw SMTPError(kind: .plaintextAuthenticationNotAllowed, stage: .authentication)
        }
        let offered = connection.session.capabilities.authenticationMechanisms
        let usable = credentials.mechanisms.filter(offered.contains)
        guard !usable.isEmpty else {
            throw SMTPError(kind: .noCommonMechanism(offered: offered), stage: .authentication)
        }
        let password = try await askForPassword(credentials)
        for (index, name) in usable.enumerated() {
            do throws(SMTPError) {
                try await logIn(name, credentials.user, password, connection)
                connection.log?.note("logged in as \(credentials.user) by \(name)")
                steps?.yield(.authenticated(mechanism: name))
                return
            } catch {
                // 504: offered and yet not known. Any other refusal is about the password.
                guard error.reply?.code == 504, index + 1 < usable.count else { throw error }
            }
        }
    }

    // The closure may ask a person: not on the loop.
    private nonisolated func askForPassword(
        _ credentials: Credentials
    ) async throws(SMTPError) -> Secret {
        do {
            return try await credentials.password()
        } catch {
            throw SMTPError(
                kind: error is CancellationError || Task.isCancelled ? .cancelled : .noPassword,
                stage: .authentication, underlying: error)
        }
    }

    private func logIn(
        _ name: String, _ user: String, _ password: Secret, _ connection: Connection
    ) async throws(SMTPError) {
        var mechanism: any SASLMechanism
        do throws(SASLError) {
            mechanism =
                name == "PLAIN"
                ? try PLAIN(user: user, password: password)
                : try LOGIN(user: user, password: password)
        } catch {
            throw SMTPError(kind: .invalidInput("\(error)"), stage: .authentication)
        }
        var step = try await exchange(
            Auth(mechanism: name, initialResponse: mechanism.initialResponse()))
        while case .challenge(let challenge) = step {
            let response: Secret
            do throws(SASLError) {
                response = try mechanism.respond(to: challenge)
            } catch {
                try await exchange(AuthCancel())
                throw SMTPError(
                    kind: .protocolViolation("asked a question that \(name) does not have"),
                    stage: .authentication, underlying: error)
            }
            step = try await exchange(AuthResponse(response))
        }
    }
}
