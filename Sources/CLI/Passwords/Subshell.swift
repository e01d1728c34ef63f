import Dispatch

#if canImport(Darwin)
    import Darwin
#elseif canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#endif

/// Commands that a person wrote for a shell.
enum Subshell {
    /// What a command gave.
    struct Output: Sendable {
        /// The first octets of its standard output.
        var octets: [UInt8]
        /// Its exit status; 128 and the number of the signal that ended it.
        var status: Int32
    }

    /// Runs `sh -c command` and gives its output, on a thread of its own.
    ///
    /// Standard input is empty, so that the command cannot eat a message that is piped in; standard
    /// error is this program's.
    /// - Parameter limit: octets of output that are kept; the rest is read and dropped.
    /// - Returns: `nil` when no shell could be started.
    static func output(of command: String, limitInOctets limit: Int) async -> Output? {
        await withCheckedContinuation { continuation in
            DispatchQueue(label: "martlet.subshell").async {
                continuation.resume(returning: run(command, limit))
            }
        }
    }

    private static func run(_ command: String, _ limit: Int) -> Output? {
        guard !command.utf8.contains(0) else { return nil }
        var ends: [Int32] = [0, 0]
        guard pipe(&ends) == 0 else { return nil }
        for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
        let process = start(command, output: ends[1])
        close(ends[1])
        defer { close(ends[0]) }
        guard let process else { return nil }
        var octets: [UInt8] = []
        var buffer = [UInt8](repeating: 0, count: 4_096)
        // They may have held a password.
        defer { for index in buffer.indices { buffer[index] = 0 } }
        while true {
            let count = read(ends[0], &buffer, buffer.count)
            if count < 0, errno == EINTR { continue }
            guard count > 0 else { break }
            octets += buffer[..<min(count, limit - octets.count)]
        }
        var status: Int32 = 0
        while waitpid(process, &status, 0) < 0, errno == EINTR {}
        let signalNumber = status & 0x7F
        return Output(
            octets: octets,
            status: signalNumber == 0 ? status >> 8 & 0xFF : 128 + signalNumber)
    }

    private static func start(_ command: String, output: Int32) -> pid_t? {
        #if canImport(Darwin)
            var actions: posix_spawn_file_actions_t?
            var attributes: posix_spawnattr_t?
        #else
            var actions = posix_spawn_file_actions_t()
            var attributes = posix_spawnattr_t()
        #endif
        posix_spawn_file_actions_init(&actions)
        defer { posix_spawn_file_actions_destroy(&actions) }
        posix_spawn_file_actions_addopen(&actions, 0, "/dev/null", O_RDONLY, 0)
        posix_spawn_file_actions_adddup2(&actions, output, 1)
        posix_spawnattr_init(&attributes)
        defer { posix_spawnattr_destroy(&attributes) }
        // What this program ignores, or this thread blocks, must reach the command.
        var signals = sigset_t()
        sigemptyset(&signals)
        posix_spawnattr_setsigmask(&attributes, &signals)
        for number in [SIGINT, SIGTERM, SIGPIPE] { sigaddset(&signals, number) }
        posix_spawnattr_setsigdefault(&attributes, &signals)
        posix_spawnattr_setflags(
            &attributes, Int16(POSIX_SPAWN_SETSIGDEF) | Int16(POSIX_SPAWN_SETSIGMASK))
        let texts = ["sh", "-c", command]
        let words = texts.map { strdup($0) } + [nil]
        defer { for word in words { free(word) } }
        var process: pid_t = 0
        let code = posix_spawn(&process, "/bin/sh", &actions, &attributes, words, environ)
        return code == 0 ? process : nil
    }
}
