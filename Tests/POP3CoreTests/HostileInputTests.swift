import MartletBytes
import MartletFuzzOracles
import MartletPOP3Core
import MartletTestSupport
import Testing

@Suite("Hostile input to POP3")
struct HostileInputTests {
    static let replyWords = [
        "+OK\r\n", "+OK 2 320\r\n", "-ERR [SYS/TEMP] x\r\n", "-ERR\n", "+ \r\n", "1 120\r\n",
        "2 -5\r\n", ".\r\n", "..\r\n", ".\n", "\r\n.\r\n", "+OK\n", "\r", "\n", "\0", "+", ".",
        "UIDL\r\n", "SASL PLAIN\r\n", "\u{16}\u{3}", "ü", "<a@b>", "[", "]",
    ]
    static let commandWords = [
        "USER alice\r\n", "PASS secret\r\n", "APOP alice 00000000000000000000000000000000\r\n",
        "AUTH PLAIN AGFsaWNlAHNlY3JldA==\r\n", "AUTH LOGIN\r\n", "YWxpY2U=\r\n", "*\r\n",
        "CAPA\r\n", "LIST\r\n", "UIDL 1\r\n", "RETR 2\r\n", "RETR 3\r\n", "TOP 2 1\r\n",
        "DELE 1\r\n",
        "RSET\r\n", "QUIT\r\n", "STLS\r\n", "UTF8\r\n", "LANG de\r\n", "NOOP\n", "\r", "\n", "\0",
        " ",
        "9", "ü", "RETR",
    ]

    static func input(of words: [String], using random: inout SeededGenerator) -> [UInt8] {
        (0..<Int.random(in: 0...20, using: &random)).flatMap { _ in
            Array(words[Int.random(in: 0..<words.count, using: &random)].utf8)
        }
    }

    @Test("from a server keeps every promise of the session", arguments: [41, 42] as [UInt64])
    func replies(seed: UInt64) throws {
        var random = SeededGenerator(seed: seed)
        for _ in 0..<300 { POP3ReplyOracle.check(Self.input(of: Self.replyWords, using: &random)) }
        try FuzzSeeds.forEachChanged(of: "POP3Reply", count: 60, POP3ReplyOracle.check)
    }

    @Test("from a client keeps every promise of the server session", arguments: [43] as [UInt64])
    func commands(seed: UInt64) throws {
        var random = SeededGenerator(seed: seed)
        for _ in 0..<200 {
            POP3CommandOracle.check(Self.input(of: Self.commandWords, using: &random))
        }
        try FuzzSeeds.forEachChanged(of: "POP3Command", count: 40, POP3CommandOracle.check)
    }

    static let ends = ["-ERR going down\r\n", "E:", "@#$%\r\n", "\u{16}\u{3}\u{1}\r\n"]

    @Test(
        "at any place of a session ends it with an error, or is refused and gone on from",
        arguments: Transcript.all.filter { $0.value("expect") == "done" }, ends)
    func anyPlace(_ transcript: Transcript, end: String) throws {
        for count in transcript.events.indices {
            guard case .server = transcript.events[count] else { continue }
            var cut = transcript
            cut.events.removeSubrange(count...)
            cut.events.append(end == "E:" ? .close : .server(Array(end.utf8)))
            cut.events.append(.close)
            // Any outcome is right but a session that hangs or traps.
            do {
                _ = try TranscriptTests.run(cut, cut: .never)
            } catch is ReplayedServer.Mismatch {
                continue
            }
        }
    }
}
