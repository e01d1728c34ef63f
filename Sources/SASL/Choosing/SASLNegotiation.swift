import MartletBytes

/// A login from the server's list to its end: what to say next, whatever the protocol around it.
///
///     var login = SASLNegotiation(credentials, offered: list, channel: channel)
///     var step = try await login.start()
///     while true {
///         switch step {
///         case .start(let name, let initialResponse): …send AUTH or AUTHENTICATE…
///         case .respond(let response): …send it in base64…
///         case .cancel: …send "*"…
///         case .done: return
///         }
///         step = try await login.receive(…the server's answer…)
///     }
///
/// It asks for password or token, computes, tries the next mechanism after a refusal (`SASLSelection`), asks for a
/// fresh token once, and believes a success only when the mechanism has seen all that the server owes. Both methods
/// leave the caller's executor: nothing of it runs on an event loop.
public struct SASLNegotiation: Sendable {
    /// What to do next.
    public enum Step: Sendable {
        /// Begin with a mechanism. `nil`: the server speaks first. A response that cannot be sent along is left out: the
        /// server then asks for it with an empty challenge.
        case start(mechanism: String, initialResponse: Secret?)
        /// Answer the challenge.
        case respond(Secret)
        /// Give the exchange up; the server then refuses it.
        case cancel
        /// The login is done.
        case done
    }

    /// What a server says to a step.
    public enum Answer: Sendable {
        /// A challenge, decoded.
        case challenge([UInt8])
        /// The login is done, perhaps with octets that came along.
        case success(additionalData: [UInt8]? = nil)
        /// No.
        case refusal(SASLRefusal)
    }

    let credentials: Credentials
    private let offered: [String]
    let channel: SASLChannel
    private var selection: SASLSelection
    var mechanism: (any SASLMechanism)?
    /// Asked for once for all mechanisms.
    var secret: Secret?
    var hasRefreshed = false
    var tokenRefusal: OAuthRefusal?
    /// Why the exchange was given up.
    private var reason: SASLError?
    private var lastKind: SASLFailure.Kind?

    /// Prepares a login.
    ///
    /// - Parameters:
    ///   - offered: the server's list of mechanisms.
    ///   - allowsPlaintext: whether a password or token may be sent without TLS, for everybody on the way to read.
    public init(
        _ credentials: Credentials, offered: [String], channel: SASLChannel,
        allowsPlaintext: Bool = false
    ) {
        self.credentials = credentials
        self.offered = offered
        self.channel = channel
        selection = SASLSelection(
            credentials, offered: offered, channel: channel, allowsPlaintext: allowsPlaintext)
    }

    /// The mechanism under way, or by which the login is done.
    public var mechanismName: String? { mechanism?.name }
    /// The kind of channel binding of the login, such as `tls-exporter`; `nil` without one.
    ///
    /// A server that refuses other kinds costs an attempt each time: put this one first in the channel's `bindings` when
    /// connecting to it again.
    public var bindingName: String? {
        guard mechanism != nil, case .bound(let binding) = selection.candidates.first?.binding
        else { return nil }
        return binding.name
    }
    /// What was tried before.
    public var attempts: [SASLSelection.Attempt] { selection.attempts }

    /// The first step.
    ///
    /// - Throws: `SASLFailure` when nothing can be tried, or a closure of the caller's failed.
    public mutating func start() async throws(SASLFailure) -> Step {
        while let candidate = selection.candidates.first {
            switch try await begin(candidate) {
            case .success(let step): return step
            case .failure(let error): try passOver(error)
            }
        }
        throw failure(lastKind ?? emptyKind)
    }

    /// The next step, after what the server said to the last one.
    ///
    /// - Throws: `SASLFailure` when nothing is left to try.
    public mutating func receive(_ answer: Answer) async throws(SASLFailure) -> Step {
        switch answer {
        case .challenge(let challenge):
            guard reason == nil else { throw unbelievable("it goes on after a cancellation") }
            return try respond(to: challenge)
        case .success(let data):
            guard reason == nil else { throw unbelievable("it accepts what was given up") }
            do throws(SASLError) {
                try mechanism?.finish(data)
            } catch {
                throw failure(.serverNotAuthentic(error))
            }
            return .done
        case .refusal(let refusal):
            take(refusal)
            return try await start()
        }
    }

    /// The password, for a login command of the protocol's own (IMAP's `LOGIN`, POP3's `USER` and `PASS`).
    ///
    /// - Throws: `SASLFailure` with `.plaintextNotAllowed`, `.noSecret`, or `.noCommonMechanism` where the credentials are
    ///   no password.
    public mutating func passwordForCommand(
        allowsPlaintext: Bool = false
    ) async throws(SASLFailure) -> Secret {
        guard case .password = credentials.proof, credentials.authorizationIdentity.isEmpty else {
            throw failure(.noCommonMechanism(offered: offered))
        }
        guard channel.isEncrypted || allowsPlaintext else { throw failure(.plaintextNotAllowed) }
        return try await askForSecret("LOGIN")
    }

    // MARK: Answers

    private mutating func respond(to challenge: [UInt8]) throws(SASLFailure) -> Step {
        do throws(SASLError) {
            guard let response = try mechanism?.respond(to: challenge) else { return .cancel }
            return .respond(response)
        } catch {
            guard error.allowsAnother else { throw failure(.serverNotAuthentic(error)) }
            reason = error
            return .cancel
        }
    }

    private mutating func take(_ refusal: SASLRefusal) {
        defer { (reason, mechanism) = (nil, nil) }
        var refusal = refusal
        if let reason {
            guard reason.kind == .refused else {
                if case .refused = lastKind {} else { lastKind = .unusable(reason) }
                return selection.passOver(because: "\(reason.description.dropLast())")
            }
            // The mechanism's own words say more than those for a cancellation.
            refusal = SASLRefusal(.credentials, words: reason.detail)
        }
        lastKind = .refused(refusal)
        if let bearer = mechanism as? any BearerMechanism {
            takeRefusedToken(refusal, bearer.refusal)
        } else {
            let hadProof = (mechanism as? SCRAM)?.hasProven ?? true
            selection.refused(refusal, hadProof: hadProof)
        }
    }

    private mutating func takeRefusedToken(_ refusal: SASLRefusal, _ detail: OAuthRefusal?) {
        tokenRefusal = detail ?? tokenRefusal
        if refusal.reason == .credentials, !hasRefreshed, !(detail?.isForGood ?? false) {
            hasRefreshed = true
            secret = nil
            tokenRefusal = detail ?? OAuthRefusal(Array(refusal.words.utf8))
            selection.refreshed(refusal)
        } else {
            selection.refused(refusal)
        }
    }

    private mutating func passOver(_ error: SASLError) throws(SASLFailure) {
        guard error.allowsAnother else { throw failure(.serverNotAuthentic(error)) }
        if case .refused = lastKind {} else { lastKind = .unusable(error) }
        selection.passOver(because: "\(error.description.dropLast())")
    }

    private var emptyKind: SASLFailure.Kind {
        selection.leftOutPlaintext ? .plaintextNotAllowed : .noCommonMechanism(offered: offered)
    }

    func failure(
        _ kind: SASLFailure.Kind, underlying: (any Error)? = nil
    ) -> SASLFailure {
        SASLFailure(
            kind, attempts: selection.attempts, tokenRefusal: tokenRefusal, underlying: underlying)
    }

    private func unbelievable(_ detail: String) -> SASLFailure {
        failure(
            .serverNotAuthentic(
                SASLError(.serverNotAuthentic, mechanism: mechanism?.name ?? "SASL", detail)))
    }
}
