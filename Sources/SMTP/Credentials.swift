import MartletBytes

/// A user and a way to the password, which is asked for just before it is used.
public struct Credentials: Sendable {
    /// The user name, as the server knows it: often the whole address.
    public var user: String
    /// Gives the password. May take its time, ask a person or run a command: it never runs on an event loop.
    public var password: @Sendable () async throws -> Secret
    /// The SASL mechanisms that may be used, in the order of preference.
    package var mechanisms = ["PLAIN", "LOGIN"]

    /// A user whose password is asked for when it is needed.
    public init(user: String, password: @escaping @Sendable () async throws -> Secret) {
        self.user = user
        self.password = password
    }
}
