import Dispatch

#if canImport(Glibc)
    import Glibc
#elseif canImport(Darwin)
    import Darwin
#endif

/// A command whose standard input and output are a socket: the far end of a tunnel.
package final class ChildProcess: Sendable {
    private let pid: pid_t
    private let name: String

    /// How often a command is looked at after its channel was closed, in microseconds.
    private static let look: useconds_t = 10_000
    /// How many looks it has to end by itself, and as many again once it was told: 2 s each.
    private static let looks = 200

    /// Starts `arguments[0]`, looked up in `PATH`. Its standard error is this process's.
    package init(_ arguments: [String], socket: CInt) throws(TransportError) {
        guard let command = arguments.first, !arguments.contains(where: { $0.utf8.contains(0) })
        else {
            throw TransportError(
                .cannotStartCommand, .tunnel, peer: arguments.first ?? "an empty command")
        }
        name = command
        var actions = posix_spawn_file_actions_t()
        posix_spawn_file_actions_init(&actions)
        defer { posix_spawn_file_actions_destroy(&actions) }
        posix_spawn_file_actions_adddup2(&actions, socket, 0)
        posix_spawn_file_actions_adddup2(&actions, socket, 1)
        var attributes = posix_spawnattr_t()
        posix_spawnattr_init(&attributes)
        defer { posix_spawnattr_destroy(&attributes) }
        // A group of its own, so that ending it ends what a shell started, and Ctrl-C reaches us first.
        posix_spawnattr_setpgroup(&attributes, 0)
        // Threads of Dispatch block most signals, and a program may ignore some: the command must not inherit that.
        var signals = sigset_t()
        sigemptyset(&signals)
        posix_spawnattr_setsigmask(&attributes, &signals)
        for signal in [SIGINT, SIGTERM, SIGHUP, SIGPIPE] { sigaddset(&signals, signal) }
        posix_spawnattr_setsigdefault(&attributes, &signals)
        posix_spawnattr_setflags(
            &attributes,
            Int16(POSIX_SPAWN_SETPGROUP | POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF))
        var words: [UnsafeMutablePointer<CChar>?] = arguments.map { strdup($0) }
        words.append(nil)
        defer { for word in words { free(word) } }
        var id = pid_t()
        let result = posix_spawnp(&id, command, &actions, &attributes, words, environ)
        guard result == 0 else {
            throw TransportError(
                .cannotStartCommand, .tunnel, peer: command, systemErrorNumber: result)
        }
        pid = id
    }

    /// Ends the command: it has seen its input end; after a grace it is told, then killed. Does not wait.
    package func end() {
        let pid = pid
        DispatchQueue.global().async {
            for signal in [0, SIGTERM, SIGKILL] {
                if signal != 0 { kill(-pid, signal) }
                for _ in 0..<Self.looks {
                    var status: CInt = 0
                    if waitpid(pid, &status, WNOHANG) != 0 { return }
                    usleep(Self.look)
                }
            }
        }
    }
}

extension ByteChannel {
    /// Starts a command and talks to it over its standard input and output, as to a server: a tunnel such as
    /// `ssh mail.example.org doveadm exec imap`. Closing the channel ends the command.
    ///
    /// - Parameters:
    ///   - arguments: the command and its arguments; no shell is involved.
    ///   - loop: the loop that serves the channel.
    /// - Throws: `TransportError` with `.cannotStartCommand`.
    public static func tunnel(
        to arguments: [String], loop: EventLoop = .shared
    ) async throws(TransportError) -> ByteChannel {
        let (ours, theirs) = try Descriptor.makePair()
        defer { SystemCalls.close(theirs) }
        let child: ChildProcess
        do throws(TransportError) {
            child = try ChildProcess(arguments, socket: theirs)
        } catch {
            SystemCalls.close(ours)
            throw error
        }
        return try await adopt(
            ours, loop: loop, peer: arguments.first ?? "tunnel", child: child)
    }
}
