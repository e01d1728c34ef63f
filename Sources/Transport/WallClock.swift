#if canImport(Glibc)
    import Glibc
#elseif canImport(Darwin)
    import Darwin
#endif

/// The time of day, for headers and logs. Never for measuring: it can be set.
public struct WallClock: Sendable {
    /// Seconds since 1 January 1970, 00:00 UTC.
    public var secondsSinceEpoch: Int64
    /// The part of the second, 0…999,999,999 ns.
    public var nanoseconds: Int
    /// The local zone's distance from UTC at that time, in minutes east.
    public var offsetInMinutes: Int

    /// This moment in the local zone.
    public static var now: WallClock {
        var time = timespec()
        clock_gettime(CLOCK_REALTIME, &time)
        var local = tm()
        localtime_r(&time.tv_sec, &local)
        return WallClock(
            secondsSinceEpoch: Int64(time.tv_sec), nanoseconds: Int(time.tv_nsec),
            offsetInMinutes: Int(local.tm_gmtoff) / 60)
    }
}
