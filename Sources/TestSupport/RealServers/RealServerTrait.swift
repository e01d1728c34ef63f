public import Testing

extension Trait where Self == ConditionTrait {
    /// Skips the test or suite where a real server cannot run; the test output then says why.
    ///
    ///     @Suite("SMTP client and Postfix", .needs(.postfix))
    public static func needs(_ server: RealServer) -> Self {
        .enabled(
            if: server.isAvailable, Comment(rawValue: server.unavailableReason ?? "available"))
    }

    /// Skips the test or suite where a real IMAP server cannot run; the test output then says why.
    ///
    ///     @Suite("IMAP client and Dovecot", .needs(.dovecot))
    public static func needs(_ server: RealIMAPServer) -> Self {
        .enabled(
            if: server.isAvailable, Comment(rawValue: server.unavailableReason ?? "available"))
    }
}
