import MartletBytes
public import Testing

/// Python as a second opinion: its own reading and writing of mail.
public enum Python {
    /// Whether `python3` can be run and has a module.
    ///
    /// - Parameter version: the only version that will do, such as `3.11`.
    public static func has(_ module: String, version: String? = nil) -> Bool {
        let script = "import sys, \(module); print('%d.%d' % sys.version_info[:2])"
        guard let command = try? Command.runBlocking(["python3", "-c", script]), command.status == 0
        else { return false }
        return version == nil || command.output == version! + "\n"
    }

    /// Runs a script with `lines` to read, one process for all, and gives what it prints, by lines.
    ///
    /// - Throws: `SystemFailure` with what it wrote to standard error, if it fails.
    public static func run(_ script: String, lines: [[UInt8]]) async throws -> [[UInt8]] {
        let result = try await Subprocess.run(
            "/usr/bin/env", ["PYTHONIOENCODING=utf-8", "python3", "-c", script],
            input: Array(lines.joined(separator: [ASCII.lf])))
        guard result.status == 0 else {
            throw SystemFailure("python3: " + result.errors, number: 0)
        }
        return result.output.utf8.split(separator: ASCII.lf).map { Array($0) }
    }
}

extension Trait where Self == ConditionTrait {
    /// Skips the test or suite where Python cannot be run or lacks the module; the test output then says so.
    ///
    /// - Parameter version: the only version that will do, where each reads a little otherwise.
    public static func python(_ module: String, version: String? = nil) -> Self {
        .enabled(
            if: Python.has(module, version: version),
            "python3\(version.map { " " + $0 } ?? "") with the module \(module) is not here")
    }
}
