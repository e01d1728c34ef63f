import MartletBytes
import MartletCrypto

/// SCRAM: both sides prove that they know the password, and neither tells it. RFC 5802, RFC 7677.
///
///     C: n,,n=user,r=nonce
///     S: r=nonce+,s=salt,i=4096
///     C: c=biws,r=nonce+,p=proof
///     S: v=signature
///
/// Name and password are prepared by `SASLprep`. With `-PLUS` the proof holds for this TLS connection only, so that
/// somebody in between with a certificate of the server's name has no use of it.
public struct SCRAM: SASLMechanism {
    /// What is said about binding the login to the connection. RFC 5802 §6.
    public enum Binding: Sendable, Hashable {
        /// `n`: this side cannot.
        case impossible
        /// `y`: this side could, and the server did not offer it. A server that did offer it refuses: somebody has taken
        /// the offer away.
        case notOffered
        /// `p`: bound, the `-PLUS` mechanism.
        case bound(SASLChannelBinding)
    }

    private enum State: Sendable {
        /// → first
        case start
        /// The first message may be on its way. → proven; → first, once more, if the server asks for it
        case first(wasAskedFor: Bool)
        /// The proof is said; the server owes its own. → done, failed
        case proven(serverSignature: [UInt8])
        /// The server has proven itself.
        case done
        /// It has not, and nothing that it says later counts.
        case failed
    }

    private let hash: SCRAMHash
    private let binding: Binding
    private let password: Secret
    private let header: String
    private let firstBare: String
    private let nonce: String
    private var state = State.start
    /// What the server said instead of its proof.
    public private(set) var serverComplaint: String?

    /// Prepares a login.
    ///
    /// - Parameters:
    ///   - hash: the digest.
    ///   - user: whose password it is.
    ///   - password: the password.
    ///   - authorizationIdentity: as whom to act, where that differs; empty: as `user`.
    ///   - binding: whether the login is bound to the connection.
    ///   - nonce: a value used once, of printable ASCII without comma, for tests; at random otherwise.
    /// - Throws: `.invalidCredentials` when a name or the password is empty, holds NUL or cannot be prepared.
    public init(
        _ hash: SCRAMHash, user: String, password: Secret, authorizationIdentity: String = "",
        binding: Binding = .impossible, nonce: String? = nil
    ) throws(SASLError) {
        let isBound = if case .bound = binding { true } else { false }
        let name = hash.name(isBound: isBound)
        try PasswordRules.check(
            name, user: user, password, authorizationIdentity: authorizationIdentity)
        self.hash = hash
        self.binding = binding
        let prepared: String
        do throws(SASLprep.Failure) {
            prepared = try SASLprep.prepare(user)
            self.password = try SASLprep.prepare(password)
        } catch {
            throw SASLError(.invalidCredentials, mechanism: name, error.description)
        }
        let flag =
            switch binding {
            case .impossible: "n"
            case .notOffered: "y"
            case .bound(let binding): "p=" + binding.name
            }
        let identity =
            authorizationIdentity.isEmpty
            ? "" : "a=" + SCRAMMessage.escaped(authorizationIdentity)
        header = flag + "," + identity + ","
        self.nonce = nonce ?? Self.makeNonce()
        firstBare = "n=" + SCRAMMessage.escaped(prepared) + ",r=" + self.nonce
    }

    static func makeNonce() -> String {
        String(decoding: Base64.encode(SecureRandom.octets(24)), as: UTF8.self)
    }

    /// `SCRAM-SHA-256`, `SCRAM-SHA-256-PLUS` and so on.
    public var name: String {
        if case .bound = binding { hash.name(isBound: true) } else { hash.name(isBound: false) }
    }

    /// `false`.
    public var sendsPlaintextSecret: Bool { false }

    /// Whether the server has been given anything that depends on the password.
    package var hasProven: Bool {
        switch state {
        case .start, .first: false
        case .proven, .done, .failed: true
        }
    }

    /// The name and the nonce.
    public mutating func initialResponse() -> Secret? {
        state = .first(wasAskedFor: false)
        return Secret(header + firstBare)
    }

    /// The first message, the proof, and the end.
    public mutating func respond(to challenge: [UInt8]) throws(SASLError) -> Secret {
        switch state {
        case .start where challenge.isEmpty, .first(false) where challenge.isEmpty:
            state = .first(wasAskedFor: true)
            return Secret(header + firstBare)
        case .start: throw failure(.malformedChallenge, "it spoke first")
        case .first: return try prove(challenge)
        case .proven(let signature):
            try check(challenge, signature)
            return Secret(octets: [])
        case .done, .failed: throw failure(.unexpectedChallenge)
        }
    }

    /// Takes the server's proof where it came with success; without it the server is not believed.
    public mutating func finish(_ additionalData: [UInt8]?) throws(SASLError) {
        switch (state, additionalData) {
        case (.done, nil): return
        case (.done, .some(let data)) where data.isEmpty: return
        case (.proven(let signature), .some(let data)): try check(data, signature)
        default: throw failure(.serverNotAuthentic, "it has not shown its signature")
        }
    }

    func failure(_ kind: SASLError.Kind, _ detail: String = "") -> SASLError {
        SASLError(kind, mechanism: name, detail)
    }

    // server-first-message = [reserved-mext ","] nonce "," salt "," iteration-count ["," extensions]
    private mutating func prove(_ challenge: [UInt8]) throws(SASLError) -> Secret {
        guard var message = SCRAMMessage(challenge[...]) else {
            throw failure(.malformedChallenge, "no list of attributes")
        }
        if let complaint = message.take("e") { throw refused(complaint) }
        if message.take("m") != nil {
            throw failure(.unacceptableChallenge, "it demands an extension that is not known here")
        }
        guard let serverNonce = message.takeNonce() else {
            throw failure(.malformedChallenge, "no nonce, or one that is too long")
        }
        guard let salt = message.takeBase64("s", limit: SCRAMLimits.saltLimitInOctets) else {
            throw failure(.malformedChallenge, "no salt, or one that is too long")
        }
        guard let iterations = message.takeNumber("i") else {
            throw failure(.malformedChallenge, "no iteration count")
        }
        guard serverNonce.count > nonce.utf8.count, serverNonce.starts(with: nonce.utf8) else {
            throw failure(.serverNotAuthentic, "its nonce does not begin with the client's")
        }
        guard
            SCRAMLimits.minimumIterations...SCRAMLimits.maximumIterations ~= iterations
        else {
            throw failure(
                .unacceptableChallenge,
                "\(iterations) iterations, not \(SCRAMLimits.minimumIterations)…"
                    + "\(SCRAMLimits.maximumIterations)")
        }
        return try prove(challenge, serverNonce, salt, iterations)
    }

    private mutating func prove(
        _ serverFirst: [UInt8], _ serverNonce: [UInt8], _ salt: [UInt8], _ iterations: Int
    ) throws(SASLError) -> Secret {
        var bound = Array(header.utf8)
        if case .bound(let binding) = binding { bound += binding.octets }
        // client-final-message-without-proof = channel-binding "," nonce ["," extensions]
        let final = Array("c=".utf8) + Base64.encode(bound) + Array(",r=".utf8) + serverNonce
        let comma = [UInt8(ascii: ",")]
        let authMessage = Array(firstBare.utf8) + comma + serverFirst + comma + final
        do throws(CryptoError) {
            let keys = try SCRAMKeys(
                password: password, salt: salt, iterations: iterations, hash.digest)
            let proof = try keys.proof(authMessage)
            state = .proven(serverSignature: try keys.serverSignature(authMessage))
            return Secret(octets: final + Array(",p=".utf8) + Base64.encode(proof))
        } catch {
            throw failure(.unavailable, error.half)
        }
    }

    // server-final-message = (server-error / verifier) ["," extensions]
    private mutating func check(_ challenge: [UInt8], _ expected: [UInt8]) throws(SASLError) {
        state = .failed
        guard var message = SCRAMMessage(challenge[...]) else {
            throw failure(.serverNotAuthentic, "no list of attributes")
        }
        if let complaint = message.take("e") { throw refused(complaint) }
        guard let signature = message.takeBase64("v", limit: 64),
            ConstantTime.equal(signature, expected)
        else { throw failure(.serverNotAuthentic, "its signature is wrong") }
        state = .done
    }

    /// What a `server-error-value` means. RFC 5802 §7.
    private mutating func refused(_ complaint: ArraySlice<UInt8>) -> SASLError {
        let words = ServerText.clean(complaint)
        serverComplaint = words
        switch words {
        case "channel-bindings-dont-match":
            return failure(
                .serverNotAuthentic, "it sees another TLS connection than this one (\(words))")
        case "server-does-support-channel-binding":
            return failure(
                .serverNotAuthentic,
                "somebody has taken its offer of channel binding away (\(words))"
            )
        default: return failure(.refused, words)
        }
    }
}
