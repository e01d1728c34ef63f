import Foundation

/// What is not the same twice: dice, waiting and the time of day. Tests bring their own.
package struct Surroundings: Sendable {
    /// A number from 0 up to, but not including, 1.
    package var random: @Sendable () -> Double
    /// Waits for seconds, by a clock that nobody sets; ends early, by throwing, when the task is cancelled.
    package var sleep: @Sendable (TimeInterval) async throws -> Void
    /// The time of day, which dates in `Retry-After` are compared with.
    package var now: @Sendable () -> Date

    package init(
        random: @escaping @Sendable () -> Double,
        sleep: @escaping @Sendable (TimeInterval) async throws -> Void,
        now: @escaping @Sendable () -> Date
    ) {
        self.random = random
        self.sleep = sleep
        self.now = now
    }

    /// Those of the system.
    package static let system = Surroundings(
        random: { Double.random(in: 0..<1) },
        sleep: { try await Task.sleep(nanoseconds: nanoseconds($0)) },
        now: { Date() })

    /// Seconds as whole nanoseconds, at most some 140 years.
    static func nanoseconds(_ seconds: TimeInterval) -> UInt64 {
        UInt64(min(max(seconds, 0) * 1e9, 4.5e18))
    }
}
