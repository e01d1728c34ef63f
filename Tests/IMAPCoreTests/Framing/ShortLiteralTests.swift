import MartletBytes
import MartletIMAPCore
import MartletTestSupport
import Testing

/// Field case 7: 900 octets are announced, 600 come, the next response begins inside.
@Suite("Short literal")
struct ShortLiteralTests {
    static let body = String(repeating: "Some text (in parentheses)\r\n", count: 20)

    /// `announced` octets for `body`, then other messages and the end of the command.
    static func session(announced: Int) -> [UInt8] {
        var text = "* 1 FETCH (UID 11 BODY[] {\(announced)}\r\n\(body))\r\n"
        text += "* 2 FETCH (UID 12 FLAGS (\\Seen) BODY[] {4}\r\nabcd)\r\n"
        for number in 3...60 {
            text += "* \(number) FETCH (UID \(number + 10) FLAGS (\\Answered))\r\n"
        }
        text += "A7 OK FETCH completed\r\n"
        return Array(text.utf8)
    }

    static func expect(_ replay: Replay, announced: Int) {
        #expect(replay.failure == nil)
        let responses = replay.responses
        #expect(responses.count == 61)
        guard case .fetch(let first)? = responses.first, case .tagged? = responses.last else {
            Issue.record("\(responses)")
            return
        }
        #expect(first.uid == UID(11))
        #expect(
            replay.frames[0].damage
                == .shortLiteral(announced: UInt64(announced), received: UInt64(body.utf8.count)))
        guard case .fetch(let second) = responses[1] else { return }
        #expect(second.data(of: .message) == .octets(Array("abcd".utf8)[...]))
    }

    // Where it ends just so that all looks well, as 611 octets do, nobody can tell.
    @Test(
        "loses no response but its own, wherever it ends",
        arguments: [561, 562, 563, 564, 570, 577, 590, 608, 610, 612, 700, 1_200, 2_100])
    func within(announced: Int) {
        let octets = Self.session(announced: announced)
        let whole = Replay(octets)
        Self.expect(whole, announced: announced)
        guard case .fetch(let first)? = whole.responses.first else { return }
        #expect(first.data(of: .message) == .octets(Array(Self.body.utf8)[...]))
        #expect(Replay(octets, .everyOctet) == whole)
        for place in stride(from: 1, to: octets.count, by: 13) {
            #expect(Replay(octets, .at(place)) == whole, "cut at \(place)")
        }
    }

    @Test(
        "is found when it would go on behind all that came", arguments: [3_700, 1 << 20, 1 << 32])
    func beyond(announced: Int) {
        let octets = Self.session(announced: announced)
        #expect(Replay(octets).frames.isEmpty)
        for cut in [Cut.never, .everyOctet, .at(1_000)] {
            Self.expect(Replay(octets, cut, losesPatience: true), announced: announced)
        }
    }

    @Test("is found where it was handed on, as far as its end was kept")
    func detached() {
        var limits = IMAPLimits()
        limits.detachedLiteralInOctets = 100
        let octets = Self.session(announced: 700)
        for cut in [Cut.never, .everyOctet, .at(1_000)] {
            Self.expect(Replay(octets, cut, limits: limits), announced: 700)
        }
    }

    @Test("is not seen in a message that shows a session of IMAP")
    func quotedSession() {
        let message = "He sent:\r\n(x)\r\n* 2 FETCH (UID 1)\r\nA1 OK done\r\n"
        let text = "* 1 FETCH (UID 1 BODY[] {\(message.utf8.count)}\r\n\(message))\r\nA2 OK\r\n"
        let replay = Replay(Array(text.utf8), losesPatience: true)
        #expect(replay.frames.count == 2)
        #expect(replay.frames[0].damage == nil)
    }

    @Test(
        "in a literal in a literal and so on takes no more than linear time",
        .timeLimit(.minutes(1)))
    func nested() {
        var text = ""
        for number in 1...6_000 { text += "* \(number) FETCH (X {250000}\r\n)\r\n" }
        text += String(repeating: "x", count: 260_000) + "\r\n"
        let replay = Replay(Array(text.utf8), .every(100_000), losesPatience: true)
        #expect(replay.failure == nil)
    }

    @Test("that stays unfinished without another response inside is not given up")
    func nothingInside() {
        let octets = Array("* 1 FETCH (BODY[] {900}\r\nabc)\r\n".utf8)
        #expect(Replay(octets, losesPatience: true).events.isEmpty)
    }
}
