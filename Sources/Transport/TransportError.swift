import MartletBytes

/// Why a connection could not be made, or broke.
public struct TransportError: Error, Sendable {
    /// What happened.
    public enum Kind: Sendable, Equatable {
        /// The name does not exist. Check its spelling.
        case hostNotFound
        /// The name could not be looked up now. Try later.
        case nameServiceUnavailable
        /// Nothing listens at that port.
        case connectionRefused
        /// No way to that address.
        case unreachable
        /// The stage made no progress for the time given.
        case timedOut(after: Duration)
        /// The peer ended the connection.
        case closedByPeer
        /// The peer broke the connection off.
        case connectionReset
        /// The connection was closed on this side.
        case closed
        /// TLS failed.
        case tls(TLSFailure)
        /// The task was cancelled.
        case cancelled
        /// Another program listens there already.
        case addressInUse
        /// The system does not allow it, as with a port below 1024.
        case permissionDenied
        /// The system has no descriptors left for the process.
        case tooManyOpenFiles
        /// The tunnel's command could not be started.
        case cannotStartCommand
        /// Anything else that the system reported.
        case system
    }

    /// What was being done.
    public enum Stage: String, Sendable {
        /// Looking a name up.
        case resolve
        /// Connecting.
        case connect
        /// The TLS handshake.
        case tlsHandshake
        /// Waiting for octets.
        case read
        /// Handing octets over.
        case write
        /// Listening for connections.
        case listen
        /// Setting up an event loop.
        case eventLoop
        /// Starting a tunnel's command.
        case tunnel
    }

    /// What happened.
    public var kind: Kind
    /// What was being done.
    public var stage: Stage
    /// The other side as the caller named it, such as `mail.example.org:587`.
    public var peer: String?
    /// The system's error number, where the system reported one.
    public var systemErrorNumber: CInt?
    /// Whether a handshake failed in which the session of an earlier connection was offered. It is forgotten: another
    /// connection may do at once.
    ///
    /// QUIRK(resumption-refused): a Dovecot that asks for client certificates breaks such a handshake off.
    package var resumptionFailed = false

    package init(
        _ kind: Kind, _ stage: Stage, peer: String? = nil, systemErrorNumber: CInt? = nil
    ) {
        self.kind = kind
        self.stage = stage
        self.peer = peer
        self.systemErrorNumber = systemErrorNumber
    }

    /// What a caller can do about it.
    public var recovery: Recovery {
        switch kind {
        case .hostNotFound, .addressInUse, .permissionDenied, .cannotStartCommand: .fixInput
        case .tls: .fixInput
        case .nameServiceUnavailable, .connectionRefused, .unreachable, .timedOut,
            .tooManyOpenFiles, .system:
            .retry
        case .closedByPeer, .connectionReset, .closed: .reconnect
        case .cancelled: .giveUp
        }
    }

    /// The first answer that a caller needs.
    public enum Recovery: Sendable {
        /// Something that the caller gave is wrong.
        case fixInput
        /// Connect again.
        case reconnect
        /// Try again later.
        case retry
        /// Nothing to do.
        case giveUp
    }

    package func with(peer: String) -> TransportError {
        var copy = self
        copy.peer = copy.peer ?? peer
        return copy
    }
}

extension TransportError: CustomStringConvertible {
    /// One sentence for a person: what happened and what to do.
    public var description: String {
        let place = peer ?? "the other side"
        switch kind {
        case .hostNotFound: return "there is no host named \(place). Check the name."
        case .nameServiceUnavailable:
            return "the name \(place) could not be looked up. Check the network, or try later."
        case .connectionRefused:
            return "nothing listens at \(place). Check the port, or start the server."
        case .unreachable: return "\(place) cannot be reached\(systemText). Check the network."
        case .timedOut(let time): return "\(place) \(timeoutText) for \(time.inSeconds). Try later."
        case .closedByPeer: return "\(place) closed the connection\(stageText)."
        case .connectionReset: return "\(place) broke the connection off\(stageText)."
        case .closed: return "the connection to \(place) is closed."
        case .tls(let failure): return failure.description
        case .cancelled: return "cancelled\(stageText)."
        case .addressInUse:
            return "\(place) is taken by another program. Stop it, or choose another port."
        case .permissionDenied:
            return "the system does not allow \(place)\(systemText). Choose a port above 1023."
        case .tooManyOpenFiles:
            return
                "too many files are open. Close some connections, or raise the limit (ulimit -n)."
        case .cannotStartCommand: return "cannot start \(place)\(systemText)."
        case .system: return "\(place) failed\(stageText)\(systemText)."
        }
    }

    private var systemText: String {
        systemErrorNumber.map { " (\(SystemError.text($0)))" } ?? ""
    }

    private var stageText: String {
        switch stage {
        case .resolve: " while its name was looked up"
        case .connect: " while connecting"
        case .tlsHandshake: " during the TLS handshake"
        case .read: " while an answer was expected"
        case .write: " while octets were sent"
        case .listen: " while listening"
        case .eventLoop: " while an event loop was set up"
        case .tunnel: " while the tunnel was started"
        }
    }

    private var timeoutText: String {
        switch stage {
        case .connect, .resolve: "did not answer"
        case .tlsHandshake: "did not go on with the TLS handshake"
        case .write: "took no octets"
        default: "sent nothing"
        }
    }
}

extension Duration {
    /// `30 s` or `0.25 s`.
    package var inSeconds: String {
        let hundredths = (self / .milliseconds(10)).rounded()
        return hundredths.remainder(dividingBy: 100) == 0
            ? "\(Int(hundredths / 100)) s" : "\(hundredths / 100) s"
    }
}
