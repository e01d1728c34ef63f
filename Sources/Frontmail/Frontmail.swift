import Foundation

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// A client of a template mail service: an app sends mail through it with nothing but a *public* key.
///
/// Create it once and share it; it never changes and any task may use it.
///
/// ```swift
/// let frontmail = try Frontmail(publicKey: "pk_4f2a")
/// try await frontmail.send(templateID: "tpl_welcome", params: ["name": "Ana", "visits": 3])
/// ```
///
/// The key tells whose templates are used; it is no secret, and what it may send is decided by the service. A private key
/// (`sk_…`) does not belong into an app and is refused.
public final class Frontmail: Sendable {
    /// The version of this SDK, as the service is told it in `X-Frontmail-Client`.
    public static let version = "0.1.0"

    /// Where the service is unless told otherwise: `https://api.frontmail.dev`.
    public static let defaultAPIURL = URL(string: "https://api.frontmail.dev")!

    /// The public key that identifies the account.
    public let publicKey: String
    /// The address of the service, as it was given.
    public let apiURL: URL
    /// When failed requests are made again.
    public let retry: RetryPolicy
    /// The seconds that one attempt may take to the last octet of the answer, waiting for a free connection of the session
    /// included.
    public let timeout: TimeInterval

    let connection: Connection
    let surroundings: Surroundings

    /// The seconds that an attempt may take unless told otherwise.
    public static let defaultTimeout: TimeInterval = 15

    /// Creates a client. Nothing goes over the network yet.
    ///
    /// - Parameters:
    ///   - publicKey: a key that begins with `pk_`. It is used as it is; the service judges it.
    ///   - apiURL: the address of the service; slashes at its end do not matter.
    ///   - retry: when failed requests are made again.
    ///   - timeout: the seconds that one attempt may take; see ``timeout``. `.infinity` is no limit; what is no positive number is
    ///     ``defaultTimeout``.
    ///   - session: makes the requests. Redirects are never followed, whatever it says. On Linux, where a session does not
    ///     ask about redirects for a single task, a session of the client's own is made from the configuration of this
    ///     one; challenges still go to the delegate of this one.
    /// - Throws: ``FrontmailError`` with the code ``FrontmailError/Code/privateKeyInBrowser`` for a key that begins with
    ///   `sk_`: use the account's public key, and keep the private one on a server.
    public convenience init(
        publicKey: String, apiURL: URL = Frontmail.defaultAPIURL,
        retry: RetryPolicy = RetryPolicy(),
        timeout: TimeInterval = Frontmail.defaultTimeout, session: URLSession = .shared
    ) throws {
        try self.init(
            publicKey: publicKey, apiURL: apiURL, retry: retry, timeout: timeout, session: session,
            surroundings: .system)
    }

    /// The same with a clock and dice of the caller's, for tests.
    package init(
        publicKey: String, apiURL: URL, retry: RetryPolicy, timeout: TimeInterval,
        session: URLSession, surroundings: Surroundings
    ) throws {
        guard !publicKey.hasPrefix("sk_") else {
            throw FrontmailError(
                .privateKeyInBrowser,
                "A private key (sk_…) must never be in an app, where anybody can read it. Use the public key (pk_…)."
            )
        }
        self.publicKey = publicKey
        self.apiURL = apiURL
        self.retry = retry
        self.timeout = timeout > 0 ? timeout : Frontmail.defaultTimeout
        self.connection = Connection(session: session, timeout: self.timeout)
        self.surroundings = surroundings
    }

    /// Where requests go.
    var endpoint: Endpoint { Endpoint(apiURL: apiURL) }

    /// The header fields of each request that needs the key.
    ///
    /// - Throws: ``FrontmailError`` if the key cannot stand in a header field.
    func keyFields() throws -> [String: String] {
        [
            "X-Frontmail-Public-Key": try HeaderValue.checked(
                publicKey, or: .invalidPublicKey, "The public key")
        ]
    }
}
