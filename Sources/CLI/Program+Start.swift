#if canImport(Darwin)
    import Darwin
#elseif canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#endif

extension Program {
    /// What comes first in the program, before anything opens a file: an `await` may do so.
    ///
    /// Ends the process if a word of the command line is not in UTF-8.
    public static func prepare() {
        // Numbers 0 to 2 that nobody opened must not go to a socket, which would then get what is printed.
        for number in CInt(0)...2 where fcntl(number, F_GETFD) < 0 {
            _ = open("/dev/null", number == 0 ? O_RDONLY : O_WRONLY)
        }
        // `CommandLine.arguments` mends what is not UTF-8, and a mended address is another address.
        for index in 1..<max(Int(CommandLine.argc), 1) {
            guard let word = CommandLine.unsafeArgv[index] else { continue }
            if String(validatingCString: word) == nil { exit(refuseWord(at: index)) }
        }
    }

    /// Runs what the command line asks for, and ends the process. `prepare` comes first.
    public static func start() async -> Never { await start(as: [], replacing: [:]) }

    /// The same for another program that carries out some of the commands.
    ///
    /// - Parameters:
    ///   - prefix: words that stand before those of the command line.
    ///   - own: the commands that it carries out.
    package static func start(as prefix: [String], replacing own: [String: Run]) async -> Never {
        exit(await run(prefix + CommandLine.arguments.dropFirst(), replacing: own))
    }
}
