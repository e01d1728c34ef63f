import MartletBytes
import MartletMIME
import MartletSMTPCore
import MartletTestSupport
import Testing

@Suite("Reply parser")
struct SMTPReplyParserTests {
    /// All replies of `input` fed in pieces, then the failure.
    static func parse(
        _ input: [UInt8], cuts: [Int]
    ) -> (replies: [SMTPReply], failure: SMTPReplyParser.Failure?) {
        var parser = SMTPReplyParser()
        var replies: [SMTPReply] = []
        var start = 0
        do {
            for cut in cuts + [input.count] where cut >= start {
                parser.append(input[start..<cut])
                start = cut
                while let reply = try parser.next() { replies.append(reply) }
            }
        } catch {
            return (replies, error)
        }
        return (replies, nil)
    }

    static func parse(_ input: String) -> (replies: [SMTPReply], failure: SMTPReplyParser.Failure?)
    {
        parse(octets(input), cuts: [])
    }

    @Test("reads code, enhanced code and all lines")
    func lines() throws {
        let (replies, failure) = Self.parse(
            "450-4.1.8 Sender address rejected\r\n450 4.1.8 Domain not found\r\n250\r\n")
        #expect(failure == nil)
        let reply = try #require(replies.first)
        #expect(reply.code == 450)
        #expect(reply.enhanced == EnhancedStatusCode(4, 1, 8))
        #expect(reply.text == "Sender address rejected\nDomain not found")
        #expect(
            reply.lines == [
                octets("4.1.8 Sender address rejected"), octets("4.1.8 Domain not found"),
            ])
        #expect(replies.last?.code == 250)
        #expect(replies.last?.lines == [[]])
    }

    @Test("takes a bare LF as line end, an empty last line, and any octet in the text")
    func tolerance() {
        let (replies, failure) = Self.parse("250-a\n250 \r\n250 x\0\u{1b}[31my\r\n")
        #expect(failure == nil)
        #expect(replies.map(\.text) == ["a\n", "x\u{FFFD}\u{FFFD}[31my"])
    }

    @Test(
        "gives the same replies and the same failure for every cut",
        arguments: [
            "220 mx ESMTP\r\n250-a\r\n250-b\r\n250 c\r\n354 go\r\n",
            "250-a\r\n251 b\r\n", "HTTP/1.1 400 Bad Request\r\n\r\n", "250 ok\r\n\u{16}\u{3}\u{1}",
            "2500 x\r\n", "25\r\n", "\r\n", "250\n250\r\r\n250-\n250\n",
        ])
    func cuts(input: String) {
        let input = octets(input)
        let whole = Self.parse(input, cuts: [])
        for cut in 0...input.count {
            let cutOnce = Self.parse(input, cuts: [cut])
            #expect(cutOnce.replies == whole.replies)
            #expect(cutOnce.failure == whole.failure)
        }
        let single = Self.parse(input, cuts: Array(0...input.count))
        #expect(single.replies == whole.replies)
        #expect(single.failure == whole.failure)
    }

    @Test(
        "refuses what is no reply",
        arguments: [
            ("HTTP/1.1 400 Bad\r\n", SMTPReplyParser.Failure.notAReply("HTTP/1.1 400 Bad")),
            ("\u{15}\u{3}\u{1}", .tlsRecord), ("250-a\r\n550 b\r\n", .codesDiffer(250, 550)),
            ("150 x\r\n", .notAReply("150 x")), ("600 x\r\n", .notAReply("600 x")),
            ("250x\r\n", .notAReply("250x")), ("+OK\r\n", .notAReply("+OK")),
        ])
    func malformed(input: String, expected: SMTPReplyParser.Failure) {
        #expect(Self.parse(input).failure == expected)
    }

    @Test("stops at a line that is too long, whole or still growing")
    func longLine() {
        let fits = "250 " + String(repeating: "x", count: SMTPReplyParser.lineLimitInOctets - 4)
        #expect(Self.parse(fits + "\r\n").replies.count == 1)
        #expect(Self.parse(fits + "x\r\n").failure == .lineTooLong)
        // Fails while it grows, long before 10 MB are there.
        var parser = SMTPReplyParser()
        var taken = 0
        #expect(throws: SMTPReplyParser.Failure.lineTooLong) {
            while taken < 10_000_000 {
                parser.append([UInt8](repeating: 0x32, count: 1000))
                taken += 1000
                _ = try parser.next()
            }
        }
        #expect(taken <= SMTPReplyParser.lineLimitInOctets + 1000)
    }

    @Test("stops at a reply that does not end")
    func endless() {
        let lines = String(repeating: "250-x\r\n", count: SMTPReplyParser.lineCountLimit)
        #expect(Self.parse(lines + "250 x\r\n").failure == .replyTooLong)
        let fits = String(lines.utf8.dropFirst(7))!
        #expect(Self.parse(fits + "250 x\r\n").replies.count == 1)
        let wide = "250-" + String(repeating: "y", count: 8_000) + "\r\n"
        #expect(Self.parse(String(repeating: wide, count: 40)).failure == .replyTooLong)
    }
}
