import MartletBytes
import MartletCrypto

/// What every mechanism with a user and a password asks of them.
enum PasswordRules {
    /// - Throws: `.invalidCredentials` when `user` or `password` is empty or one holds NUL.
    static func check(
        _ mechanism: String, user: String, _ password: Secret, authorizationIdentity: String = ""
    ) throws(SASLError) {
        let isValid = password.withOctets { octets in
            !octets.isEmpty && !octets.contains(0) && !user.isEmpty && !user.utf8.contains(0)
                && !authorizationIdentity.utf8.contains(0)
        }
        guard isValid else { throw SASLError(.invalidCredentials, mechanism: mechanism) }
    }
}

/// Runs of octets put together in memory that is cleared: a secret made of parts.
struct SecretWriter: ~Copyable {
    private var octets: [UInt8] = []

    /// - Parameter capacity: at least all that will be written, since an array that grows leaves copies behind.
    init(capacity: Int) { octets.reserveCapacity(capacity) }

    mutating func append(_ text: String) { octets.append(contentsOf: text.utf8) }
    mutating func append(_ octet: UInt8) { octets.append(octet) }
    mutating func append(_ more: [UInt8]) { octets.append(contentsOf: more) }
    mutating func append(_ secret: Secret) { secret.withOctets { octets.append(contentsOf: $0) } }

    /// What was written, for `body`; cleared after it.
    consuming func finish() -> Secret {
        let secret = Secret(octets: octets)
        wipe(&octets)
        return secret
    }
}
