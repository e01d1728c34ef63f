#if canImport(Darwin)
    import Darwin
#elseif canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#endif

/// How many files this process may have open.
public enum OpenFiles {
    /// Raises the process's limit of descriptors as far as it goes, to 20,000 at most.
    ///
    /// - Returns: the limit.
    public static let allowed: Int = {
        #if canImport(Glibc)
            let files = __rlimit_resource_t(RLIMIT_NOFILE.rawValue)
        #else
            let files = RLIMIT_NOFILE
        #endif
        var limit = rlimit()
        getrlimit(files, &limit)
        limit.rlim_cur = min(limit.rlim_max, 20_000)
        setrlimit(files, &limit)
        getrlimit(files, &limit)
        return Int(limit.rlim_cur)
    }()
}
