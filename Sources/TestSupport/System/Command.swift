import Dispatch

#if canImport(Glibc)
    import Glibc
#elseif canImport(Darwin)
    import Darwin
#endif

/// A program that ran to its end.
///
/// Started by `posix_spawn`, with nothing to read, and with both outputs in one file rather than a pipe: daemons that
/// outlive the program keep a pipe open, and whoever reads it to the end waits for ever.
public struct Command: Sendable {
    /// The exit status; 128 and the signal's number if a signal ended it.
    public let status: Int32
    /// What it wrote to standard output and standard error.
    public let output: String

    /// Runs a program to its end, away from the tasks that wait for it.
    ///
    /// - Parameter environment: variables added to this process's.
    public static func run(
        _ arguments: [String], environment: [String: String] = [:]
    ) async throws -> Command {
        try await withCheckedThrowingContinuation { done in
            DispatchQueue.global().async {
                done.resume(with: Result { try runBlocking(arguments, environment: environment) })
            }
        }
    }

    /// Runs a program to its end and blocks the calling thread meanwhile.
    public static func runBlocking(
        _ arguments: [String], environment: [String: String] = [:]
    ) throws(SystemFailure) -> Command {
        let folder = try TemporaryFolder("command")
        defer { folder.remove() }
        let outputFile = folder.path + "/output"

        var actions = posix_spawn_file_actions_t()
        posix_spawn_file_actions_init(&actions)
        defer { posix_spawn_file_actions_destroy(&actions) }
        posix_spawn_file_actions_addopen(&actions, 0, "/dev/null", O_RDONLY, 0)
        posix_spawn_file_actions_addopen(
            &actions, 1, outputFile, O_WRONLY | O_CREAT | O_APPEND, 0o600)
        posix_spawn_file_actions_adddup2(&actions, 1, 2)

        // threads of Dispatch block most signals, and a child would inherit that
        var attributes = posix_spawnattr_t()
        posix_spawnattr_init(&attributes)
        defer { posix_spawnattr_destroy(&attributes) }
        var none = sigset_t()
        sigemptyset(&none)
        posix_spawnattr_setsigmask(&attributes, &none)
        posix_spawnattr_setflags(&attributes, Int16(POSIX_SPAWN_SETSIGMASK))

        var argv = arguments.map { strdup($0) } + [nil]
        var envp = inheritedEnvironment(adding: environment).map { strdup($0) } + [nil]
        defer { (argv + envp).forEach { free($0) } }
        var process: pid_t = 0
        let failure = posix_spawnp(&process, argv[0]!, &actions, &attributes, &argv, &envp)
        guard failure == 0 else {
            throw SystemFailure("\(arguments[0]) cannot be started", number: failure)
        }
        var status: Int32 = 0
        while waitpid(process, &status, 0) < 0 {
            guard errno == EINTR else { throw SystemFailure("\(arguments[0]) is lost") }
        }
        let signal = status & 0x7f
        return Command(
            status: signal == 0 ? (status >> 8) & 0xff : 128 + signal,
            output: String(decoding: try octets(ofFile: outputFile), as: UTF8.self))
    }

    private static func inheritedEnvironment(adding added: [String: String]) -> [String] {
        var lines: [String] = []
        var next = environ
        while let line = next.pointee {
            let text = String(cString: line)
            let name = text.prefix { $0 != "=" }
            if added[String(name)] == nil { lines.append(text) }
            next += 1
        }
        return lines + added.map { "\($0.key)=\($0.value)" }
    }
}
