import MartletTestSupport
import Testing

/// The commands as people run them, on a server that none of us wrote.
@Suite("martlet pop3", .needs(.dovecot), .timeLimit(.minutes(5)))
struct POP3CommandTests {
    /// The program and a server for it.
    private struct House: Sendable {
        let server: RunningIMAPServer
        let folder: MartletTestSupport.TemporaryFolder

        func run(
            _ words: [String], at port: RealIMAPServer.Service = .pop3s, input: String = ""
        ) async throws -> Subprocess.Result {
            try await Martlet.run(
                words + [
                    "--server", "localhost:\(server.ports[port] ?? 0)", "--tls", "implicit",
                    "--ca-file", server.certificateAuthorityFile, "--user", "alice",
                    "--password-env", "PW",
                ], input: input, environment: ["PW": "alicepw"])
        }

        /// Runs one that must go well; gives what it prints.
        func output(
            _ words: String..., sourceLocation: SourceLocation = #_sourceLocation
        ) async throws -> String {
            let result = try await run(["pop3"] + words)
            #expect(result.status == 0, "\(result.errors)", sourceLocation: sourceLocation)
            return result.output
        }
    }

    private func withHouse(_ body: (House) async throws -> Void) async throws {
        let folder = try MartletTestSupport.TemporaryFolder("pop3")
        defer { folder.remove() }
        try await RealServers.withServer(.dovecot) { server in
            let house = House(server: server, folder: folder)
            for number in 1...3 {
                let letter =
                    "From: Ann <ann@example.com>\r\nSubject: =?utf-8?q?Gr=C3=BC=C3=9Fe?= \(number)\r\n"
                    + "\r\n.dot \(number)\r\n"
                let put = try await house.run(["imap", "append"], at: .imaps, input: letter)
                #expect(put.status == 0, "\(put.errors)")
            }
            try await body(house)
        }
    }

    @Test("lists, fetches and deletes")
    func whole() async throws {
        try await withHouse { house in
            let list = try await house.output("list", "--headers").split(separator: "\n")
            #expect(list.count == 3 && list[2].hasPrefix("3 ") && list[2].hasSuffix("Grüße 3"))
            #expect(try await house.output("list", "--json").contains("\"count\":3"))

            let one = try await house.output("fetch", "2")
            #expect(one.hasSuffix("\r\n\r\n.dot 2\r\n"))
            #expect(try await house.output("fetch", "--header", "2").contains("Subject:"))
            #expect(try await !house.output("fetch", "--header", "2").contains(".dot"))

            let path = house.folder.path
            _ = try await house.output("fetch", "--folder", path, "--delete", "2,3")
            #expect(
                String(decoding: try octets(ofFile: path + "/3.eml"), as: UTF8.self)
                    .hasSuffix(".dot 3\r\n"))
            #expect(try await house.output("list").split(separator: "\n").count == 1)
            _ = try await house.output("delete", "1")
            #expect(try await house.output("list").isEmpty)
        }
    }

    @Test("leaves files and messages alone that it must not touch, and says why")
    func refusals() async throws {
        try await withHouse { house in
            let path = house.folder.path
            try MartletTestSupport.write(Array("mine".utf8), toFile: path + "/2.eml")
            let fetched = try await house.run(
                ["pop3", "fetch", "--folder", path, "--delete", "1:3"])
            #expect(fetched.status == 65)
            #expect(fetched.errors.contains("2.eml") && fetched.errors.contains("--overwrite"))
            #expect(try octets(ofFile: path + "/2.eml") == Array("mine".utf8))
            #expect(try await house.output("list").split(separator: "\n").count == 3)
            for words in [["fetch", "9"], ["delete", "9"]] {
                let result = try await house.run(["pop3"] + words)
                #expect(result.status == 65, "\(words): \(result.errors)")
            }
            #expect(try await house.run(["pop3", "fetch", "1:3"]).status == 64)
        }
    }

    @Test("check pop3 tells each layer, and what is wrong with the password")
    func check() async throws {
        try await withHouse { house in
            let good = try await house.run(["check", "pop3"])
            #expect(good.status == 0, "\(good.errors)")
            for word in ["TLS", "3 messages", "UIDL", "PIPELINING"] {
                #expect(good.output.contains(word), "\(good.output)")
            }
            let json = try await house.run(["check", "pop3", "--json"])
            #expect(json.status == 0 && json.output.hasPrefix("{\"ok\":true"))
            let bad = try await Martlet.run(
                [
                    "check", "pop3", "--server", "localhost:\(house.server.ports[.pop3s] ?? 0)",
                    "--tls", "implicit", "--ca-file", house.server.certificateAuthorityFile,
                    "--user", "alice", "--password-env", "PW",
                ], environment: ["PW": "wrong"])
            #expect(bad.status == 77)
        }
    }

    @Test("raw talks by hand, with the login done")
    func raw() async throws {
        try await withHouse { house in
            let talk = try await house.run(["pop3", "raw"], input: "STAT\nUIDL 1\nQUIT\n")
            #expect(talk.status == 0, "\(talk.errors)")
            #expect(talk.output.contains("+OK 3 "))
        }
    }
}
