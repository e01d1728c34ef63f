import MartletBytes
import MartletFiles

#if canImport(Darwin)
    import Darwin
#elseif canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#endif

/// Where a password comes from. Never the command line: everybody on the machine can read that.
enum PasswordSource: Sendable {
    /// Octets of a password, at most; also of the first line of a file or output.
    static let limitInOctets = 65_536

    /// The first line that a shell command prints.
    case command(String)
    /// The first line of a file or pipe.
    case file(String)
    /// The value of an environment variable.
    case environment(String)
    /// Typed before the connection was made.
    case typed(Secret)

    /// Gets the password.
    ///
    /// - Throws: `CommandFailure` naming the source and the reason.
    func read() async throws(CommandFailure) -> Secret {
        switch self {
        case .typed(let secret): return secret
        case .command(let command): return try await Self.output(of: command)
        case .file(let path):
            do {
                var octets = try WholeFile.read(path, limitInOctets: Self.limitInOctets)
                return try Self.firstLine(of: &octets, in: "\"\(path)\"", .unreadableInput)
            } catch let error as FileError {
                throw CommandFailure(
                    .unreadableInput, "The password file \(error.description)",
                    kind: "passwordUnavailable")
            } catch {
                throw error as! CommandFailure
            }
        case .environment(let name):
            guard let value = getenv(name) else {
                throw CommandFailure(
                    .usage,
                    "The environment variable \(name) is not set, and --password-env names it.",
                    kind: "passwordUnavailable")
            }
            var octets = Array(String(cString: value).utf8)
            return try Self.firstLine(
                of: &octets, in: "the environment variable \(name)", .usage)
        }
    }

    private static func output(of command: String) async throws(CommandFailure) -> Secret {
        let result = await Subshell.output(of: command, limitInOctets: limitInOctets)
        if result?.isTooLong == true {
            throw CommandFailure(
                .unavailable, "The password command prints more than \(limitInOctets) octets.",
                kind: "passwordUnavailable")
        }
        guard var result, result.status == 0 else {
            let reason =
                result.map { "ended with status \($0.status)" } ?? "could not be started"
            throw CommandFailure(
                .unavailable, "The password command \(reason).", kind: "passwordUnavailable")
        }
        return try firstLine(
            of: &result.octets, in: "the output of the password command", .unavailable)
    }

    /// Takes the first line without its line end, and clears the rest.
    private static func firstLine(
        of octets: inout [UInt8], in place: String, _ status: ExitStatus
    ) throws(CommandFailure) -> Secret {
        defer { for index in octets.indices { octets[index] = 0 } }
        var line = octets.prefix { $0 != ASCII.lf }
        if line.last == ASCII.cr { line = line.dropLast() }
        guard !line.isEmpty else {
            throw CommandFailure(
                status, "There is no password in the first line of \(place).",
                kind: "passwordUnavailable")
        }
        return Secret(octets: line)
    }
}
