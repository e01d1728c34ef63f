#if canImport(Glibc)
    import Glibc
#elseif canImport(Darwin)
    import Darwin
#endif

/// The system's error numbers, as kinds and texts.
package enum SystemError {
    /// The system's own words, such as `Connection refused`.
    package static func text(_ number: CInt) -> String {
        withUnsafeTemporaryAllocation(of: CChar.self, capacity: 256) { buffer in
            guard let start = buffer.baseAddress, strerror_r(number, start, 256) == 0 else {
                return "error \(number)"
            }
            return String(cString: start)
        }
    }

    static func kind(_ number: CInt) -> TransportError.Kind {
        switch number {
        case ECONNREFUSED: .connectionRefused
        case ENETUNREACH, EHOSTUNREACH, ENETDOWN, EHOSTDOWN, EADDRNOTAVAIL, EAFNOSUPPORT:
            .unreachable
        case ECONNRESET, EPIPE, ECONNABORTED: .connectionReset
        case EADDRINUSE: .addressInUse
        case EACCES, EPERM: .permissionDenied
        case EMFILE, ENFILE: .tooManyOpenFiles
        case EBADF: .closed
        default: .system
        }
    }
}

extension TransportError {
    /// The error that the system reported by `number`.
    package static func system(_ number: CInt, _ stage: Stage) -> TransportError {
        // The kernel's own limit on a connection attempt, which ours usually beats.
        let kind = number == ETIMEDOUT ? Kind.unreachable : SystemError.kind(number)
        return TransportError(kind, stage, systemErrorNumber: number)
    }
}
