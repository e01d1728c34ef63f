import MartletBytes
import MartletFiles
import MartletSandbox
import MartletTestSupport
import MartletTransport
import Testing

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

/// A sandbox in this process, with its certificate in a file.
struct SandboxHouse: Sendable {
    let sandbox: Sandbox
    let folder: MartletTestSupport.TemporaryFolder
    var authorityFile: String { folder.path + "/ca.pem" }

    /// Runs `body` with a sandbox on free ports.
    static func open(
        users: [String: Secret] = [:], requiresLogin: Bool = false,
        _ body: (SandboxHouse) async throws -> Void
    ) async throws {
        var configuration = Sandbox.Configuration.freePorts
        configuration.users = users
        configuration.requiresAuthentication = requiresLogin
        let folder = try MartletTestSupport.TemporaryFolder("cli")
        defer { folder.remove() }
        let house = SandboxHouse(
            sandbox: try await Sandbox.start(configuration), folder: folder)
        try AtomicFile.write(house.sandbox.certificateAuthorityPEM, to: house.authorityFile)
        do {
            try await body(house)
            await house.sandbox.stop()
        } catch {
            await house.sandbox.stop()
            throw error
        }
    }

    /// The options to reach it by STARTTLS.
    var startTLS: [String] {
        [
            "--server", "localhost:\(sandbox.smtpPort)", "--tls", "starttls", "--ca-file",
            authorityFile,
        ]
    }

    /// The options to reach it by TLS from the start.
    var implicitTLS: [String] {
        [
            "--server", "localhost:\(sandbox.smtpsPort)", "--tls", "implicit", "--ca-file",
            authorityFile,
        ]
    }

    /// The options to reach it without TLS.
    var plaintext: [String] {
        ["--server", "localhost:\(sandbox.smtpPort)", "--tls", "plaintext"]
    }

    func write(_ text: String, _ name: String) throws -> String {
        try write(Array(text.utf8), name)
    }

    func write(_ octets: [UInt8], _ name: String) throws -> String {
        let path = folder.path + "/" + name
        try AtomicFile.write(octets, to: path)
        return path
    }
}

extension StoredMessage {
    /// The message as text.
    var text: String { String(decoding: octets, as: UTF8.self) }
}

/// `send` with a sender and a recipient.
func send(_ options: [String], to: [String] = ["bob@example.test"]) -> [String] {
    ["send"] + options + ["--from", "alice@example.test"] + to.flatMap { ["--to", $0] }
}

/// The options to reach a scripted server.
func plaintext(_ port: Int) -> [String] {
    ["--server", "127.0.0.1:\(port)", "--tls", "plaintext"]
}

/// The text with everything that is new each time replaced by its kind.
func stable(_ text: String) -> String {
    text.replacing(#/"milliseconds":[0-9.]+/#, with: "\"milliseconds\":0")
        .replacing(#/"messageID":"<[^>"]*>"/#, with: "\"messageID\":\"<id>\"")
        .replacing(#/(localhost|127\.0\.0\.1|\[::1\]):[0-9]+/#) { "\($0.output.1):PORT" }
        .replacing(#/"port":[0-9]+/#, with: "\"port\":0")
        .replacing(#/valid until [0-9-]+ [0-9:]+ UTC/#, with: "valid until DATE")
}
