import Foundation

/// When a request is made again: after a broken connection, a timeout, a status of 500 and above, or 429.
///
/// Before retry number *n* (the first is 0) it waits for a random time below `baseDelay` × 2ⁿ, at most `maxDelay`. If the
/// service says by `Retry-After` how long, it waits that long; if that is more than a minute, the error is thrown instead.
public struct RetryPolicy: Hashable, Sendable {
    /// How often a request is made again at most.
    public let maxRetries: Int
    /// Seconds below which the first wait is.
    public let baseDelay: TimeInterval
    /// Seconds that no wait is above.
    public let maxDelay: TimeInterval

    /// Makes a policy. What is below 0, or no number, counts as 0.
    public init(
        maxRetries: Int = 3, baseDelay: TimeInterval = 0.3, maxDelay: TimeInterval = 10
    ) {
        self.maxRetries = max(maxRetries, 0)
        self.baseDelay = baseDelay > 0 ? baseDelay : 0
        self.maxDelay = maxDelay > 0 ? maxDelay : 0
    }

    /// Requests are made once.
    public static let disabled = RetryPolicy(maxRetries: 0)

    /// Seconds of `Retry-After` that are waited for; more is an error at once.
    package static let longestWaitAsked: TimeInterval = 60

    /// The seconds to wait before a retry.
    ///
    /// - Parameters:
    ///   - number: 0 for the first retry.
    ///   - random: from 0 up to 1.
    package func delay(beforeRetry number: Int, random: Double) -> TimeInterval {
        let ceiling = min(maxDelay, baseDelay * pow(2, Double(min(max(number, 0), 1_000))))
        return random * ceiling
    }
}
