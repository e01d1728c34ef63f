import MartletBytes
import MartletCrypto

extension POP3 {
    /// `APOP`: logs in with a digest of the greeting's timestamp and the password. RFC 1939 §7.
    ///
    ///     S: +OK ready <1896.697170952@dbc.example.test>
    ///     C: APOP mrose c4c9334bac560ecc979e58001b3e22fb
    ///     S: +OK maildrop has 1 message
    ///
    /// MD5 is broken: who can talk to the client in a server's place can find passwords with it (CVE-2007-1558). Use it over TLS, or
    /// where nothing else is left. The server must keep the password as it is.
    public struct Apop: POP3Command {
        /// Who logs in.
        public let user: String
        private let digest: Secret

        /// Computes the digest.
        ///
        /// - Throws: `.invalidInput` for a name that cannot be sent; `.unsupported` where the system has no MD5.
        public init(user: String, password: Secret, timestamp: [UInt8]) throws(POP3Error) {
            self.user = try Arguments.text(user, "the user name", "APOP", allowsSpaces: false)
            let secret = try Arguments.password(password, "APOP")
            digest = try Self.digest(password: secret, timestamp: timestamp)
        }

        /// The 32 digits that both sides compute.
        static func digest(password: Secret, timestamp: [UInt8]) throws(POP3Error) -> Secret {
            var input = timestamp
            password.withOctets { input.append(contentsOf: $0) }
            defer { wipe(&input) }
            do throws(CryptoError) {
                let digest = try Digest.md5.hash(input)
                return Secret(
                    octets: digest.flatMap {
                        [Hex.lowerDigits[Int($0 >> 4)], Hex.lowerDigits[Int($0 & 15)]]
                    })
            } catch {
                throw POP3Error(
                    kind: .invalidInput("APOP needs MD5, which this system does not allow"),
                    command: "APOP", underlying: error)
            }
        }

        /// `APOP`.
        public var name: String { "APOP" }
        /// The login.
        public var effect: POP3Effect { .login }

        /// Writes the line.
        public func encode(into output: inout POP3Encoder) {
            output.text("APOP ")
            output.text(user)
            output.text(" ")
            output.secret(digest)
            output.endOfLine()
        }

        /// Returns when the maildrop is open.
        public func interpret(_ reply: POP3Reply) throws(POP3Error) { try refusalOfLogin(reply) }
    }
}
