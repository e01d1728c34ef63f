import MartletTestSupport

/// The built program, run as people run it.
enum Martlet {
    private static let program = BuiltProgram("martlet", unless: "MARTLET_EXECUTABLE")
    static let path = program.path

    /// Runs it to its end.
    static func run(
        _ words: [String], input: String = "", environment: [String: String] = [:]
    ) async throws -> Subprocess.Result {
        try await program.run(words, input: input, environment: environment)
    }

    /// What a program needs of the environment, and nothing that could hold a secret by accident.
    static func complete(_ environment: [String: String]) -> [String: String] {
        BuiltProgram.complete(environment)
    }
}
