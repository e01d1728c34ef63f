/// Why a server could not be started.
public struct HTTPServerError: Error, Sendable, Hashable {
    /// What happened.
    public enum Kind: Sendable, Hashable {
        /// Another program listens there already.
        case addressInUse
        /// The system does not allow it, as with a port below 1024.
        case permissionDenied
        /// The machine has no such address.
        case noSuchAddress
        /// The system has no descriptors left for the process.
        case tooManyOpenFiles
        /// Anything else that the system reported.
        case system
    }

    /// What happened.
    public var kind: Kind
    /// Where the server was to listen.
    public var address: HTTPEndpoint
    /// The system's error number.
    public var systemErrorNumber: CInt

    init(number: CInt, address: HTTPEndpoint) {
        self.address = address
        systemErrorNumber = number
        kind =
            switch number {
            case SystemCalls.addressInUse: .addressInUse
            case _ where SystemCalls.isDenied(number): .permissionDenied
            case _ where SystemCalls.isUnknownAddress(number): .noSuchAddress
            case _ where SystemCalls.isOutOfDescriptors(number): .tooManyOpenFiles
            default: .system
            }
    }

    /// What a caller can do about it.
    public var recovery: Recovery {
        switch kind {
        case .addressInUse, .permissionDenied, .noSuchAddress: .fixInput
        case .tooManyOpenFiles, .system: .retry
        }
    }

    /// The first answer that a caller needs.
    public enum Recovery: Sendable {
        /// Something that the caller gave is wrong.
        case fixInput
        /// Try again later.
        case retry
    }
}

extension HTTPServerError: CustomStringConvertible {
    /// One sentence for a person: what happened and what to do.
    public var description: String {
        let reason = SystemCalls.text(of: systemErrorNumber)
        return switch kind {
        case .addressInUse:
            "\(address) is taken by another program. Stop it, or choose another port."
        case .permissionDenied:
            "the system does not allow to listen at \(address) (\(reason)). Choose a port above 1023."
        case .noSuchAddress:
            "this machine has no address \(address.host) (\(reason)). Choose one that it has, such as 127.0.0.1."
        case .tooManyOpenFiles:
            "too many files are open to listen at \(address). Close some, or raise the limit (ulimit -n)."
        case .system: "listening at \(address) failed (\(reason)). Try again later."
        }
    }
}
