import MartletBytes

extension SASLNegotiation {
    /// Makes a mechanism and hears what it says first.
    mutating func begin(
        _ candidate: SASLSelection.Candidate
    ) async throws(SASLFailure) -> Result<Step, SASLError> {
        switch try await make(candidate) {
        case .success(var made):
            do throws(SASLError) {
                let response = try made.initialResponse()
                mechanism = made
                return .success(.start(mechanism: candidate.name, initialResponse: response))
            } catch {
                return .failure(error)
            }
        case .failure(let error): return .failure(error)
        }
    }

    private mutating func make(
        _ candidate: SASLSelection.Candidate
    ) async throws(SASLFailure) -> Result<any SASLMechanism, SASLError> {
        let (user, identity) = (credentials.user, credentials.authorizationIdentity)
        switch credentials.proof {
        case .password:
            let password = try await askForSecret(candidate.name)
            return Result { () throws(SASLError) in
                try candidate.make(
                    user: user, password: password, authorizationIdentity: identity, channel)
            }
        case .token:
            let token = try await askForSecret(candidate.name)
            return Result { () throws(SASLError) in
                if candidate.name == "XOAUTH2" { return try XOAUTH2(user: user, token: token) }
                return try OAUTHBEARER(user: user, token: token, channel: channel)
            }
        case .external:
            return Result { () throws(SASLError) in try EXTERNAL(authorizationIdentity: identity) }
        case .anonymous(let trace):
            return Result { () throws(SASLError) in try ANONYMOUS(trace: trace) }
        case .custom(let mechanisms):
            guard let custom = mechanisms.first(where: { $0.name == candidate.name }) else {
                return .failure(SASLError(.unavailable, mechanism: candidate.name))
            }
            do {
                return .success(try await custom.make(channel))
            } catch let error as SASLError {
                return .failure(error)
            } catch {
                throw failure(.noSecret, underlying: error)
            }
        }
    }

    /// The password or token, asked for once; a token once more after a refusal.
    mutating func askForSecret(_ mechanism: String) async throws(SASLFailure) -> Secret {
        if let secret { return secret }
        do {
            let given: Secret
            switch credentials.proof {
            case .password(let password): given = try await password()
            case .token(let token):
                given = try await token(
                    TokenRequest(
                        host: channel.host, mechanism: mechanism,
                        refusal: hasRefreshed ? tokenRefusal : nil))
            case .external, .anonymous, .custom: given = Secret(octets: [])
            }
            secret = given
            return given
        } catch {
            throw failure(.noSecret, underlying: error)
        }
    }
}

extension SASLSelection.Candidate {
    /// The mechanism for a user with a password.
    func make(
        user: String, password: Secret, authorizationIdentity: String, _ channel: SASLChannel
    ) throws(SASLError) -> any SASLMechanism {
        if let (hash, _) = SCRAMHash.named(name) {
            return try SCRAM(
                hash, user: user, password: password,
                authorizationIdentity: authorizationIdentity, binding: binding ?? .impossible)
        }
        switch name {
        case "DIGEST-MD5":
            return try DIGESTMD5(
                user: user, password: password, authorizationIdentity: authorizationIdentity,
                channel: channel)
        case "CRAM-MD5": return try CRAMMD5(user: user, password: password)
        case "NTLM": return try NTLM(user: user, password: password, channel: channel)
        case "LOGIN": return try LOGIN(user: user, password: password)
        default:
            return try PLAIN(
                user: user, password: password, authorizationIdentity: authorizationIdentity)
        }
    }
}
