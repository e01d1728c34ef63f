import MartletBytes
import MartletIMAPCore
import MartletTestSupport
import Testing

@Suite("Command framer")
struct CommandFramerTests {
    /// What comes out, with large literals put together.
    static func pieces(
        _ text: String, _ cut: Cut = .never, limits: CommandLimits = .standard,
        refusing: Bool = false
    ) throws(EndlessCommand) -> [String] {
        var framer = CommandFramer(limits: limits)
        var words: [String] = []
        var literal: [UInt8] = []
        func shown(_ octets: some Sequence<UInt8>) -> String {
            String(decoding: Array(octets), as: UTF8.self).replacing("\r\n", with: "|")
        }
        for piece in cut.pieces(Array(text.utf8)) {
            framer.append(piece)
            while let piece = try framer.next() {
                switch piece {
                case .command(let frame): words.append(shown(frame.octets))
                case .continuationDue(let head, let size):
                    words.append("+\(size) " + shown(head.octets))
                    if refusing { framer.refuseLiteral() }
                case .literalBegins(let literal):
                    words.append("<\(literal.size) " + shown(literal.head.octets))
                case .literalOctets(let octets): literal += octets
                case .literalEnds:
                    words.append(">" + shown(literal))
                    literal = []
                case .refused(let refusal, let tag): words.append("!\(refusal) " + shown(tag))
                }
            }
        }
        return words
    }

    static func expect(
        _ text: String, _ words: [String], limits: CommandLimits = .standard, refusing: Bool = false
    ) throws {
        let text = text.replacing("|", with: "\r\n")
        for cut in [Cut.never, .everyOctet, .every(3)] + (1..<text.utf8.count).map(Cut.at) {
            #expect(try pieces(text, cut, limits: limits, refusing: refusing) == words, "\(cut)")
        }
    }

    @Test("finds lines, and takes literals with them")
    func commands() throws {
        try Self.expect(
            "a1 NOOP|\na2 LOGIN {4}|fred {3+}|p|q|DONE|a3 X ~{1+}|\0|",
            ["a1 NOOP", "+4 a2 LOGIN {4}|", "a2 LOGIN {4}|fred {3+}|p|q", "DONE", "a3 X ~{1+}|\0"])
        try Self.expect("a1 X {0}||a2 X {0+}||", ["+0 a1 X {0}|", "a1 X {0}|", "a2 X {0+}|"])
    }

    @Test("an empty line is nothing, or the answer to a challenge")
    func emptyLines() throws {
        for (expectsAnswer, count) in [(false, 1), (true, 3)] {
            var framer = CommandFramer()
            framer.expectsAnswer = expectsAnswer
            framer.append(Array("\r\na1 NOOP\r\n\n".utf8))
            var lines: [[UInt8]] = []
            while case .command(let frame)? = try framer.next() {
                lines.append(Array(frame.octets))
            }
            #expect(lines.count == count)
            #expect(lines.filter { !$0.isEmpty } == [Array("a1 NOOP".utf8)])
        }
    }

    @Test("forgets a command whose literal was refused")
    func refused() throws {
        try Self.expect(
            "a1 APPEND x {100000}|a2 NOOP|", ["+100000 a1 APPEND x {100000}|", "a2 NOOP"],
            refusing: true)
        try Self.expect("a1 X {5}|a2 NOOP|", ["+5 a1 X {5}|", "a2 NOOP"], refusing: true)
    }

    @Test("hands large literals on while they come")
    func detached() throws {
        var limits = CommandLimits()
        limits.detachedLiteralInOctets = 4
        try Self.expect(
            "a1 APPEND x {5}|12345 {6+}|123456|a2 NOOP|",
            [
                "+5 a1 APPEND x {5}|", "<5 a1 APPEND x {5}|", ">12345", "<6 a1 APPEND x {5}| {6+}|",
                ">123456",
                "a1 APPEND x {5}| {6+}|", "a2 NOOP",
            ], limits: limits)
    }

    @Test("refuses a line that is too long, and finds the next")
    func longLine() throws {
        var limits = CommandLimits()
        limits.lineInOctets = 20
        let refusal = "!\(CommandRefusal.lineTooLong(limit: 20)) a1"
        try Self.expect(
            "a1 SEARCH \(String(repeating: "x", count: 50))|a2 NOOP|", [refusal, "a2 NOOP"],
            limits: limits)
        try Self.expect(
            "a1 SEARCH \(String(repeating: "x", count: 50)) {9+}|a2 NOOP| y {3+}|a|b|a3 NOOP|",
            [refusal, "a3 NOOP"],
            limits: limits)
        try Self.expect(
            "a1 X {6}|123456 567890|a2 NOOP|",
            ["+6 a1 X {6}|", "a1 X {6}|123456 567890", "a2 NOOP"], limits: limits)
    }

    @Test("refuses literals that are too large, too many, or too large together")
    func literals() throws {
        var limits = CommandLimits()
        limits.literalInOctets = 10
        limits.nonSynchronizingLiteralInOctets = 5
        limits.literalCount = 2
        limits.literalsInMemoryInOctets = 12
        func refusal(_ refusal: CommandRefusal) -> String { "!\(refusal) a1" }
        let large = refusal(.literalTooLarge(limit: 10))
        try Self.expect("a1 X {11}|a2 NOOP|", [large, "a2 NOOP"], limits: limits)
        try Self.expect("a1 X {99999999999999999999}|a2 NOOP|", [large, "a2 NOOP"], limits: limits)
        try Self.expect(
            "a1 X {6+}|a2 N| y {3+}|123|a3 NOOP|",
            [refusal(.literalTooLarge(limit: 5)), "a3 NOOP"], limits: limits)
        try Self.expect(
            "a1 {1+}|x {1+}|x {1+}|x|a2 NOOP|", [refusal(.tooManyLiterals(limit: 2)), "a2 NOOP"],
            limits: limits)
        limits.nonSynchronizingLiteralInOctets = 10
        try Self.expect(
            "a1 {7+}|1234567 {6+}|123456|a2 NOOP|",
            [refusal(.literalsTooLarge(limit: 12)), "a2 NOOP"], limits: limits)
    }

    @Test("ends with a client that sends on and on what was refused", .timeLimit(.minutes(1)))
    func endless() {
        var limits = CommandLimits()
        limits.droppedInOctets = 1_000
        for start in [
            "a1 X {99999999999999999999+}\r\n", "a1 X {900000000+}\r\n",
            "a1 " + String(repeating: "x", count: 70_000),
        ] {
            for cut in [Cut.never, .everyOctet] {
                #expect(throws: EndlessCommand(limit: 1_000)) {
                    try Self.pieces(
                        start + String(repeating: "x", count: 1_100), cut, limits: limits)
                }
            }
        }
    }

    @Test(
        "keeps no more than its limits of an endless line, octet by octet", .timeLimit(.minutes(1)))
    func slowLine() throws {
        let words = try Self.pieces(
            "a1 " + String(repeating: "x", count: 200_000) + "\r\na2 NOOP\r\n", .everyOctet)
        #expect(words == ["!\(CommandRefusal.lineTooLong(limit: 65_536)) a1", "a2 NOOP"])
    }

    @Test("gives what no command has used to whoever reads on")
    func buffered() throws {
        var framer = CommandFramer()
        framer.append(Array("a1 COMPRESS DEFLATE\r\n\u{1}\u{2}".utf8))
        #expect(try framer.next() != nil)
        #expect(framer.hasBufferedOctets)
        #expect(framer.takeBufferedOctets() == [1, 2])
        #expect(!framer.hasBufferedOctets)
    }
}
