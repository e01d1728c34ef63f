#if canImport(Glibc)
    import Glibc
#elseif canImport(Darwin)
    import Darwin
#endif

/// The memory of this process that is in use, as the system counts it.
public enum Memory {
    /// What is used now, in MiB; 0 where the system does not say.
    public static var resident: Double { status("VmRSS:") }

    /// The most that was used, in MiB, since the start or since `forgetPeak`.
    public static var peak: Double {
        let peak = status("VmHWM:")
        if peak > 0 { return peak }
        var usage = rusage()
        getrusage(.init(RUSAGE_SELF.rawValue), &usage)
        return Double(usage.ru_maxrss) / 1024
    }

    /// The peak is what is used now.
    public static func forgetPeak() {
        guard let file = fopen("/proc/self/clear_refs", "w") else { return }
        fputs("5", file)
        fclose(file)
    }

    /// Seconds of the processor that this process has used.
    public static var processorSeconds: Double {
        var usage = rusage()
        getrusage(.init(RUSAGE_SELF.rawValue), &usage)
        return [usage.ru_utime, usage.ru_stime].reduce(0) {
            $0 + Double($1.tv_sec) + Double($1.tv_usec) / 1e6
        }
    }

    private static func status(_ field: String) -> Double {
        guard let file = fopen("/proc/self/status", "r") else { return 0 }
        defer { fclose(file) }
        var line = [CChar](repeating: 0, count: 256)
        while fgets(&line, CInt(line.count), file) != nil {
            let text = String(
                decoding: line.prefix { $0 != 0 }.map(UInt8.init(bitPattern:)), as: UTF8.self)
            guard text.hasPrefix(field) else { continue }
            return (text.split(whereSeparator: { !$0.isNumber }).first.flatMap { Double($0) } ?? 0)
                / 1024
        }
        return 0
    }
}
