#if canImport(Glibc)
    import Glibc
#elseif canImport(Darwin)
    import Darwin
#endif

/// Moments on the clock that other programs can read, too: printed to standard error where `IMAP_BENCH_TRACE` is set.
enum Trace {
    private static let isOn = getenv("IMAP_BENCH_TRACE") != nil

    static func note(_ what: String, at moment: ContinuousClock.Instant) {
        guard isOn else { return }
        let ago = (ContinuousClock.now - moment) / .nanoseconds(1)
        var now = timespec()
        clock_gettime(CLOCK_MONOTONIC, &now)
        let nanoseconds = now.tv_sec * 1_000_000_000 + now.tv_nsec - Int(ago)
        let line = Array("\(what) \(nanoseconds)\n".utf8)
        _ = line.withUnsafeBytes { write(2, $0.baseAddress, $0.count) }
    }
}
