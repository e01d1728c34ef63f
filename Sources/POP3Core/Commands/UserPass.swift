import MartletBytes

extension POP3 {
    /// `USER`: names who logs in; `PASS` follows. RFC 1939 §7.
    ///
    ///     C: USER alice
    ///     S: +OK
    ///     C: PASS secret
    ///     S: +OK
    public struct User: POP3Command {
        /// The name.
        public let user: String

        /// Checks the name.
        ///
        /// - Throws: `.invalidInput` for one that is empty, too long, or holds a control character.
        public init(_ user: String) throws(POP3Error) {
            self.user = try Arguments.text(user, "the user name", "USER")
        }

        /// `USER`.
        public var name: String { "USER" }

        /// Writes the line.
        public func encode(into output: inout POP3Encoder) {
            output.text("USER ")
            output.text(user)
            output.endOfLine()
        }

        /// Returns when the password may follow. Most servers say yes to any name.
        public func interpret(_ reply: POP3Reply) throws(POP3Error) { try refusalOfLogin(reply) }
    }

    /// `PASS`: the password of the user that `USER` named, for everybody on the way to read. RFC 1939 §7.
    public struct Pass: POP3Command {
        /// The password.
        public let password: Secret

        /// Checks the password: spaces may be in it, line ends may not.
        ///
        /// - Throws: `.invalidInput`.
        public init(_ password: Secret) throws(POP3Error) {
            self.password = try Arguments.password(password, "PASS")
        }

        /// `PASS`.
        public var name: String { "PASS" }
        /// The login.
        public var effect: POP3Effect { .login }

        /// Writes the line.
        public func encode(into output: inout POP3Encoder) {
            output.text("PASS ")
            output.secret(password)
            output.endOfLine()
        }

        /// Returns when the maildrop is open.
        public func interpret(_ reply: POP3Reply) throws(POP3Error) { try refusalOfLogin(reply) }
    }
}

extension POP3Command {
    /// Throws `.authenticationRefused` for a refusal.
    func refusalOfLogin(_ reply: POP3Reply) throws(POP3Error) {
        switch reply.status {
        case .ok: return
        case .error: throw POP3Error(kind: .authenticationRefused(reply), command: name)
        case .challenge: throw unwanted(reply)
        }
    }
}
