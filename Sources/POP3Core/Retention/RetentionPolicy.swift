/// How long mail stays on the server once it was fetched. A plain value: `plan` says what to do.
public struct RetentionPolicy: Hashable, Sendable {
    /// What becomes of fetched mail by itself.
    public enum Rule: Hashable, Sendable {
        /// It stays for ever.
        case keep
        /// It goes so many days after it was fetched. 0 is the next time.
        case deleteAfter(days: Int)
        /// It goes as soon as it was fetched.
        case deleteAfterDownload
    }

    /// What becomes of fetched mail by itself.
    public var rule: Rule
    /// Whether mail that was deleted here goes from the server, too.
    public var deletesWithLocalCopy: Bool
    /// Days for which a message is remembered that the server does not list any more: a listing that is cut short once must not
    /// make all of it new.
    public var remembersAbsentForDays = 30

    /// Makes a policy.
    public init(_ rule: Rule, deletesWithLocalCopy: Bool = false) {
        self.rule = rule
        self.deletesWithLocalCopy = deletesWithLocalCopy
    }

    /// Mail stays on the server for ever.
    public static let leaveOnServer = RetentionPolicy(.keep)

    /// Whether a server that keeps mail for `expiry` lets the policy have its way: `EXPIRE 0` forbids leaving mail there at
    /// all, and a smaller number of days takes it away sooner. RFC 2449 §6.7.
    public func isPossible(with expiry: MailExpiry?) -> Bool {
        guard case .days(let days)? = expiry else { return true }
        switch rule {
        case .keep: return false
        case .deleteAfter(let wanted): return wanted <= days
        case .deleteAfterDownload: return true
        }
    }
}
