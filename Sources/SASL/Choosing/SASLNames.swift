import MartletBytes

/// Names of mechanisms, and which of them are good for what. RFC 4422 §3.1.
enum SASLNames {
    /// With a password, the strongest first: the server learns nothing and proves itself; it learns nothing; it learns
    /// the password.
    static let password =
        SCRAMHash.allCases.reversed().map { $0.name(isBound: true) }
        + SCRAMHash.allCases.reversed().map { $0.name(isBound: false) }
        + ["DIGEST-MD5", "CRAM-MD5", "NTLM", "PLAIN", "LOGIN"]
    /// With a token, the one with an RFC first.
    static let token = ["OAUTHBEARER", "XOAUTH2"]

    private static let plaintext: Set<String> = ["PLAIN", "LOGIN", "OAUTHBEARER", "XOAUTH2"]
    private static let withIdentity: Set<String> = ["PLAIN", "DIGEST-MD5", "EXTERNAL"]

    /// Whether who reads it can log in with it.
    static func sendsPlaintextSecret(_ name: String) -> Bool { plaintext.contains(name) }

    /// Whether it can say as whom to act.
    static func carriesIdentity(_ name: String) -> Bool {
        withIdentity.contains(name) || SCRAMHash.named(name) != nil
    }

    /// What a server must keep of a password to check it. Two mechanisms with the same need fail together.
    static func verifier(_ name: String) -> String {
        if sendsPlaintextSecret(name) { return "plaintext" }
        return SCRAMHash.named(name)?.hash.name(isBound: false) ?? name
    }

    static func uppercased(_ name: String) -> String {
        String(decoding: name.utf8.map(\.uppercased), as: UTF8.self)
    }
}
