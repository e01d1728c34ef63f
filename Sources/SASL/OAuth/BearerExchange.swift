import MartletBytes

/// What XOAUTH2 and OAUTHBEARER have in common: the token at once, and one word after a refusal.
struct BearerExchange: Sendable {
    private enum State: Sendable {
        /// → asked, refused
        case start
        /// The message was asked for with an empty challenge. → refused
        case asked
        /// The server has said why not, and then says no. → none
        case refused
    }

    private let mechanism: String
    private let message: Secret
    private let lastWord: [UInt8]
    private var state = State.start
    private(set) var refusal: OAuthRefusal?

    init(_ mechanism: String, message: Secret, lastWord: [UInt8]) {
        self.mechanism = mechanism
        self.message = message
        self.lastWord = lastWord
    }

    func initialResponse() -> Secret? { message }

    mutating func respond(to challenge: [UInt8]) throws(SASLError) -> Secret {
        switch state {
        case .start where challenge.isEmpty:
            state = .asked
            return message
        case .start, .asked:
            state = .refused
            refusal = OAuthRefusal(challenge)
            return Secret(octets: lastWord)
        case .refused: throw SASLError(.unexpectedChallenge, mechanism: mechanism)
        }
    }

    /// A success after a refusal is none.
    func finish() throws(SASLError) {
        if let refusal {
            throw SASLError(.serverNotAuthentic, mechanism: mechanism, "\(refusal)")
        }
    }

    /// - Throws: `.invalidCredentials` when the token could end its field, or there is none.
    static func check(_ mechanism: String, user: String, _ token: Secret) throws(SASLError) {
        let isToken = token.withOctets { octets in
            // b64token is less; providers may have more of what is printable
            !octets.isEmpty && octets.allSatisfy { 0x21...0x7E ~= $0 }
        }
        guard isToken else {
            throw SASLError(
                .invalidCredentials, mechanism: mechanism,
                "the token is empty or holds more than printable ASCII")
        }
        guard !user.utf8.contains(where: { $0 < 0x20 || $0 == ASCII.del }) else {
            throw SASLError(
                .invalidCredentials, mechanism: mechanism,
                "the user name holds control characters")
        }
    }

    /// `prefix auth=Bearer token ^A ^A`.
    static func message(_ prefix: String, _ token: Secret) -> Secret {
        var writer = SecretWriter(capacity: prefix.utf8.count + token.count + 16)
        writer.append(prefix)
        writer.append("auth=Bearer ")
        writer.append(token)
        writer.append("\u{1}\u{1}")
        return writer.finish()
    }
}

/// A mechanism that shows a token, and hears why it was refused.
package protocol BearerMechanism: SASLMechanism {
    /// What the server said about the token, if it refused it.
    var refusal: OAuthRefusal? { get }
}
