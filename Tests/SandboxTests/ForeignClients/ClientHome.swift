import MartletBytes
import MartletSandbox
import MartletTestSupport
import MartletTransport
import Testing

#if canImport(Darwin)
    import Darwin
#elseif canImport(Glibc)
    import Glibc
#endif

/// A folder that is a client's home, with the sandbox's authority in it and one that signed nothing.
struct ClientHome {
    let path: String
    let program: ForeignProgram

    /// PEM files.
    var authority: String { path + "/ca.pem" }
    var wrongAuthority: String { path + "/wrong-ca.pem" }

    /// Makes a home, runs `body`, removes it.
    static func with(
        _ program: ForeignProgram, _ sandbox: Sandbox, _ body: (ClientHome) async throws -> Void
    ) async throws {
        let folder = try TemporaryFolder(program.rawValue)
        defer { folder.remove() }
        let home = ClientHome(path: folder.path, program: program)
        try MartletTestSupport.write(sandbox.certificateAuthorityPEM, toFile: home.authority)
        let other = try CertificateAuthority(commonName: "Somebody else")
        try MartletTestSupport.write(other.certificatePEM, toFile: home.wrongAuthority)
        try await body(home)
    }

    /// Writes a file that only its owner can read, in folders that are made.
    @discardableResult
    func write(_ text: String, to name: String) throws -> String {
        try write(Array(text.utf8), to: name)
    }

    @discardableResult
    func write(_ octets: [UInt8], to name: String) throws -> String {
        for (index, character) in name.enumerated() where character == "/" {
            mkdir(path + "/" + String(name.prefix(index)), 0o700)
        }
        try MartletTestSupport.write(octets, toFile: path + "/" + name)
        chmod(path + "/" + name, 0o600)
        return path + "/" + name
    }

    /// Makes a folder.
    func makeFolder(_ name: String) { mkdir(path + "/" + name, 0o700) }

    /// Reads a file.
    func read(_ name: String) throws -> [UInt8] { try octets(ofFile: path + "/" + name) }

    /// Runs the program.
    func run(
        _ words: [String], input: [UInt8] = [], variables: [String: String] = [:]
    ) async throws -> Subprocess.Result {
        try await program.run(words, home: path, input: input, variables: variables)
    }

    /// Runs the program, which has to say that all went well.
    @discardableResult
    func succeed(
        _ words: [String], input: [UInt8] = [], variables: [String: String] = [:],
        at location: SourceLocation = #_sourceLocation
    ) async throws -> String {
        let result = try await run(words, input: input, variables: variables)
        #expect(
            result.status == 0, "\(words)\n\(result.output)\n\(result.errors)",
            sourceLocation: location)
        return result.output
    }
}

/// Messages that a client can get wrong.
enum Letters {
    static let plain = letter("plain", "Hello.\n")
    static let dots = letter("dots", ".\n..\n.end\n. \n")
    static let utf8 = letter(
        "Grüße 🐦", "Schöne Grüße aus Zürich\n",
        fields: "MIME-Version: 1.0\nContent-Type: text/plain; charset=utf-8\n"
            + "Content-Transfer-Encoding: 8bit\n")
    static let long = letter(
        "long", String(repeating: "x", count: 990) + "\n\n\n> From here\nFrom there\n\n")

    static let all = [plain, dots, utf8, long]

    static func letter(_ subject: String, _ body: String, fields: String = "") -> [UInt8] {
        let id = subject.unicodeScalars.map { String($0.value, radix: 16) }.joined()
        return crlf(
            """
            From: Ann <ann@example.com>
            To: alice@example.test
            Subject: \(subject)
            Date: Mon, 30 Nov 2026 10:00:00 +0000
            Message-ID: <\(id)@example.com>
            \(fields)
            \(body)
            """)
    }

    /// With the line ends of files.
    static func asFile(_ octets: [UInt8]) -> [UInt8] { octets.filter { $0 != ASCII.cr } }
}
