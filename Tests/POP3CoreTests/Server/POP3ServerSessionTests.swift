import MartletBytes
import MartletFuzzOracles
import MartletPOP3Core
import MartletTestSupport
import Testing

@Suite("POP3 server session")
struct POP3ServerSessionTests {
    static func loggedIn(
        _ change: (inout POP3ServerConfiguration) -> Void = { _ in }
    ) -> POP3ServerScript {
        var server = POP3ServerScript(change)
        _ = server.client("USER alice")
        _ = server.client("PASS secret")
        return server
    }

    @Test("serves an ordinary session")
    func ordinary() {
        var server = Self.loggedIn()
        let table = [
            ("STAT", "+OK 5 104\r\n"),
            ("LIST 2", "+OK 2 33\r\n"), ("UIDL 2", "+OK 2 id2\r\n"),
            ("UIDL", "+OK 5 messages\r\n1 id1\r\n2 id2\r\n3 id3\r\n4 id4\r\n5 id5\r\n.\r\n"),
            ("RETR 2", "+OK 33 octets\r\nSubject: two\r\n\r\n..\r\n...dots\r\n..end\r\n.\r\n"),
            ("TOP 1 1", "+OK\r\nSubject: one\r\n\r\nfirst\r\n.\r\n"),
            ("TOP 3 0", "+OK\r\nSubject: three\r\n\r\n.\r\n"),
            ("RETR 3", "+OK 28 octets\r\nSubject: three\r\n\r\nbare\r\n..\r\nlines\r\n.\r\n"),
            ("RETR 4", "+OK 0 octets\r\n.\r\n"), ("DELE 1", "+OK Marked for deletion\r\n"),
            ("DELE 1", "-ERR No such message\r\n"), ("RETR 1", "-ERR No such message\r\n"),
            ("LIST", "+OK 4 messages\r\n2 33\r\n3 28\r\n4 0\r\n5 2\r\n.\r\n"),
            ("RSET", "+OK Nothing is marked\r\n"), ("STAT", "+OK 5 104\r\n"),
            ("DELE 2", "+OK Marked for deletion\r\n"), ("NOOP", "+OK\r\n"),
            ("QUIT", "+OK Bye\r\n"),
        ]
        for (line, answer) in table {
            let said = server.client(line)
            if line.hasPrefix("STAT") {
                #expect(said.hasPrefix("+OK 5 "), "\(said)")
            } else {
                #expect(said == answer, "\(line)")
            }
        }
        #expect(server.deleted == [2] && server.isClosed && server.releasedCount == 0)
    }

    @Test("deletes nothing when a client goes without QUIT, and releases the maildrop")
    func dropped() {
        var server = Self.loggedIn()
        _ = server.client("DELE 1")
        guard case .released? = server.session.peerClosed() else {
            Issue.record("not released")
            return
        }
        #expect(server.deleted == nil && server.session.peerClosed() == nil)
    }

    @Test(
        "refuses commands out of state", arguments: ["STAT", "LIST", "RETR 1", "DELE 1", "NOOP"])
    func beforeLogin(line: String) {
        var server = POP3ServerScript()
        #expect(server.client(line) == "-ERR Log in first\r\n")
    }

    @Test(
        "refuses a second login, and STLS behind one",
        arguments: ["USER a", "PASS b", "AUTH PLAIN", "STLS", "UTF8"])
    func afterLogin(line: String) {
        var server = Self.loggedIn()
        #expect(server.client(line) == "-ERR Logged in already\r\n")
    }

    @Test("knows APOP by its timestamp, as in RFC 1939 section 7")
    func apop() throws {
        let password = Secret("tanstaaf")
        var configuration = POP3ServerConfiguration()
        configuration.timestamp = POP3ServerScript.timestamp
        var session = POP3ServerSession(configuration)
        var output: [UInt8] = []
        session.receive(octets("APOP mrose c4c9334bac560ecc979e58001b3e22fb\r\n"))
        guard case .logIn(let login)? = session.nextAction(into: &output) else {
            Issue.record("no login")
            return
        }
        #expect(login.user == "mrose" && login.isRight(password) && !login.isRight(Secret("x")))
    }

    @Test("offers logins that tell a password only where they are protected or allowed")
    func protection() {
        var server = POP3ServerScript { $0.allowsPlaintextAuthentication = false }
        let capabilities = server.client("CAPA")
        #expect(capabilities.contains("STLS") && !capabilities.contains("SASL"))
        #expect(!capabilities.contains("USER\r\nSASL"))
        #expect(server.client("USER alice") == "-ERR Encryption required: STLS first\r\n")
        #expect(server.client("AUTH PLAIN AA==").hasPrefix("-ERR"))
        #expect(server.client("STLS") == "+OK Begin TLS\r\n" && server.wantsTLS)
        // What was packed behind STLS does not count.
        #expect(server.client("USER alice").isEmpty)
        server.session.tlsStarted()
        let after = server.client("CAPA")
        #expect(
            !after.contains("STLS") && after.contains("SASL PLAIN")
                && after.contains("\r\nUSER\r\n"))
    }

    @Test("speaks SASL: challenges, an empty response, giving up")
    func sasl() {
        var server = POP3ServerScript()
        #expect(
            server.client("AUTH")
                == "+OK Mechanisms\r\nPLAIN\r\nLOGIN\r\nCRAM-MD5\r\nSCRAM-SHA-256\r\n.\r\n")
        #expect(server.client("AUTH PLAIN") == "+ \r\n")
        #expect(server.client("*") == "-ERR Login given up\r\n")
        #expect(server.client("AUTH PLAIN").hasPrefix("+ "))
        #expect(server.client("!") == "-ERR The response is not base64\r\n")
        #expect(server.client("AUTH NONE") == "-ERR Mechanism not available\r\n")
        #expect(server.client("AUTH PLAIN AGFsaWNlAHdyb25n").hasPrefix("-ERR [AUTH]"))
        #expect(server.client("AUTH LOGIN").hasPrefix("+ "))
        #expect(server.client("YWxpY2U=").hasPrefix("+ "))
        #expect(server.client("c2VjcmV0") == "+OK 5 messages\r\n")
    }

    @Test("speaks languages and UTF8")
    func language() {
        var server = POP3ServerScript()
        #expect(server.client("LANG") == "+OK Languages\r\nen English\r\n.\r\n")
        #expect(server.client("LANG EN") == "+OK en English\r\n")
        #expect(server.client("LANG *") == "+OK en English\r\n")
        #expect(server.client("LANG tlh").hasPrefix("-ERR"))
        #expect(server.client("UTF8").hasPrefix("+OK") && server.session.isUTF8)
        #expect(server.client("PASS x") == "-ERR USER first\r\n")
        _ = server.client("USER alice")
        #expect(server.client("PASS secret") == "+OK 5 messages\r\n")
        #expect(server.client("LANG").hasPrefix("+OK"))
    }

    @Test("carries out what is sent ahead, in order")
    func pipelining() {
        var server = POP3ServerScript()
        let said = server.receive(
            octets("USER alice\r\nPASS secret\r\nRETR 4\r\nDELE 4\r\nQUIT\r\n")[...])
        let lines = String(decoding: said, as: UTF8.self).split(separator: "\r\n")
        #expect(lines.map { $0.prefix(3) } == ["+OK", "+OK", "+OK", ".", "+OK", "+OK"])
        #expect(server.deleted == [4])
    }

    @Test("holds little of what a greedy client asks for ahead")
    func bounded() {
        let messages = (0..<20_000).map { _ in octets("Subject: x\r\n\r\n") }
        var server = POP3ServerScript(messages: messages)
        _ = server.client("USER alice")
        _ = server.client("PASS secret")
        let said = server.receive(octets(String(repeating: "UIDL\r\nRETR 1\r\n", count: 20))[...])
        #expect(said.count > 4_000_000)
        #expect(server.longestOutput <= POP3ServerSession.outputLimitInOctets + 1_024)
    }

    @Test("ends lines that have no end, and clients that say nothing but nonsense")
    func mistakes() {
        var server = POP3ServerScript()
        #expect(server.client(String(repeating: "x", count: 20_000)) == "-ERR Line too long\r\n")
        #expect(server.client("USER " + String(repeating: "x", count: 1_100)).hasPrefix("-ERR"))
        for _ in 0..<POP3ServerSession.mistakeLimit { _ = server.client("@") }
        #expect(server.isClosed)
        server = POP3ServerScript()
        for _ in 0..<40 where !server.isClosed {
            _ = server.receive(octets(String(repeating: "y", count: 65_536))[...])
        }
        #expect(server.isClosed)
    }

    @Test("closes when a message breaks off, so that nobody takes a part for the whole")
    func breaksOff() {
        var session = Self.loggedIn().session
        var output: [UInt8] = []
        session.receive(octets("RETR 1\r\n"))
        guard case .retrieve(1, nil)? = session.nextAction(into: &output) else {
            Issue.record("nothing is wanted")
            return
        }
        #expect(session.messagePiece(octets("Subject: x\r\n"), into: &output))
        session.messageBreaksOff()
        guard case .released? = session.nextAction(into: &output),
            case .close? = session.nextAction(into: &output)
        else {
            Issue.record("it goes on")
            return
        }
        #expect(!String(decoding: output, as: UTF8.self).contains("\r\n.\r\n"))
    }

    @Test(
        "reads numbers as numbers", arguments: ["RETR", "RETR x", "RETR -1", "RETR +1", "RETR 1 2"])
    func numbers(line: String) {
        var server = Self.loggedIn()
        #expect(server.client(line) == "-ERR Say RETR message\r\n")
        #expect(server.client("RETR 99999999999999999999") == "-ERR No such message\r\n")
        #expect(server.client("RETR 0") == "-ERR No such message\r\n")
        #expect(server.client("TOP 1 99999999999999999999").hasPrefix("+OK"))
    }

    @Test("asks before each command where it is told to; one that is refused is not done")
    func commands() {
        var server = POP3ServerScript { $0.asksBeforeCommands = true }
        server.refusedCommand = "DELE"
        #expect(server.client("user alice\r\nBOGUS\r\nPASS secret").hasSuffix("+OK 5 messages\r\n"))
        #expect(server.client("DELE 1\r\nSTAT") == "-ERR not here\r\n+OK 5 94\r\n")
        #expect(server.client("LIST 2\r\nRETR 5\r\nQUIT").hasSuffix(".\r\n+OK Bye\r\n"))
        #expect(server.commands == ["USER", "PASS", "DELE", "STAT", "LIST", "RETR", "QUIT"])
        #expect(server.deleted == [])
        #expect(server.isClosed)
    }

    @Test("tells what it is made to tell, and does what it can")
    func lies() {
        var server = POP3ServerScript {
            $0.changesOffer = { $0.filter { $0 != "UIDL" } + ["XODD"] }
        }
        let reply = server.client("CAPA")
        #expect(reply.hasSuffix("\r\nXODD\r\n.\r\n"))
        #expect(!reply.contains("UIDL"))
    }
}
