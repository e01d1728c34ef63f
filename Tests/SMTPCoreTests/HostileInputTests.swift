import MartletBytes
import MartletFuzzOracles
import MartletSMTPCore
import MartletTestSupport
import Testing

@Suite("Hostile input")
struct HostileInputTests {
    static let replyWords = [
        "220 mx\r\n", "250-mx\r\n", "250 PIPELINING\r\n", "250 ok\r\n", "250\r\n", "354 go\n",
        "550 5.1.1 x\r\n",
        "421 bye\r\n", "334 \r\n", "-", "\r", "\n", "\0", "4", "250-", "\u{15}\u{3}", "ü",
    ]
    static let commandWords = [
        "EHLO c\r\n", "MAIL FROM:<a@x.org>\r\n", "RCPT TO:<b@x.org>\r\n", "DATA\r\n", ".\r\n",
        "..\r\n", "\r\n.\r\n",
        "\n.\n", "RSET\r\n", "AUTH PLAIN\r\n", "AUTH LOGIN YQ==\r\n", "*\r\n", "YQ==\r\n",
        "QUIT\r\n", "STARTTLS\r\n",
        "<", ">", "\"", "\\", "@", " SIZE=9", "\r", "\n", "\0", "ü", ".", "x",
    ]

    static func input(of words: [String], using random: inout SeededGenerator) -> [UInt8] {
        (0..<Int.random(in: 0...20, using: &random)).flatMap { _ in
            Array(words[Int.random(in: 0..<words.count, using: &random)].utf8)
        }
    }

    @Test("from a server keeps every promise of the reply parser", arguments: [11, 12] as [UInt64])
    func replies(seed: UInt64) {
        var random = SeededGenerator(seed: seed)
        for _ in 0..<400 {
            SMTPReplyOracle.check(Self.input(of: Self.replyWords, using: &random))
        }
    }

    @Test(
        "from a client keeps every promise of the server session", arguments: [13, 14] as [UInt64])
    func commands(seed: UInt64) {
        var random = SeededGenerator(seed: seed)
        let start = octets("EHLO c\r\nMAIL FROM:<a@x.org>\r\nRCPT TO:<b@x.org>\r\n")
        for round in 0..<150 {
            let input = Self.input(of: Self.commandWords, using: &random)
            SMTPServerOracle.check(round.isMultiple(of: 2) ? input : start + input)
        }
    }

    static let ends = [
        "421 4.3.2 going down\r\n", "E:", "@#$%\r\n", "999 x\r\n", "\u{16}\u{3}\u{1}\r\n",
    ]

    @Test(
        "at any place of a session ends it with an error that says where",
        arguments: Transcript.all.filter { $0.value("expect") == "delivered" }, ends)
    func anyPlace(_ transcript: Transcript, end: String) throws {
        for count in transcript.events.indices where transcript.events[count] != .close {
            guard case .server = transcript.events[count] else { continue }
            var cut = transcript
            cut.events.removeSubrange(count...)
            cut.events.append(end == "E:" ? .close : .server(Array(end.utf8)))
            let words = try TranscriptTests.run(cut, cut: .never).words
            // After the last reply to a message the session's end changes nothing.
            if words == "delivered" { continue }
            let kind = words.split(separator: " ")
            let isSaid =
                switch end {
                case "E:": kind[0] == "unexpectedClose"
                // Within a reply of several lines another code is as broken as no code.
                case _ where end.hasPrefix("421"):
                    kind[0] == "serviceClosing" || kind[0] == "protocolViolation"
                default: kind[0] == "protocolViolation" || kind[0] == "injectedPlaintext"
                }
            #expect(isSaid, "\(words) at \(count)")
            #expect(kind[1] != "idle")
        }
    }
}
