import Glibc
import MartletTestSupport
import Testing

@Suite("Real servers", .timeLimit(.minutes(5)))
struct RealServerTests {
    @Test("Postfix starts, delivers and ends", .needs(.postfix))
    func postfix() async throws { try await checkLife(of: .postfix) }

    @Test("Exim starts, delivers and ends", .needs(.exim))
    func exim() async throws { try await checkLife(of: .exim) }

    @Test("OpenSMTPD starts, delivers and ends", .needs(.openSMTPD))
    func openSMTPD() async throws { try await checkLife(of: .openSMTPD) }

    @Test("aiosmtpd starts, delivers and ends", .needs(.aiosmtpd))
    func aiosmtpd() async throws { try await checkLife(of: .aiosmtpd) }

    @Test("a server ends with the process that asked for it", .needs(.postfix))
    func owner() async throws {
        let folder = try TemporaryFolder("owner")
        defer { folder.remove() }
        let port = try FreePorts.first(of: 3)
        let script = Self.scripts + "/postfix.sh"
        // the shell that owns the server is gone when its last command has run
        let start = try await Command.run([
            "bash", "-c", "bash \"$1\" start \"$2\" \"$3\" $$", "_", script, folder.path, "\(port)",
        ])
        #expect(start.status == 0, "\(start.output)")
        try await waitUntil { !FreePorts.isListening(port) && access(folder.path, F_OK) != 0 }
    }

    @Test("is one and the same for all tests that share it", .needs(.aiosmtpd))
    func shared() async throws {
        async let one = RealServers.shared(.aiosmtpd)
        async let other = RealServers.shared(.aiosmtpd)
        let (a, b) = try await (one, other)
        #expect(a.smtpPort == b.smtpPort)
        #expect(FreePorts.isListening(a.smtpPort))
    }

    @Test("uses the certificate it is given", .needs(.exim))
    func certificate() async throws {
        // another server's files do for this
        try await RealServers.withServer(.aiosmtpd) { other in
            let ca = other.folder + "/ca/"
            let certificates = RealServers.Certificates(
                authority: try octets(ofFile: ca + "ca.pem"),
                chain: try octets(ofFile: ca + "server.pem"),
                key: try octets(ofFile: ca + "server.key"))
            try await RealServers.withServer(.exim, certificates: certificates) { running in
                let file = try #require(running.certificateAuthorityFile)
                #expect(try octets(ofFile: file) == certificates.authority)
                #expect(
                    try octets(ofFile: running.folder + "/ca/server.pem") == certificates.chain)
            }
        }
    }

    @Test("an address in use is named, and nothing is started", .needs(.openSMTPD))
    func takenPort() async throws {
        try await RealServers.withServer(.openSMTPD) { running in
            let folder = try TemporaryFolder("taken")
            defer { folder.remove() }
            let start = try await Command.run([
                "bash", Self.scripts + "/opensmtpd.sh", "start", folder.path, "\(running.smtpPort)",
            ])
            #expect(start.status == 69)
            #expect(start.output.contains("port \(running.smtpPort) is taken"))
        }
    }

    @Test("what cannot run says so in one sentence and with 75", arguments: RealServer.allCases)
    func unavailable(server: RealServer) async throws {
        let check = try await Command.run(
            ["bash", "\(Self.scripts)/\(server).sh", "check"],
            environment: ["MARTLET_SERVERS": "/nonexistent"])
        #expect(check.status == 75)
        #expect(check.output.split(separator: "\n").count == 1)
        #expect(check.output.contains("."))
    }

    static let scripts =
        "/" + #filePath.split(separator: "/").dropLast(3).joined(separator: "/")
        + "/Scripts/servers"
}

private func checkLife(of server: RealServer) async throws {
    // with all that OpenSMTPD would add
    let message =
        "From: <me@client.example.test>\r\nDate: Mon, 30 Nov 2026 10:00:00 +0000\r\n"
        + "Message-ID: <life@client.example.test>\r\n\r\n..two dots\r\n caf\u{E9}\r\n"
        + String(repeating: "z", count: 998) + "\r\n"
    var folder = ""
    var process = 0
    var port = 0
    try await RealServers.withServer(server) { running in
        (folder, process, port) = (running.folder, running.processID, running.smtpPort)
        #expect(running.sizeLimit == 41_943_040)
        #expect(running.smtpsPort.map(FreePorts.isListening) ?? true)
        #expect(running.submissionPort.map(FreePorts.isListening) ?? true)
        #expect((running.smtpsPort != nil) == server.offersTLS)

        var smtp = try BlockingSMTP(port: running.smtpPort)
        #expect(try smtp.say("EHLO client.example.test\r\n").hasPrefix("250 "))
        #expect(try smtp.say("MAIL FROM:<me@client.example.test>\r\n").hasPrefix("250 "))
        #expect(try smtp.say("RCPT TO:<nobody-here@example.test>\r\n").hasPrefix("550 "))
        #expect(try smtp.say("RCPT TO:<later@example.test>\r\n").hasPrefix("45"))
        for number in 1...50 {
            #expect(try smtp.say("RCPT TO:<r\(number)@example.test>\r\n").hasPrefix("250 "))
        }
        #expect(try smtp.say("DATA\r\n").hasPrefix("354 "))
        let stuffed = message.replacing("\r\n.", with: "\r\n..")
        #expect(try smtp.say(stuffed + ".\r\n").hasPrefix("250 "))
        #expect(try smtp.say("QUIT\r\n").hasPrefix("221 "))

        for number in [1, 50] {
            let recipient = "r\(number)@example.test"
            let delivered = try await running.waitForMessages(for: recipient)
            #expect(delivered.count == 1)
            #expect(delivered.first?.reversePath == "me@client.example.test")
            #expect(delivered.first.map { $0.octets.elementsEqual(message.utf8) } == true)
        }
        #expect(try running.messages(for: "later@example.test").isEmpty)
    }
    #expect(access(folder, F_OK) != 0, "the folder is still there")
    #expect(!FreePorts.isListening(port), "something still listens")
    #expect(!isRunning(process), "process \(process) is still there")
}

/// Whether a process is there and is not merely waiting for its parent to notice its end.
private func isRunning(_ process: Int) -> Bool {
    guard let stat = try? octets(ofFile: "/proc/\(process)/stat") else { return false }
    let state = stat[(stat.lastIndex(of: UInt8(ascii: ")"))! + 2)...].first
    return state != UInt8(ascii: "Z") && state != UInt8(ascii: "X")
}

private func waitUntil(_ condition: () -> Bool) async throws {
    let clock = ContinuousClock()
    let end = clock.now + .seconds(20)
    while !condition() {
        try #require(clock.now < end, "it did not happen within 20 seconds")
        try await Task.sleep(for: .milliseconds(20))
    }
}
