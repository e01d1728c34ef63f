import MartletBytes
import MartletPOP3Core
import Testing

@Suite("POP3 commands")
struct CommandTests {
    private static func wire(_ command: some POP3Command) -> String {
        var output = POP3Encoder()
        command.encode(into: &output)
        return String(decoding: output.octets, as: UTF8.self)
    }

    private static func shown(_ command: some POP3Command) -> String {
        var output = POP3Encoder()
        command.encode(into: &output)
        return String(decoding: output.redacted, as: UTF8.self)
    }

    @Test("are written as the RFCs have them")
    func wires() throws {
        let table: [(any POP3Command, String)] = [
            (POP3.Capa(), "CAPA"), (POP3.Stls(), "STLS"), (try POP3.User("ann"), "USER ann"),
            (try POP3.Pass(Secret(" a b ")), "PASS  a b "), (POP3.Stat(), "STAT"),
            (POP3.List(), "LIST"), (try POP3.ListMessage(3), "LIST 3"), (POP3.Uidl(), "UIDL"),
            (try POP3.UidlMessage(3), "UIDL 3"), (try POP3.Retr(12), "RETR 12"),
            (try POP3.Top(1, bodyLines: 10), "TOP 1 10"), (try POP3.Dele(1), "DELE 1"),
            (POP3.Rset(), "RSET"), (POP3.Noop(), "NOOP"), (POP3.Quit(), "QUIT"),
            (POP3.Utf8(), "UTF8"), (POP3.Languages(), "LANG"), (try POP3.Lang("de"), "LANG de"),
            (try POP3.Auth(mechanism: "CRAM-MD5"), "AUTH CRAM-MD5"),
            (
                try POP3.Auth(mechanism: "EXTERNAL", initialResponse: Secret("")),
                "AUTH EXTERNAL ="
            ),
            (POP3.AuthResponse(Secret("a")), "YQ=="), (POP3.AuthCancel(), "*"),
        ]
        for (command, line) in table { #expect(Self.wire(command) == line + "\r\n") }
    }

    @Test("cannot be made to carry a second command, or none at all")
    func injection() {
        let table: [() throws -> any POP3Command] = [
            { try POP3.User("a\r\nDELE 1") }, { try POP3.User("") },
            { try POP3.Pass(Secret("a\nDELE 1")) }, { try POP3.Pass(Secret("a\0")) },
            { try POP3.Pass(Secret("")) }, { try POP3.Lang("de\r\nQUIT") },
            { try POP3.Lang("a b") },
            { try POP3.RawCommand("NOOP\r\nQUIT") }, { try POP3.RawCommand("") },
            { try POP3.Auth(mechanism: "PLAIN X") }, { try POP3.Retr(0) }, { try POP3.Dele(-1) },
            { try POP3.Top(1, bodyLines: -1) }, { try POP3.ListMessage(0) },
            { try POP3.UidlMessage(.min) }, { try POP3.User(String(repeating: "x", count: 1_001)) },
            { try POP3.Apop(user: "a b", password: Secret("x"), timestamp: []) },
        ]
        for (index, make) in table.enumerated() {
            let error = failure { _ = try make() }
            #expect(error?.recovery == .fixInput, "\(index)")
        }
    }

    @Test("keep secrets out of logs")
    func secrets() throws {
        #expect(Self.shown(try POP3.Pass(Secret("secret"))) == "PASS •••\r\n")
        #expect(
            Self.shown(try POP3.Auth(mechanism: "PLAIN", initialResponse: Secret("x")))
                == "AUTH PLAIN •••\r\n")
        #expect(Self.shown(POP3.AuthResponse(Secret("x"))) == "•••\r\n")
        #expect(Self.shown(try POP3.RawCommand("pass secret")) == "pass •••\r\n")
        #expect(Self.shown(try POP3.RawCommand("APOP ann 0123")) == "APOP ann •••\r\n")
        #expect(
            Self.shown(try POP3.RawCommand("eA==", isAuthenticationResponse: true)) == "•••\r\n")
    }

    @Test("of a login leave out a response that is too long for a line, and wait for the challenge")
    func longResponse() throws {
        let long = try POP3.Auth(
            mechanism: "PLAIN", initialResponse: Secret(String(repeating: "x", count: 200)))
        #expect(Self.wire(long) == "AUTH PLAIN\r\n")
        let most = try POP3.Auth(
            mechanism: "PLAIN", initialResponse: Secret(String(repeating: "x", count: 180)))
        #expect(Self.wire(most).utf8.count == 253)
    }

    @Test("as a person types them are known by their verbs")
    func raw() throws {
        let table: [(String, POP3Answer, POP3Effect)] = [
            ("capa", .lines, .capabilities), ("LIST", .lines, .none), ("LIST 1", .line, .none),
            ("UIDL", .lines, .none), ("uidl 1", .line, .none), ("RETR 1", .message, .none),
            ("TOP 1 0", .message, .none), ("DELE 1", .line, .deletion), ("QUIT", .line, .quit),
            ("STLS", .line, .startTLS), ("PASS x", .line, .login), ("LANG", .lines, .none),
            ("LANG de", .line, .none), ("XTND x", .line, .none), ("RSET", .line, .reset),
        ]
        for (line, answer, effect) in table {
            let command = try POP3.RawCommand(line)
            #expect(command.answer == answer && command.effect == effect, "\(line)")
            #expect(Self.wire(command) == line + "\r\n")
        }
        #expect(try POP3.RawCommand("XLST", answer: .lines).answer == .lines)
    }

    @Test("give what replies mean")
    func meanings() throws {
        let capabilities = try POP3.Capa().interpret(
            POP3Reply(
                .ok, octets: [],
                body: octets(
                    "TOP\r\nSASL PLAIN scram-sha-256 PLAIN\r\nLOGIN-DELAY 900 USER\r\nexpire 60 USER\r\n"
                        + "UTF8 USER\r\nIMPLEMENTATION Shlemazle v302\r\n\r\nX-NEW a b\r\n")))
        #expect(capabilities.authenticationMechanisms == ["PLAIN", "SCRAM-SHA-256"])
        #expect(capabilities.loginDelay == .seconds(900) && capabilities.expiry == .days(60))
        #expect(capabilities.implementation == "Shlemazle v302" && capabilities.takesUTF8Users)
        #expect(capabilities.has(POP3Capability("x-new")) && !capabilities.has(.pipelining))
        #expect(capabilities.parameters(of: POP3Capability("X-New")) == ["a", "b"])
        let language = try POP3.Lang("*").interpret(.ok("en English"))
        #expect(language.tag == "en")
        #expect(
            try POP3.UidlMessage(2).interpret(.ok("2 QhdPYR:00WBw1Ph7x7")).uniqueID
                == UniqueID("QhdPYR:00WBw1Ph7x7"))
        #expect(try POP3.ListMessage(2).interpret(.ok("2 200")).sizeInOctets == 200)
        #expect(try POP3.ListMessage(2).interpret(.ok("what")).sizeInOctets == nil)
    }
}
