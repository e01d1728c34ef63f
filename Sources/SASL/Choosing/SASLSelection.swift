/// Which mechanisms are left to try, the best first, and what came of those that were tried. A pure value.
///
/// What a server offers and credentials can do decide the order: SCRAM bound to the TLS connection, SCRAM, other digests,
/// then what tells the server the password; that never without TLS, unless the caller allows it by name.
///
/// After a refusal the next one is tried where that may help:
/// - A mechanism that the server offers and does not have, or whose challenge cannot be answered, is passed over.
/// - A kind of channel binding that is refused is followed by another (`bindingLimit`).
/// - A password that is refused is tried once more by a mechanism for which the server keeps it otherwise, the plain one
///   where that is allowed: servers offer digests that they have no secrets for. It is not tried a third time, which
///   would lock an account (`credentialRefusalLimit`).
public struct SASLSelection: Sendable {
    /// How often the same password may be refused.
    public static let credentialRefusalLimit = 2
    /// How many kinds of channel binding are tried for a mechanism: servers do not say which they know.
    public static let bindingLimit = 2

    /// A mechanism to try.
    public struct Candidate: Sendable, Hashable {
        /// Its name, in upper case.
        public var name: String
        /// For SCRAM, what it says about channel binding.
        public var binding: SCRAM.Binding?
    }

    /// What was tried.
    public struct Attempt: Sendable, Hashable {
        /// The mechanism's name.
        public var mechanism: String
        /// What came of it: the server's words, or why it could not be used.
        public var outcome: String
    }

    /// What is left, the best first.
    public private(set) var candidates: [Candidate] = []
    /// What was tried, in order.
    public private(set) var attempts: [Attempt] = []
    /// Whether mechanisms were left out that would show a secret to whoever listens.
    public private(set) var leftOutPlaintext = false

    private var credentialRefusals = 0
    private let allowsPlaintext: Bool

    /// Looks what credentials and server have in common.
    ///
    /// - Parameters:
    ///   - offered: the server's list, in any case and order.
    ///   - allowsPlaintext: whether a secret may be said without TLS.
    public init(
        _ credentials: Credentials, offered: [String], channel: SASLChannel,
        allowsPlaintext: Bool = false
    ) {
        self.allowsPlaintext = channel.isEncrypted || allowsPlaintext
        let offered = Set(offered.map(SASLNames.uppercased))
        let offersBinding = offered.contains { $0.hasPrefix("SCRAM-") && $0.hasSuffix("-PLUS") }
        for name in Self.names(credentials) where offered.contains(name) {
            if !self.allowsPlaintext, Self.sendsPlaintextSecret(name, credentials) {
                leftOutPlaintext = true
                continue
            }
            guard let (_, isBound) = SCRAMHash.named(name), case .password = credentials.proof
            else {
                candidates.append(Candidate(name: name))
                continue
            }
            if isBound {
                candidates += channel.bindings.prefix(Self.bindingLimit).map {
                    Candidate(name: name, binding: .bound($0))
                }
            } else {
                let couldBind = !channel.bindings.isEmpty && !offersBinding
                candidates.append(
                    Candidate(name: name, binding: couldBind ? .notOffered : .impossible))
            }
        }
    }

    private static func names(_ credentials: Credentials) -> [String] {
        let known =
            switch credentials.proof {
            case .password: SASLNames.password
            case .token: SASLNames.token
            case .external: ["EXTERNAL"]
            case .anonymous: ["ANONYMOUS"]
            case .custom(let mechanisms): mechanisms.map(\.name)
            }
        var names = known
        if let wanted = credentials.mechanisms?.map(SASLNames.uppercased) {
            names = wanted.filter(known.contains)
        }
        guard !credentials.authorizationIdentity.isEmpty else { return names }
        if case .custom = credentials.proof { return names }
        return names.filter(SASLNames.carriesIdentity)
    }

    private static func sendsPlaintextSecret(_ name: String, _ credentials: Credentials) -> Bool {
        guard case .custom(let mechanisms) = credentials.proof else {
            return SASLNames.sendsPlaintextSecret(name)
        }
        return mechanisms.first { $0.name == name }?.sendsPlaintextSecret ?? true
    }

    /// The best one could not be used here; nothing was said about the credentials.
    public mutating func passOver(because reason: String) {
        guard let candidate = candidates.first else { return }
        attempts.append(Attempt(mechanism: candidate.name, outcome: reason))
        candidates.removeFirst()
    }

    /// The server refused the best one.
    ///
    /// - Parameter hadProof: whether it had been given what depends on the credentials.
    public mutating func refused(_ refusal: SASLRefusal, hadProof: Bool = true) {
        guard let candidate = candidates.first else { return }
        attempts.append(Attempt(mechanism: candidate.name, outcome: refusal.words))
        candidates.removeFirst()
        switch refusal.reason {
        case .mechanism: break
        case .unavailable: candidates = []
        case .credentials:
            // Perhaps the server means another kind of channel binding. Some say so before there is a proof, some (Cyrus)
            // find the octets wrong after it.
            let hasOtherBinding = candidates.first?.name == candidate.name
            if hasOtherBinding, !hadProof { return }
            credentialRefusals += 1
            guard credentialRefusals < Self.credentialRefusalLimit else { return candidates = [] }
            if hasOtherBinding { return }
            let verifier = SASLNames.verifier(candidate.name)
            candidates.removeAll { SASLNames.verifier($0.name) == verifier }
            let plain = candidates.firstIndex { SASLNames.sendsPlaintextSecret($0.name) }
            if let plain { candidates.removeFirst(plain) }
        }
    }

    /// The same one again, with fresh credentials.
    mutating func refreshed(_ refusal: SASLRefusal) {
        guard let candidate = candidates.first else { return }
        attempts.append(Attempt(mechanism: candidate.name, outcome: refusal.words))
    }
}

/// How a server said no to a login.
public struct SASLRefusal: Sendable, Hashable {
    /// What a no is about.
    public enum Reason: Sendable, Hashable {
        /// User name, password or token; also where the server does not say.
        case credentials
        /// The mechanism: another one may do.
        case mechanism
        /// The server or the account: nothing else needs to be tried now.
        case unavailable
    }

    /// What it is about.
    public var reason: Reason
    /// The server's words, for people.
    public var words: String

    /// Describes a refusal.
    ///
    /// QUIRK(bad-protocol): Cyrus SASL says `bad protocol / cancel` where what the client bound the login to is not what
    /// it knows; that is about the mechanism, whatever the server's code.
    public init(_ reason: Reason, words: String) {
        let isAboutProtocol = reason == .credentials && words.lowercased().contains("bad protocol")
        self.reason = isAboutProtocol ? .mechanism : reason
        self.words = words
    }
}
