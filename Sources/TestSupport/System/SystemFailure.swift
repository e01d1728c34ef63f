#if canImport(Glibc)
    import Glibc
#elseif canImport(Darwin)
    import Darwin
#endif

/// A system call that test support needs has failed.
public struct SystemFailure: Error, CustomStringConvertible {
    /// One sentence: what failed, and why.
    public let description: String

    /// Says what failed, and adds what `errno` says.
    init(_ what: String, number: Int32 = errno) {
        description = "\(what): \(String(cString: strerror(number)))."
    }
}
