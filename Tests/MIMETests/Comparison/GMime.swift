import MartletTestSupport
import Testing

/// GMime as a second opinion: a small program around it, compiled for the test.
enum GMime {
    /// `pkg-config`'s answer for GMime; `nil` where it, GMime's headers or a C compiler is missing.
    private static let flags: [String]? = {
        let asked = ["pkg-config", "--cflags", "--libs", "gmime-3.0"]
        guard let flags = try? Command.runBlocking(asked), flags.status == 0 else { return nil }
        return flags.output.split { $0 == " " || $0 == "\n" }.map(String.init)
    }()

    /// A C compiler: the system's, or the one that comes with Swift.
    private static let compiler: String? = ["cc", "clang"].first {
        (try? Command.runBlocking([$0, "--version"]))?.status == 0
    }

    static var isThere: Bool { flags != nil && compiler != nil }

    /// What it reads in each message; one process for all.
    static func read(_ messages: [[UInt8]]) async throws -> [[Records.Record]] {
        let folder = try TemporaryFolder("gmime")
        defer { folder.remove() }
        let (source, program) = (folder.path + "/reader.c", folder.path + "/reader")
        try write(Array(GMimeReader.source.utf8), toFile: source)
        let compiled = try await Command.run(
            [compiler ?? "cc", "-O1", "-o", program, source] + (flags ?? []))
        guard compiled.status == 0 else { throw Records.ReadingFailed(reason: compiled.output) }
        return try await Records.ask([program], messages)
    }
}

extension Trait where Self == ConditionTrait {
    /// Skips the test or suite where GMime's program cannot be made; the test output then says so.
    static var gmime: Self {
        .enabled(
            if: GMime.isThere, "libgmime-3.0-dev, pkg-config or a C compiler is not on this machine"
        )
    }
}
