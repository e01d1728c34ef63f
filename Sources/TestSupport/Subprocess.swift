import Dispatch
import Synchronization

#if canImport(Darwin)
    import Darwin
#elseif canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#endif

/// A program run by a test: its output gathered, its input fed, its end awaited.
///
/// Nothing here blocks the threads that Swift's tasks run on.
public final class Subprocess: Sendable {
    /// How a program ended and what it said.
    public struct Result: Sendable {
        /// The exit status, or 128 and the signal's number.
        public var status: Int32
        /// Everything it wrote to standard output.
        public var output: String
        /// Everything it wrote to standard error.
        public var errors: String
    }

    /// The program could not be started; the number is `errno`.
    public struct SpawnError: Error {
        /// `errno`.
        public var code: Int32
    }

    private struct State {
        var output: [UInt8] = []
        var errors: [UInt8] = []
        var status: Int32?
        var waiters: [CheckedContinuation<Void, Never>] = []
    }

    /// The number the system knows it by.
    public let processID: pid_t
    private let input: Mutex<Int32?>
    private let state = Mutex(State())

    /// Between making a pipe and marking it close-on-exec another start would inherit it.
    private static let startLock = Mutex(())

    /// Starts a program.
    ///
    /// - Parameters:
    ///   - path: the program's file.
    ///   - arguments: the words after its name.
    ///   - environment: all of its environment; `nil` for this process's.
    ///   - terminal: a terminal's path: its controlling terminal, standard input and standard error.
    ///   - input: a descriptor for its standard input instead of a pipe.
    /// - Throws: `SpawnError`.
    public init(
        _ path: String, _ arguments: [String] = [], environment: [String: String]? = nil,
        terminal: String? = nil, input: Int32? = nil
    ) throws {
        let started = try Self.startLock.withLock { _ throws(SpawnError) in
            try Self.start(path, arguments, environment, terminal, input)
        }
        processID = started.processID
        self.input = Mutex(started.input)
        signal(SIGPIPE, SIG_IGN)
        DispatchQueue(label: "subprocess").async { [self] in
            gather(started.output, started.errors)
        }
    }

    /// Runs a program to its end.
    public static func run(
        _ path: String, _ arguments: [String] = [], input: [UInt8] = [],
        environment: [String: String]? = nil
    ) async throws -> Result {
        let process = try Subprocess(path, arguments, environment: environment)
        process.write(input)
        process.closeInput()
        return await process.result()
    }

    /// The first of `paths` that can be run.
    public static func program(_ paths: String...) -> String? {
        paths.first { access($0, X_OK) == 0 }
    }

    /// Feeds standard input, on a thread of its own: a full pipe does not stop the test.
    public func write(_ octets: [UInt8]) {
        guard let number = input.withLock({ $0 }), !octets.isEmpty else { return }
        // In one step: a program that is started between two would inherit it, and its end would not come.
        let copy = fcntl(number, F_DUPFD_CLOEXEC, 0)
        let done = DispatchSemaphore(value: 0)
        DispatchQueue(label: "subprocess input").async {
            // Small inputs are in the pipe before `write` returns, so that their order is kept.
            if octets.count > 4_096 { done.signal() }
            var rest = octets[...]
            while !rest.isEmpty {
                let written = rest.withUnsafeBytes { systemWrite(copy, $0.baseAddress, $0.count) }
                guard written > 0 else { break }
                rest = rest.dropFirst(written)
            }
            close(copy)
            done.signal()
        }
        done.wait()
    }

    /// Ends standard input.
    public func closeInput() {
        input.withLock { number in
            if let number { close(number) }
            number = nil
        }
    }

    /// Sends a signal.
    public func send(signal: Int32) { kill(processID, signal) }

    /// Waits for the program's end.
    public func result() async -> Result {
        while true {
            if let result = finished { return result }
            await change { $0.status != nil }
        }
    }

    /// Waits until standard output holds `text`, or the program ended.
    ///
    /// - Returns: everything it wrote so far.
    public func output(containing text: String) async -> String {
        await output(where: { $0.contains(text) })
    }

    /// Waits until standard output is as wanted, or the program ended.
    public func output(where isWanted: @Sendable (String) -> Bool) async -> String {
        while true {
            let (text, hasEnded, count) = state.withLock {
                (String(decoding: $0.output, as: UTF8.self), $0.status != nil, $0.output.count)
            }
            if isWanted(text) || hasEnded { return text }
            await change { $0.output.count > count || $0.status != nil }
        }
    }

    /// Waits until standard error is as wanted, or the program ended.
    public func errors(where isWanted: @Sendable (String) -> Bool) async -> String {
        while true {
            let (text, hasEnded, count) = state.withLock {
                (String(decoding: $0.errors, as: UTF8.self), $0.status != nil, $0.errors.count)
            }
            if isWanted(text) || hasEnded { return text }
            await change { $0.errors.count > count || $0.status != nil }
        }
    }

    private var finished: Result? {
        state.withLock { state in
            state.status.map {
                Result(
                    status: $0, output: String(decoding: state.output, as: UTF8.self),
                    errors: String(decoding: state.errors, as: UTF8.self))
            }
        }
    }

    /// Waits for something new, unless `isThere` already.
    private func change(_ isThere: @Sendable (borrowing State) -> Bool) async {
        await withCheckedContinuation { continuation in
            let isNow = state.withLock { state in
                guard !isThere(state) else { return true }
                state.waiters.append(continuation)
                return false
            }
            if isNow { continuation.resume() }
        }
    }

    private func update(_ body: (inout State) -> Void) {
        let waiters = state.withLock { state in
            body(&state)
            defer { state.waiters = [] }
            return state.waiters
        }
        for waiter in waiters { waiter.resume() }
    }

    /// Reads both outputs to their ends, then takes the exit status.
    private func gather(_ output: Int32, _ errors: Int32) {
        var open = [output, errors].filter { $0 >= 0 }
        var buffer = [UInt8](repeating: 0, count: 65_536)
        while !open.isEmpty {
            var waiting = open.map { pollfd(fd: $0, events: Int16(POLLIN), revents: 0) }
            guard poll(&waiting, nfds_t(waiting.count), -1) > 0 else { continue }
            for entry in waiting where entry.revents != 0 {
                let count = read(entry.fd, &buffer, buffer.count)
                if count > 0 {
                    let piece = buffer[..<count]
                    update { entry.fd == output ? $0.output += piece : ($0.errors += piece) }
                } else if count == 0 || errno != EINTR {
                    close(entry.fd)
                    open.removeAll { $0 == entry.fd }
                }
            }
        }
        var status: Int32 = 0
        while waitpid(processID, &status, 0) < 0, errno == EINTR {}
        let signalNumber = status & 0x7F
        let code = signalNumber == 0 ? status >> 8 & 0xFF : 128 + signalNumber
        closeInput()
        update { $0.status = code }
    }

    private static func start(
        _ path: String, _ arguments: [String], _ environment: [String: String]?,
        _ terminal: String?, _ givenInput: Int32?
    ) throws(SpawnError) -> (processID: pid_t, input: Int32?, output: Int32, errors: Int32) {
        let input = terminal == nil && givenInput == nil ? try pipePair() : nil
        let output = try pipePair()
        let errors = terminal == nil ? try pipePair() : nil
        #if canImport(Darwin)
            var actions: posix_spawn_file_actions_t?
            var attributes: posix_spawnattr_t?
        #else
            var actions = posix_spawn_file_actions_t()
            var attributes = posix_spawnattr_t()
        #endif
        posix_spawn_file_actions_init(&actions)
        defer { posix_spawn_file_actions_destroy(&actions) }
        posix_spawn_file_actions_adddup2(&actions, output.writing, 1)
        if let terminal {
            // The first terminal that the leader of a new session opens is its controlling one.
            posix_spawn_file_actions_addopen(&actions, 2, terminal, O_RDWR, 0)
            posix_spawn_file_actions_adddup2(&actions, givenInput ?? 2, 0)
        } else {
            posix_spawn_file_actions_adddup2(&actions, givenInput ?? input!.reading, 0)
            posix_spawn_file_actions_adddup2(&actions, errors!.writing, 2)
        }
        posix_spawnattr_init(&attributes)
        defer { posix_spawnattr_destroy(&attributes) }
        // This thread may block signals, and this process ignores one: the program must not.
        var signals = sigset_t()
        sigemptyset(&signals)
        posix_spawnattr_setsigmask(&attributes, &signals)
        sigaddset(&signals, SIGPIPE)
        posix_spawnattr_setsigdefault(&attributes, &signals)
        let session = terminal == nil ? 0 : newSession
        posix_spawnattr_setflags(
            &attributes,
            Int16(Int32(POSIX_SPAWN_SETSIGMASK) | Int32(POSIX_SPAWN_SETSIGDEF) | session))
        let words = ([path] + arguments).map { strdup($0) } + [nil]
        let variables = environment.map { $0.map { strdup("\($0.key)=\($0.value)") } + [nil] }
        defer { for word in words + (variables ?? []) { free(word) } }
        var processID: pid_t = 0
        let result = posix_spawn(
            &processID, path, &actions, &attributes, words, variables ?? environmentOfThisProcess)
        for number in [input?.reading, output.writing, errors?.writing] {
            if let number { close(number) }
        }
        guard result == 0 else {
            for number in [input?.writing, output.reading, errors?.reading] {
                if let number { close(number) }
            }
            throw SpawnError(code: result)
        }
        return (processID, input?.writing, output.reading, errors?.reading ?? -1)
    }

    private static var environmentOfThisProcess: [UnsafeMutablePointer<CChar>?] {
        var count = 0
        while environ[count] != nil { count += 1 }
        return Array(UnsafeBufferPointer(start: environ, count: count + 1))
    }

    /// `POSIX_SPAWN_SETSID`, which Swift's Glibc module leaves out.
    #if canImport(Darwin)
        private static let newSession: Int32 = 0x400
    #else
        private static let newSession: Int32 = 0x80
    #endif

    private static func pipePair() throws(SpawnError) -> (reading: Int32, writing: Int32) {
        var ends: [Int32] = [0, 0]
        guard pipe(&ends) == 0 else { throw SpawnError(code: errno) }
        for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
        return (ends[0], ends[1])
    }
}

// The method named `write` hides the system's function inside the class.
private func systemWrite(_ number: Int32, _ buffer: UnsafeRawPointer?, _ count: Int) -> Int {
    write(number, buffer, count)
}
