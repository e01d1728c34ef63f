import Synchronization
public import Testing

#if canImport(Glibc)
    import Glibc
#elseif canImport(Darwin)
    import Darwin
#endif

/// A mail client that others wrote, run without being installed: `Scripts/servers/fetch` unpacks it from its packages.
public enum ForeignProgram: String, Sendable, CaseIterable, CustomStringConvertible {
    /// The swiss army knife of transfers: SMTP, IMAP, POP3.
    case curl
    /// Sends a message and shows each word of the dialogue.
    case swaks
    /// Sends like `sendmail`.
    case msmtp
    /// mbsync: two-way between IMAP and Maildirs.
    case isync
    /// Fetches by POP3, pipelined.
    case mpop
    /// Fetches by POP3 or IMAP, hands on by SMTP.
    case fetchmail
    /// Two-way between IMAP and Maildirs, by Python's imaplib2.
    case offlineIMAP = "offlineimap3"
    /// A mail reader for the terminal.
    case neomutt
    /// Another one, written in Go.
    case aerc
    /// Python with its own libraries, and aiosmtplib.
    case python = "python3"
    /// Python with IMAPClient.
    case imapClient = "imapclient"

    /// The name in test output.
    public var description: String { rawValue }

    private var runner: String { ServerScript.folder + "/run-in" }

    /// Why it cannot be run here, in a sentence; `nil` if it can. Asked once for the whole run.
    public var unavailableReason: String? {
        Self.reasons.withLock { reasons in
            if let known = reasons[self] { return known }
            let reason = check()
            reasons[self] = .some(reason)
            return reason
        }
    }

    private static let reasons = Mutex<[ForeignProgram: String?]>([:])

    private func check() -> String? {
        do {
            let check = try Command.runBlocking(["bash", runner, "--check", rawValue])
            guard check.status != 0 else { return nil }
            return check.output.split(separator: "\n").last.map(String.init)
                ?? "\(runner) exited with \(check.status)."
        } catch {
            return String(describing: error)
        }
    }

    /// Starts it. It is ended after a while: a client that waits for ever fails a test, and does not stop all.
    ///
    /// - Parameters:
    ///   - words: the program's name or path, and its arguments.
    ///   - home: its folder, current and `HOME`: nothing of the machine's own settings is read.
    ///   - variables: all of its environment besides.
    ///   - seconds: how long it may take.
    public func start(
        _ words: [String], home: String, variables: [String: String] = [:],
        within seconds: Int = 40
    ) throws -> Subprocess {
        let environment = [
            "HOME": home, "PATH": "/usr/bin:/bin", "LC_ALL": "C.UTF-8", "TZ": "UTC",
            "PYTHONIOENCODING": "utf-8", "PYTHONDONTWRITEBYTECODE": "1", "TERM": "xterm",
        ].merging(variables) { $1 }
        return try Subprocess(
            "/bin/bash",
            [runner, rawValue, "env", "-i", "-C", home]
                + environment.map { "\($0.key)=\($0.value)" }
                + ["timeout", "-k", "2", "\(seconds)"] + words)
    }

    /// Runs it to its end, which comes at the latest when its time is over (status 124).
    public func run(
        _ words: [String], home: String, input: [UInt8] = [], variables: [String: String] = [:],
        within seconds: Int = 40
    ) async throws -> Subprocess.Result {
        let process = try start(words, home: home, variables: variables, within: seconds)
        process.write(input)
        process.closeInput()
        return await process.result()
    }
}

extension Trait where Self == ConditionTrait {
    /// Skips the test or suite where a client cannot be run; the test output then says why.
    ///
    ///     @Suite("Sandbox and curl", .needs(.curl))
    public static func needs(_ program: ForeignProgram) -> Self {
        .enabled(
            if: program.unavailableReason == nil,
            Comment(rawValue: program.unavailableReason ?? "available"))
    }
}
