/// Why nobody could be logged in.
public struct SASLFailure: Error, Sendable, CustomStringConvertible {
    /// What happened.
    public enum Kind: Sendable {
        /// No mechanism that both sides know and the credentials are good for; holds those the server offers.
        case noCommonMechanism(offered: [String])
        /// All that could be used would show a secret to whoever listens, and the caller did not allow that by name.
        case plaintextNotAllowed
        /// The password or token could not be had; `underlying` says why.
        case noSecret
        /// The server refused the last one that was tried.
        case refused(SASLRefusal)
        /// The last one that was tried could not be used here.
        case unusable(SASLError)
        /// The server has not proven who it is, or somebody in between changes what is said. Close the connection.
        case serverNotAuthentic(SASLError)
    }

    /// What happened.
    public let kind: Kind
    /// What was tried, in order.
    public let attempts: [SASLSelection.Attempt]
    /// What the server said about a token.
    public let tokenRefusal: OAuthRefusal?
    /// Why, where a closure of the caller's failed.
    public let underlying: (any Error)?

    /// Makes a failure.
    public init(
        _ kind: Kind, attempts: [SASLSelection.Attempt] = [], tokenRefusal: OAuthRefusal? = nil,
        underlying: (any Error)? = nil
    ) {
        self.kind = kind
        self.attempts = attempts
        self.tokenRefusal = tokenRefusal
        self.underlying = underlying
    }

    /// One sentence for a person, and one for each thing that was tried where there are several.
    public var description: String {
        let start =
            switch kind {
            case .noCommonMechanism(let offered) where offered.isEmpty:
                "the server offers no way to log in here."
            case .noCommonMechanism(let offered):
                "the server offers only ways to log in that cannot be used with these credentials: "
                    + offered.joined(separator: ", ") + "."
            case .plaintextNotAllowed:
                "the password or token would be sent unencrypted. Use TLS, or allow it by name."
            case .noSecret:
                "the password or token could not be had"
                    + (underlying.map { ": \($0)" } ?? "") + "."
            case .refused(let refusal): "the server refused the login: \(Self.half(refusal.words))."
            case .unusable(let error), .serverNotAuthentic(let error): error.description
            }
        return start + (story.map { " " + $0 } ?? "")
    }

    /// A server's sentence without its full stop, for the middle of another.
    private static func half(_ words: String) -> Substring {
        words.hasSuffix(".") ? words.dropLast() : words[...]
    }

    /// What was tried and what came of it, in one sentence; `nil` where `kind` says it all.
    public var story: String? {
        let token = tokenRefusal.map { "The server said about the token: \($0)." }
        guard attempts.count > 1 else { return token }
        let list = attempts.map { "\($0.mechanism) (\(Self.half($0.outcome)))" }.joined(
            separator: ", ")
        return "Tried in this order: \(list)." + (token.map { " " + $0 } ?? "")
    }
}
