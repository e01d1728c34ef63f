import Dispatch
import Synchronization

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
        /// Whether it printed more than the limit, and was ended for it.
        var isTooLong: Bool
    }

    /// How often a silent command is looked at.
    private static let lookInMilliseconds: Int32 = 20

    /// Runs `sh -c command` and gives its output, on a thread of its own. Cancelling ends the command.
    ///
    /// Standard input is empty, so that the command cannot eat a message that is piped in; standard
    /// error is this program's. It is done when the shell has ended: what it left running in the background, such
    /// as an agent, may keep the output open.
    /// - Parameter limit: octets of output, at most; a command that prints more is ended.
    /// - Returns: `nil` when no shell could be started.
    static func output(of command: String, limitInOctets limit: Int) async -> Output? {
        let cancellation = Cancellation()
        return await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                DispatchQueue(label: "martlet.subshell").async {
                    continuation.resume(returning: run(command, limit, cancellation))
                }
            }
        } onCancel: {
            cancellation.isRequested.store(true, ordering: .relaxed)
        }
    }

    private final class Cancellation: Sendable {
        let isRequested = Atomic(false)
    }

    private static func run(
        _ command: String, _ limit: Int, _ cancellation: Cancellation
    ) -> Output? {
        guard !command.utf8.contains(0) else { return nil }
        var ends: [Int32] = [0, 0]
        guard pipe(&ends) == 0 else { return nil }
        for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
        _ = fcntl(ends[0], F_SETFL, O_NONBLOCK)
        let process = start(command, output: ends[1])
        close(ends[1])
        defer { close(ends[0]) }
        guard let process else { return nil }
        var output = Output(octets: [], status: 0, isTooLong: false)
        var status: Int32?
        var looksSinceEnding = 0
        while status == nil {
            var question = pollfd(fd: ends[0], events: Int16(POLLIN), revents: 0)
            poll(&question, 1, lookInMilliseconds)
            status = ended(process)
            let isAtEnd = read(ends[0], limit, into: &output)
            if status == nil, output.isTooLong || cancellation.isRequested.load(ordering: .relaxed)
            {
                // First it is asked, then, after a second or so, it is not.
                if looksSinceEnding == 0 { kill(process, SIGTERM) }
                if looksSinceEnding == 50 { kill(process, SIGKILL) }
                looksSinceEnding += 1
            }
            if isAtEnd || output.isTooLong, status == nil {
                // Nothing of it is wanted any more but its end; `poll` would return at once.
                usleep(useconds_t(lookInMilliseconds) * 1_000)
            }
        }
        let signalNumber = (status ?? 0) & 0x7F
        output.status = signalNumber == 0 ? (status ?? 0) >> 8 & 0xFF : 128 + signalNumber
        return output
    }

    /// The wait status of a process that has ended.
    private static func ended(_ process: pid_t) -> Int32? {
        var status: Int32 = 0
        return waitpid(process, &status, WNOHANG) == process ? status : nil
    }

    /// Reads what is there.
    ///
    /// - Returns: whether nothing more can come.
    private static func read(_ pipe: Int32, _ limit: Int, into output: inout Output) -> Bool {
        var buffer = [UInt8](repeating: 0, count: 4_096)
        // They may have held a password.
        defer { for index in buffer.indices { buffer[index] = 0 } }
        while !output.isTooLong {
            let count = readOctets(pipe, &buffer, buffer.count)
            if count < 0, errno == EINTR { continue }
            guard count > 0 else { return count == 0 }
            output.isTooLong = output.octets.count + count > limit
            output.octets += buffer[..<min(count, limit - output.octets.count)]
        }
        return false
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

// Under another name, since a method of the type is called the same.
private let readOctets = read
