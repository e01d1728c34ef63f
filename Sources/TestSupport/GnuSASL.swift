import MartletBytes
public import Testing

/// GNU SASL's command as a second opinion: a client and a server that others wrote, a line of base64 at a time.
public struct GnuSASL: Sendable {
    /// Whether the command is here.
    public static let isAvailable =
        path != nil && Subprocess.program("/usr/bin/setsid") != nil
    /// Where it is.
    public static let path = Subprocess.program("/usr/bin/gsasl", "/usr/local/bin/gsasl")

    private let process: Subprocess
    private var seen = 0

    /// Starts one side of a login, which ends with it (`--application-data` takes away what would follow).
    public init(_ arguments: [String]) throws {
        // In a session of its own: readline would reach for the terminal, and be stopped.
        process = try Subprocess(
            "/usr/bin/setsid",
            ["--wait", Self.path ?? "gsasl", "--quiet", "--application-data"] + arguments,
            environment: ["LC_ALL": "C.UTF-8", "PATH": "/usr/bin:/bin"])
        seen = 1  // it says the mechanism's name first
    }

    /// What it says next; `nil` when it has ended instead.
    public mutating func next() async -> [UInt8]? {
        let wanted = seen + 1
        let output = await process.output { $0.utf8.count { $0 == ASCII.lf } >= wanted }
        let lines = output.split(separator: "\n", omittingEmptySubsequences: false)
        guard lines.count > wanted else { return nil }
        seen = wanted
        return Base64.decode(Array(lines[wanted - 1].utf8))
    }

    /// Says something to it.
    public func say(_ octets: [UInt8]) { process.write(Base64.encode(octets) + [ASCII.lf]) }

    /// Whether it says that the login is done; what it complains of otherwise.
    public func result() async -> (isDone: Bool, errors: String) {
        process.closeInput()
        let result = await process.result()
        return (result.status == 0, result.errors)
    }
}

extension Trait where Self == ConditionTrait {
    /// Skips the test or suite where GNU SASL's command is missing; the test output then says so.
    public static var gnuSASL: Self {
        .enabled(if: GnuSASL.isAvailable, "gsasl or setsid is not here")
    }
}
