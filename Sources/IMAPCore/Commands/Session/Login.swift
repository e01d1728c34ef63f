import MartletBytes

extension IMAP {
    /// `LOGIN`: name and password as they are. RFC 9051 §6.2.3.
    public struct Login: IMAPCommand {
        /// The user's name.
        public var user: String
        /// The password.
        public var password: Secret

        /// Its words.
        public var name: String { "LOGIN" }
        /// When it may be sent.
        public var scope: CommandScope { .notAuthenticated }
        /// What may be under way beside it.
        public var order: CommandOrder { .exclusive }
        /// What its success does to the connection.
        public var effect: CommandEffect { .authenticate }

        /// Makes one.
        public init(user: String, password: Secret) {
            self.user = user
            self.password = password
        }

        /// Writes it; see `IMAPCommand.encode(into:)`.
        public func encode(into encoder: inout CommandEncoder) throws(IMAPError) {
            if encoder.capabilities.has(.loginDisabled) {
                throw IMAPError(kind: .noCommonMechanism(offered: ["LOGINDISABLED"]), command: name)
            }
            guard !user.utf8.contains(ASCII.nul), !password.withOctets({ $0.contains(ASCII.nul) })
            else {
                throw .invalidInput("a user name or password cannot hold NUL")
            }
            encoder.text("LOGIN ")
            encoder.string(user.utf8)
            encoder.space()
            encoder.secret(password)
        }
        /// Something to gather its answers in.
        public func makeCollector() -> NoResponses { NoResponses() }
    }

    /// `AUTHENTICATE`: logs in by a SASL mechanism; its challenges are events of the session. RFC 9051 §6.2.2.
    public struct Authenticate: IMAPCommand {
        /// The mechanism's name, such as `SCRAM-SHA-256`.
        public let mechanism: String
        /// The first response in base64, or `=` for an empty one, where the server takes it at once. RFC 4959.
        public var initialResponse: Secret?

        /// Its words.
        public var name: String { "AUTHENTICATE" }
        /// When it may be sent.
        public var scope: CommandScope { .notAuthenticated }
        /// What may be under way beside it.
        public var order: CommandOrder { .exclusive }
        /// What its success does to the connection.
        public var effect: CommandEffect { .authenticate }

        /// Makes one.
        ///
        /// - Throws: `.invalidInput` where `mechanism` is no name of one.
        public init(mechanism: String, initialResponse: Secret? = nil) throws(IMAPError) {
            guard !mechanism.isEmpty, mechanism.utf8.allSatisfy(\.isAtomOctet) else {
                throw .invalidInput("\"\(mechanism)\" is no name of a SASL mechanism")
            }
            self.mechanism = mechanism
            self.initialResponse = initialResponse
        }

        /// Writes it; see `IMAPCommand.encode(into:)`.
        public func encode(into encoder: inout CommandEncoder) {
            encoder.text("AUTHENTICATE ")
            encoder.raw(mechanism.utf8)
            guard let initialResponse else { return }
            encoder.space()
            initialResponse.withOctets { encoder.secret(raw: $0) }
        }
        /// Something to gather its answers in.
        public func makeCollector() -> NoResponses { NoResponses() }
    }
}
