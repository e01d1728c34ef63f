import MartletBytes

extension POP3 {
    /// What a server said during a login.
    public enum AuthStep: Hashable, Sendable {
        /// A challenge (decoded): answer with `AuthResponse`, or give up with `AuthCancel`.
        case challenge([UInt8])
        /// The login is done.
        case succeeded
    }

    /// `AUTH`: starts a login. RFC 5034 §4.
    ///
    ///     C: AUTH PLAIN AGFsaWNlAHNlY3JldA==
    ///     S: +OK Maildrop locked and ready
    ///
    /// An initial response that does not fit in a command line of 255 octets is left out: the server then sends an empty
    /// challenge, and the mechanism gives the same response to that.
    public struct Auth: POP3Command {
        /// Most octets of a command line with its CRLF. RFC 2449 §4.
        public static let lineLimitInOctets = 255

        /// The mechanism's name.
        public let mechanism: String
        /// What the mechanism says first, if it speaks first.
        public let initialResponse: Secret?

        /// Checks the name: 1…20 letters, digits, hyphens and underscores. RFC 4422 §3.1.
        ///
        /// - Throws: `.invalidInput`.
        public init(mechanism: String, initialResponse: Secret? = nil) throws(POP3Error) {
            guard 1...20 ~= mechanism.utf8.count,
                mechanism.utf8.allSatisfy({ $0.isLabelOctet })
            else {
                throw POP3Error(
                    kind: .invalidInput(
                        "\(POP3Error.quoted(mechanism)) names no SASL mechanism"), command: "AUTH")
            }
            self.mechanism = mechanism
            let room = Self.lineLimitInOctets - "AUTH  \r\n".utf8.count - mechanism.utf8.count
            let size = initialResponse.map { $0.count == 0 ? 1 : Base64.encodedSize(of: $0.count) }
            self.initialResponse = size.map { $0 <= room } == true ? initialResponse : nil
        }

        /// `AUTH`.
        public var name: String { "AUTH" }
        /// A login, with so many responses to come as the mechanism cannot do without.
        public var effect: POP3Effect {
            let least = Self.leastResponses(of: mechanism)
            return .authentication(responsesDue: least - (initialResponse == nil ? 0 : 1))
        }

        /// How many responses a client has to give before a mechanism can be done.
        private static func leastResponses(of mechanism: String) -> Int {
            switch mechanism {
            case "LOGIN", "NTLM": 2
            case let name where name.hasPrefix("SCRAM-"): 2
            default: 1
            }
        }

        /// Writes the line.
        public func encode(into output: inout POP3Encoder) {
            output.text("AUTH ")
            output.text(mechanism)
            if let initialResponse {
                output.text(" ")
                if initialResponse.count == 0 {
                    output.text("=")  // An empty response is not an absent one. RFC 5034 §4.
                } else {
                    output.base64(initialResponse)
                }
            }
            output.endOfLine()
        }

        /// Says whether the login is done or goes on.
        public func interpret(_ reply: POP3Reply) throws(POP3Error) -> AuthStep {
            try AuthStep(reply)
        }
    }

    /// The answer to a challenge during a login. RFC 5034 §4.
    ///
    ///     S: + UGFzc3dvcmQ6
    ///     C: c2VjcmV0
    public struct AuthResponse: POP3Command {
        /// The mechanism's answer, not encoded.
        public let response: Secret

        /// Makes the line.
        public init(_ response: Secret) { self.response = response }
        /// `AUTH`.
        public var name: String { "AUTH" }
        /// An answer.
        public var effect: POP3Effect { .authenticationResponse }

        /// Writes the line.
        public func encode(into output: inout POP3Encoder) {
            output.base64(response)
            output.endOfLine()
        }

        /// Says whether the login is done or goes on.
        public func interpret(_ reply: POP3Reply) throws(POP3Error) -> AuthStep {
            try AuthStep(reply)
        }
    }

    /// `*`: gives up a login; the server refuses it then. RFC 5034 §4.
    public struct AuthCancel: POP3Command {
        /// Makes the line.
        public init() {}
        /// `AUTH`.
        public var name: String { "AUTH" }
        /// An answer.
        public var effect: POP3Effect { .authenticationResponse }

        /// Writes the line.
        public func encode(into output: inout POP3Encoder) {
            output.text("*")
            output.endOfLine()
        }

        /// Returns when the server agrees; anything but a refusal is a broken protocol.
        public func interpret(_ reply: POP3Reply) throws(POP3Error) {
            guard reply.status == .error else {
                throw POP3Error(
                    kind: .protocolViolation("went on with a login that was given up: \(reply)"),
                    command: name)
            }
        }
    }
}

extension POP3.AuthStep {
    init(_ reply: POP3Reply) throws(POP3Error) {
        switch reply.status {
        case .ok: self = .succeeded
        case .challenge:
            // QUIRK(pop3-challenge-words): words behind `+` where an empty challenge is due.
            self = .challenge(Base64.decode(reply.octets.filter { !$0.isBlank }) ?? [])
        case .error: throw POP3Error(kind: .authenticationRefused(reply), command: "AUTH")
        }
    }
}
