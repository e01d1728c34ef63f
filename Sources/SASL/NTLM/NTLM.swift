import MartletBytes
import MartletCrypto

/// NTLM, version 2 only: what Exchange without a modern login takes. MS-NLMP, MS-XLOGIN.
///
///     C: NTLMSSP 1, what it can
///     S: NTLMSSP 2, nonce and attributes
///     C: NTLMSSP 3, user, domain and proof
///
/// The password is not told, but who listens can try guesses at it, and the server proves nothing.
public struct NTLM: SASLMechanism {
    private enum State: Sendable {
        /// → asked, proven
        case start
        /// The first message was asked for by a challenge. → proven
        case asked
        case proven
    }

    private let user: String
    private let domain: String
    private let password: Secret
    private let channel: SASLChannel
    private let clientChallenge: [UInt8]
    private var state = State.start

    /// Prepares a login.
    ///
    /// - Parameters:
    ///   - user: `DOMAIN\user`, `user@example.org` or a bare name.
    ///   - password: the password.
    ///   - channel: the time of day, and what the proof is bound to.
    ///   - clientChallenge: eight octets used once, for tests; at random otherwise.
    /// - Throws: `.invalidCredentials` when one is empty or holds NUL.
    public init(
        user: String, password: Secret, channel: SASLChannel, clientChallenge: [UInt8]? = nil
    ) throws(SASLError) {
        try PasswordRules.check("NTLM", user: user, password)
        let parts = user.split(separator: "\\", maxSplits: 1, omittingEmptySubsequences: false)
        domain = parts.count == 2 ? String(parts[0]) : ""
        self.user = parts.count == 2 ? String(parts[1]) : user
        self.password = password
        self.channel = channel
        self.clientChallenge = clientChallenge ?? SecureRandom.octets(8)
        // what does not fit in the last message would be cut
        guard self.user.utf16.count <= 1_024, domain.utf16.count <= 1_024 else {
            throw SASLError(.invalidCredentials, mechanism: "NTLM", "the name is too long")
        }
    }

    /// `NTLM`.
    public var name: String { "NTLM" }
    /// `false`.
    public var sendsPlaintextSecret: Bool { false }
    /// What the client can.
    public mutating func initialResponse() -> Secret? { Secret(octets: NTLMNegotiate.message) }

    /// What the client can, then the proof.
    public mutating func respond(to challenge: [UInt8]) throws(SASLError) -> Secret {
        switch state {
        // QUIRK(ntlm-supported): Exchange asks for the first message with words, not with nothing.
        case .start where !challenge.starts(with: NTLMOctets.signature):
            state = .asked
            return Secret(octets: NTLMNegotiate.message)
        case .start, .asked:
            state = .proven
            guard let message = NTLMChallenge(challenge) else {
                throw SASLError(.malformedChallenge, mechanism: name, "no message of its kind")
            }
            guard message.flags.contains(.unicode) else {
                throw SASLError(
                    .unacceptableChallenge, mechanism: name, "names that are not Unicode")
            }
            do throws(CryptoError) {
                return Secret(octets: try answer(message, challenge))
            } catch {
                throw SASLError(.unavailable, mechanism: name, error.half)
            }
        case .proven: throw SASLError(.unexpectedChallenge, mechanism: name)
        }
    }

    /// Nothing more is due.
    public mutating func finish(_ additionalData: [UInt8]?) throws(SASLError) {}

    private func answer(
        _ challenge: NTLMChallenge, _ octets: [UInt8]
    ) throws(CryptoError) -> [UInt8] {
        var attributes = challenge.attributes
        let serverTime = attributes[NTLMAttributes.timestamp].flatMap {
            $0.count == 8 ? NTLMOctets.number($0, at: 0, size: 8) : nil
        }
        // A server that tells the time wants a code over all messages. MS-NLMP §3.1.5.1.2.
        let hasCode = serverTime != nil
        if hasCode {
            let flags = attributes[NTLMAttributes.flags].flatMap {
                NTLMOctets.number($0, at: 0, size: 4)
            }
            var value: [UInt8] = []
            NTLMOctets.append(
                UInt32(truncatingIfNeeded: flags ?? 0) | NTLMAttributes.hasCode, to: &value)
            attributes[NTLMAttributes.flags] = value
        }
        if let binding = channel.binding(SASLChannelBinding.tlsServerEndPoint) {
            attributes[NTLMAttributes.channelBindings] = try NTLMv2.digest(of: binding)
        }
        let keys = try NTLMv2(user: user, domain: domain, password: password)
        let blob = NTLMv2.blob(
            fileTime: serverTime
                ?? NTLMv2.fileTime(secondsSinceEpoch: channel.secondsSinceEpoch),
            clientChallenge: clientChallenge, attributes: attributes.encoded)
        let proof = try keys.proof(serverChallenge: challenge.nonce, blob: blob)
        let lmResponse =
            hasCode
            ? [UInt8](repeating: 0, count: 24)
            : try keys.lmResponse(
                serverChallenge: challenge.nonce, clientChallenge: clientChallenge)
        var message = NTLMAuthenticate(
            lmResponse: lmResponse, ntResponse: proof + blob, domain: domain, user: user,
            flags: challenge.flags.intersection(.wanted)
        ).encoded
        if hasCode {
            var key = try keys.sessionKey(proof: proof)
            defer { wipe(&key) }
            let code = try Digest.md5.hmac(NTLMNegotiate.message + octets + message, key: key)
            message.replaceSubrange(NTLMAuthenticate.codeRange, with: code)
        }
        return message
    }
}
