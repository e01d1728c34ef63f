#if canImport(Darwin)
    import Darwin
#elseif canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#endif

/// A program of this package, run as people run it.
public struct BuiltProgram: Sendable {
    /// Beside the tests, where the build puts both.
    public let path: String

    /// The program of that name; the variable of the environment names another file.
    public init(_ name: String, unless variable: String? = nil) {
        if let variable, let path = getenv(variable) {
            self.path = String(cString: path)
        } else {
            let tests = CommandLine.arguments[0]
            path =
                tests.split(separator: "/", omittingEmptySubsequences: false).dropLast()
                .joined(separator: "/") + "/" + name
        }
    }

    /// Runs it to its end.
    public func run(
        _ words: [String], input: String = "", environment: [String: String] = [:]
    ) async throws -> Subprocess.Result {
        try await Subprocess.run(
            path, words, input: Array(input.utf8), environment: Self.complete(environment))
    }

    /// What a program needs of the environment, and nothing that could hold a secret by accident.
    public static func complete(_ environment: [String: String]) -> [String: String] {
        ["PATH": "/usr/bin:/bin", "TZ": "UTC"].merging(environment) { $1 }
    }
}
