import Glibc
import MartletTransport
import Testing

@testable import MartletTestSupport

@Suite("Real IMAP servers", .timeLimit(.minutes(5)))
struct RealIMAPServerTests {
    @Test("Dovecot starts, answers at each port and ends", .needs(.dovecot))
    func dovecot() async throws { try await checkLife(of: .dovecot) }

    @Test("Cyrus starts, answers at each port and ends", .needs(.cyrus))
    func cyrus() async throws { try await checkLife(of: .cyrus) }

    @Test("Courier starts, answers at each port and ends", .needs(.courier))
    func courier() async throws { try await checkLife(of: .courier) }

    @Test("Dovecot is as the facts say", .needs(.dovecot))
    func dovecotFacts() async throws { try await checkFacts(of: .dovecot) }

    @Test("Cyrus is as the facts say", .needs(.cyrus))
    func cyrusFacts() async throws { try await checkFacts(of: .cyrus) }

    @Test("Courier is as the facts say", .needs(.courier))
    func courierFacts() async throws { try await checkFacts(of: .courier) }

    @Test("Dovecot has the initial messages", .needs(.dovecot))
    func dovecotMail() async throws { try await checkInitialMessages(in: .dovecot) }

    @Test("Cyrus has the initial messages", .needs(.cyrus))
    func cyrusMail() async throws { try await checkInitialMessages(in: .cyrus) }

    @Test("Courier has the initial messages", .needs(.courier))
    func courierMail() async throws { try await checkInitialMessages(in: .courier) }

    @Test("Dovecot takes a token until it has expired", .needs(.dovecot))
    func token() async throws {
        let running = try await RealServers.shared(.dovecot)
        for (validity, answer) in [(Duration.seconds(60), "x OK"), (.seconds(-60), "x NO")] {
            let token = try await running.token(for: .bob, validity: validity)
            let response = base64("user=bob\u{1}auth=Bearer \(token)\u{1}\u{1}")
            let session = try await running.session(at: .imaps)
            let lines = try await session.run(
                "AUTHENTICATE XOAUTH2 \(response)", mayFail: true)
            #expect(lines.last?.hasPrefix(answer) == true, "\(lines)")
            await session.peer.close()
        }
    }

    @Test("Dovecot talks on a pipe, with a server beside it or without", .needs(.dovecot))
    func tunnel() async throws {
        let mail = InitialMessage(Array("Subject: in the box\r\n\r\n\r\n".utf8), to: .bob)
        try await RealServers.withServer(.dovecot, mail: [mail]) { running in
            let command = try running.tunnelCommand(as: .bob)
            #expect(try await subject(through: command) == "Subject: in the box")
            let folder = try TemporaryFolder("tunnel")
            var maildirs = InitialMaildirs(in: folder.path)
            try maildirs.write([mail])
            let alone = command.map { $0 == running.folder ? folder.path : $0 }
            #expect(try await subject(through: alone) == "Subject: in the box")
            folder.remove()
        }
    }

    @Test("an IMAP server ends with the process that asked for it", .needs(.dovecot))
    func owner() async throws {
        let folder = try TemporaryFolder("owner")
        defer { folder.remove() }
        let port = try FreePorts.first(of: 5)
        // the shell that owns the server is gone when its last command has run
        let start = try await Command.run([
            "bash", "-c", "bash \"$1\" start \"$2\" \"$3\" $$", "_",
            RealIMAPServer.dovecot.script.path, folder.path, "\(port)",
        ])
        #expect(start.status == 0, "\(start.output)")
        try await waitUntil { !FreePorts.isListening(port) && access(folder.path, F_OK) != 0 }
    }

    @Test("what cannot run says so in one sentence and with 75", arguments: RealIMAPServer.allCases)
    func unavailable(server: RealIMAPServer) async throws {
        let check = try await Command.run(
            ["bash", server.script.path, "check"],
            environment: ["MARTLET_SERVERS": "/nonexistent"])
        #expect(check.status == 75)
        #expect(check.output.split(separator: "\n").count == 1)
        #expect(check.output.contains("."))
    }

    private func subject(through command: [String]) async throws -> String? {
        let session = PlainSession(ScriptedPeer(try await ByteChannel.tunnel(to: command)))
        #expect(try await session.peer.line().hasPrefix("* PREAUTH "))
        try await session.run("SELECT INBOX")
        let lines = try await session.run("FETCH 1 BODY[HEADER.FIELDS (SUBJECT)]")
        try await session.run("LOGOUT")
        await session.peer.close()
        return lines.first { $0.hasPrefix("Subject:") }
    }
}

/// Starts a server, sees each port answer and each user log in, and sees no process that is left of it.
private func checkLife(of server: RealIMAPServer) async throws {
    var folder = ""
    var ports: [Int] = []
    var processes: [LivingProcess] = []
    try await RealServers.withServer(server) { running in
        (folder, ports) = (running.folder, Array(running.ports.values))
        for service in server.services {
            let peer = try await running.connect(to: service)
            let greeting = try await peer.line()
            let start = service == .lmtp ? "220 " : service.isPOP3 ? "+OK" : "* OK"
            #expect(greeting.hasPrefix(start), "\(service): \(greeting)")
            await peer.close()
        }
        if server.services.contains(.lmtp) { try await checkDelivery(to: running) }
        for user in server.users {
            let response = base64("\0\(user.name)\0\(user.password)")
            let session = try await running.session(at: .imaps)
            // without an initial response, which Courier does not take
            try await session.run("AUTHENTICATE PLAIN", literal: Array(response.utf8))
            try await session.run("LOGOUT")
            await session.peer.close()
        }
        processes = LivingProcess.all(with: running.processID)
        #expect(processes.count > 3, "\(processes)")
    }
    #expect(access(folder, F_OK) != 0, "the folder is still there")
    #expect(!ports.contains(where: FreePorts.isListening), "something still listens")
    #expect(processes.filter { LivingProcess($0.number) == $0 } == [])
}

/// LMTP takes mail for alice and none for a stranger.
private func checkDelivery(to running: RunningIMAPServer) async throws {
    let peer = try await running.connect(to: .lmtp)
    func reply() async throws -> String {
        while true {
            let line = try await peer.line()
            if line.dropFirst(3).first != "-" { return line }
        }
    }
    _ = try await reply()
    for (command, answer) in [
        ("LHLO client.example.test", "250"), ("MAIL FROM:<>", "250"),
        ("RCPT TO:<nobody-here@example.test>", "550"), ("RCPT TO:<alice@example.test>", "250"),
        ("DATA", "354"), ("Subject: delivered\r\n\r\n.", "250"), ("QUIT", "221"),
    ] {
        try await peer.say(command + "\r\n")
        let line = try await reply()
        #expect(line.hasPrefix(answer), "\(command): \(line)")
    }
    await peer.close()

    let session = try await running.session(at: .imap)
    try await session.run(running.kind.login(.alice))
    try await session.run("EXAMINE INBOX")
    let lines = try await session.run("FETCH 1 BODY[HEADER.FIELDS (SUBJECT)]")
    #expect(lines.contains("Subject: delivered"), "\(lines)")
    await session.peer.close()
}

/// Compares what is said of a server with what it says.
private func checkFacts(of server: RealIMAPServer) async throws {
    try await RealServers.withServer(server) { running in
        for service in server.services where service != .lmtp {
            for certificate in service.isTLS ? [false, true] : [false] {
                let peer = try await running.connect(
                    to: service, identity: certificate ? running.clientIdentity : nil)
                let greeting = try await peer.line()
                let announced = try await mechanisms(of: peer, service)
                #expect(
                    announced == server.mechanisms(of: service, certificate: certificate),
                    "\(service), certificate: \(certificate)")
                if service.isPOP3 {
                    #expect(greeting.contains("@") == server.hasAPOP, "\(greeting)")
                }
                await peer.close()
            }
        }
        let session = try await running.session(at: .imap)
        try await session.run(server.login(.alice))
        let capabilities = try await session.capabilities()
        #expect(capabilities == server.capabilities, "\(capabilities.sorted())")
        let mailboxes = try await session.run("LIST \"\" *").compactMap(mailboxName)
        #expect(Set(mailboxes) == Set(server.initialMailboxes + ["INBOX"]))
        let name = server.mailboxName(["one", "two"])
        try await session.run("CREATE \"\(name)\"")
        let made = try await session.run("LIST \"\" \"\(name)\"")
        #expect(made.compactMap(mailboxName) == [name], "\(made)")
        try await session.run("SETACL INBOX bob lr")
        await session.peer.close()

        let other = try await running.session(at: .imap)
        try await other.run(server.login(.bob))
        let shared = server.otherUsersPrefix + "alice"
        let list = try await other.run("LIST \"\" \"\(shared)\"")
        #expect(list.compactMap(mailboxName) == [shared], "\(list)")
        try await other.run("EXAMINE \"\(shared)\"")
        await other.peer.close()

        try await checkLogins(at: running)
    }
}

/// The client certificate logs alice in; what follows a login too soon, and a wrong password, fare as the facts say.
private func checkLogins(at running: RunningIMAPServer) async throws {
    let session = try await running.session(at: .imaps, identity: running.clientIdentity)
    try await session.run("AUTHENTICATE EXTERNAL")
    try await session.run("SELECT INBOX")
    await session.peer.close()

    let hasty = try await running.session(at: .imap)
    let login = running.kind.login(.alice)
    try await hasty.peer.say("a \(login)\r\nb NOOP\r\n")
    while try await !hasty.peer.line().hasPrefix("a OK") {}
    let lines = try await hasty.run("NOOP")
    let isDone = lines.contains { $0.hasPrefix("b OK") }
    #expect(isDone == running.kind.takesCommandsBehindLogin, "\(lines)")
    await hasty.peer.close()

    let refused = try await running.session(at: .imap)
    let time = try await ContinuousClock().measure {
        let answer = try await refused.run("LOGIN alice wrong", mayFail: true).last
        #expect(answer?.hasPrefix("x NO") == true)
    }
    #expect(time >= running.kind.delayOfFailedLogin)
    await refused.peer.close()
}

/// Puts messages into two mailboxes of two users, and finds them there.
private func checkInitialMessages(in server: RealIMAPServer) async throws {
    let text = "From: a@example.test\r\nSubject: %\r\n\r\ncaf\u{E9}\r\n.\r\n"
    let messages = [
        InitialMessage(Array(text.replacing("%", with: "first").utf8), flags: [.seen, .flagged]),
        InitialMessage(Array(text.replacing("%", with: "deep").utf8), in: ["Lists", "Swift"]),
        InitialMessage(Array(text.replacing("%", with: "bob's").utf8), to: .bob),
        InitialMessage(Array(text.replacing("%", with: "second").utf8), date: 1_234_567_890),
    ]
    try await RealServers.withServer(server, mail: messages) { running in
        let expected: [(user: RealUser, mailbox: [String], indices: [Int])] = [
            (.alice, [], [0, 3]), (.alice, ["Lists", "Swift"], [1]), (.bob, [], [2]),
        ]
        for (user, mailbox, indices) in expected {
            let session = try await running.session(at: .imap)
            try await session.run(server.login(user))
            let name = server.mailboxName(mailbox)
            let status = try await session.run("STATUS \"\(name)\" (MESSAGES)")
            #expect(status.first?.contains("(MESSAGES \(indices.count))") == true, "\(status)")
            try await session.run("EXAMINE \"\(name)\"")
            for (uid, index) in zip(1..., indices) {
                let message = messages[index]
                let lines = try await session.run("UID FETCH \(uid) (FLAGS INTERNALDATE BODY[])")
                let answer = lines.joined(separator: "\r\n")
                #expect(answer.contains("{\(message.octets.count)}\r\n"), "\(answer)")
                #expect(answer.contains(String(decoding: message.octets, as: UTF8.self)))
                for flag in InitialMessage.MessageFlag.allCases {
                    #expect(answer.contains(flag.rawValue) == message.flags.contains(flag))
                }
                #expect(answer.contains(message.dateTime), "\(answer)")
            }
            await session.peer.close()
        }
    }
}

extension RunningIMAPServer {
    /// A session that has read the greeting.
    fileprivate func session(
        at service: RealIMAPServer.Service, identity: TLSIdentity? = nil
    ) async throws -> PlainSession {
        let session = PlainSession(try await connect(to: service, identity: identity))
        _ = try await session.peer.line()
        return session
    }
}

extension PlainSession {
    /// What the server offers now, apart from mechanisms.
    fileprivate func capabilities() async throws -> Set<String> {
        let line = try await run("CAPABILITY").first { $0.hasPrefix("* CAPABILITY ") } ?? ""
        return Set(line.split(separator: " ").dropFirst(2).map(String.init))
            .filter { !$0.hasPrefix("AUTH=") }
    }
}

/// The mechanisms that a server announces before a login.
private func mechanisms(
    of peer: ScriptedPeer, _ service: RealIMAPServer.Service
) async throws -> Set<String> {
    guard service.isPOP3 else {
        let words = try await PlainSession(peer).run("CAPABILITY")[0].split(separator: " ")
        return Set(words.filter { $0.hasPrefix("AUTH=") }.map { String($0.dropFirst(5)) })
    }
    try await peer.say("CAPA\r\n")
    var names: Set<String> = []
    while true {
        let line = try await peer.line()
        if line.hasPrefix("SASL ") {
            names = Set(line.split(separator: " ").dropFirst().map(String.init))
        }
        if line == "." { return names }
    }
}

/// The mailbox in a LIST response.
private func mailboxName(in line: String) -> String? {
    guard line.hasPrefix("* LIST "),
        let end = line.firstRange(of: "\"/\" ") ?? line.firstRange(of: "\".\" ")
    else { return nil }
    return line[end.upperBound...].filter { $0 != "\"" }
}

/// RFC 4648 §4.
private func base64(_ text: String) -> String {
    let alphabet = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/")
    let octets = Array(text.utf8)
    return stride(from: 0, to: octets.count, by: 3).map { start in
        let group = octets[start..<min(start + 3, octets.count)]
        let bits = group.reduce(0) { $0 << 8 | Int($1) } << (8 * (3 - group.count))
        let letters = (0...group.count).map { alphabet[bits >> (18 - 6 * $0) & 63] }
        return String(letters) + String(repeating: "=", count: 3 - group.count)
    }.joined()
}

/// A process, told from a later one of the same number.
private struct LivingProcess: Hashable {
    let number: String
    /// When it was started, as the kernel counts.
    let start: Substring

    /// A process that is there and is not merely waiting for its parent to notice its end.
    init?(_ number: String) {
        guard let stat = try? octets(ofFile: "/proc/\(number)/stat") else { return nil }
        // what follows the name in parentheses, which may hold anything
        let text = String(decoding: stat, as: UTF8.self)
        guard let name = text.lastIndex(of: ")") else { return nil }
        let fields = text[name...].split(separator: " ")
        guard fields.count > 20, fields[1] != "Z", fields[1] != "X" else { return nil }
        (self.number, start) = (number, fields[20])
    }

    /// All that share a server's first process's namespace.
    static func all(with first: Int) -> [LivingProcess] {
        guard let namespace = namespace(of: "\(first)") else { return [] }
        return ((try? namesInFolder("/proc")) ?? [])
            .filter { Self.namespace(of: $0) == namespace }.compactMap(LivingProcess.init)
    }

    private static func namespace(of process: String) -> String? {
        var buffer = [UInt8](repeating: 0, count: 64)
        let count = readlink("/proc/\(process)/ns/pid", &buffer, buffer.count)
        return count > 0 ? String(decoding: buffer[..<count], as: UTF8.self) : nil
    }
}
