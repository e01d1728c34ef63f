import MartletBytes

/// The mechanisms that a server can offer, by name.
public enum SASLServerMechanisms {
    /// Those for which the server must know the passwords, best first.
    public static let digests =
        SCRAMHash.allCases.reversed().map { $0.name(isBound: true) }
        + SCRAMHash.allCases.reversed().map { $0.name(isBound: false) }
        + ["DIGEST-MD5", "CRAM-MD5", "NTLM"]
    /// Those by which the server is told a password or token, best first.
    public static let plaintext = ["PLAIN", "LOGIN", "OAUTHBEARER", "XOAUTH2"]
    /// All that need no client certificate, best first.
    public static let names = digests + plaintext + ["ANONYMOUS"]

    /// Whether a mechanism can be offered in a connection: what binds to TLS only there, and what TLS must know.
    public static func canOffer(_ name: String, isEncrypted: Bool) -> Bool {
        isEncrypted || !(name.hasSuffix("-PLUS") || name == "EXTERNAL")
    }

    /// A mechanism at its start; `nil` for an unknown name. Names compare without case.
    ///
    /// - Parameters:
    ///   - users: whose passwords are right.
    ///   - offered: all that the server offers in this connection.
    public static func make(
        _ name: String, _ users: SASLUsers, offered: [String] = []
    ) -> (any SASLServerMechanism)? {
        let name = SASLNames.uppercased(name)
        if let (hash, isBound) = SCRAMHash.named(name) {
            return SCRAMServer(
                hash, isBound: isBound, users,
                offersBinding: offered.contains { $0.hasSuffix("-PLUS") })
        }
        return switch name {
        case "PLAIN": PLAINServer()
        case "LOGIN": LOGINServer()
        case "CRAM-MD5": CRAMMD5Server(users)
        case "DIGEST-MD5": DIGESTMD5Server(users)
        case "NTLM": NTLMServer(users)
        case "OAUTHBEARER": BearerServer.oauthBearer()
        case "XOAUTH2": BearerServer.xoauth2()
        case "EXTERNAL": EXTERNALServer()
        case "ANONYMOUS": ANONYMOUSServer()
        default: nil
        }
    }
}
