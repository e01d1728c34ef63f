#if canImport(Glibc)
    import Glibc
#elseif canImport(Darwin)
    import Darwin
#endif

/// A moment of the system's monotonic clock, in nanoseconds.
package struct MonotonicTime: Comparable, Sendable {
    package var nanoseconds: UInt64

    package init(nanoseconds: UInt64) { self.nanoseconds = nanoseconds }

    /// This moment.
    package static var now: MonotonicTime {
        var time = timespec()
        clock_gettime(CLOCK_MONOTONIC, &time)
        return .init(nanoseconds: UInt64(time.tv_sec) &* 1_000_000_000 &+ UInt64(time.tv_nsec))
    }

    /// The moment `duration` after this one; a duration too long to count means the end of time.
    package func advanced(by duration: Duration) -> MonotonicTime {
        let (seconds, attoseconds) = duration.components
        guard seconds >= 0, attoseconds >= 0 else { return self }
        let (whole, tooMany) = UInt64(seconds).multipliedReportingOverflow(by: 1_000_000_000)
        let (sum, tooLate) = nanoseconds.addingReportingOverflow(
            whole &+ UInt64(attoseconds / 1_000_000_000))
        return tooMany || tooLate ? .init(nanoseconds: .max) : .init(nanoseconds: sum)
    }

    /// The time since an earlier moment; none since a later one.
    package static func - (left: MonotonicTime, right: MonotonicTime) -> Duration {
        .nanoseconds(left < right ? 0 : left.nanoseconds - right.nanoseconds)
    }

    package static func < (left: MonotonicTime, right: MonotonicTime) -> Bool {
        left.nanoseconds < right.nanoseconds
    }
}
