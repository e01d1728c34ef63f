import MartletBytes
import MartletTestSupport
import Testing

@Suite("Dot unstuffing")
struct DotUnstufferTests {
    struct Outcome: Equatable {
        var message: [UInt8] = []
        var used = 0
        var hasBare = false
    }

    static func unstuffed(_ input: [UInt8], cuts: [Int] = []) -> Outcome {
        var unstuffer = DotUnstuffer()
        var outcome = Outcome()
        var start = 0
        for cut in cuts + [input.count] where cut >= start && !unstuffer.isAtEnd {
            outcome.used += input[start..<cut].withUnsafeBufferPointer {
                unstuffer.append($0, to: &outcome.message)
            }
            start = cut
        }
        outcome.hasBare = unstuffer.hasBareCR || unstuffer.hasBareLF
        return outcome
    }

    @Test(
        "ends only at CRLF dot CRLF, for any cut",
        arguments: [
            (".\r\nQUIT", "", 3, false), ("a\r\n.\r\nx", "a\r\n", 6, false),
            ("..\r\n.\r\n", ".\r\n", 7, false), (".a\r\n.\r\n", "a\r\n", 7, false),
            ("a\n.\n.\r\n.\r\n", "a\n.\n.\r\n", 10, true), ("a\r.\r\n.\r\n", "a\r.\r\n", 8, true),
            ("a\r\n.\rb\r\n.\r\n", "a\r\n\rb\r\n", 11, true), ("a\r\n.\r", "a\r\n", 5, false),
            ("\r\n.\n.\r\n", "\r\n\n.\r\n", 7, true),
        ])
    func table(input: String, message: String, used: Int, hasBare: Bool) {
        let input = octets(input)
        let expected = Outcome(message: octets(message), used: used, hasBare: hasBare)
        #expect(Self.unstuffed(input) == expected)
        for cut in 0...input.count { #expect(Self.unstuffed(input, cuts: [cut]) == expected) }
        #expect(Self.unstuffed(input, cuts: Array(0...input.count)) == expected)
    }

    @Test("undoes stuffing for every canonical message", arguments: [5, 6, 7] as [UInt64])
    func law(seed: UInt64) {
        var random = SeededGenerator(seed: seed)
        for _ in 0..<2_000 {
            var message: [UInt8] = []
            for _ in 0..<Int.random(in: 0...12, using: &random) {
                message +=
                    ["\r\n", "\r\n", ".", "..", "a", "line"].randomElement(using: &random)!
                    .utf8
            }
            if !message.isEmpty, !message.reversed().starts(with: [ASCII.lf, ASCII.cr]) {
                message += [ASCII.cr, ASCII.lf]
            }
            let wire = DotStufferTests.stuffed(message)
            let cut = Int.random(in: 0...wire.count, using: &random)
            let next = Array("MAIL".utf8)
            let outcome = Self.unstuffed(wire + next, cuts: [cut])
            #expect(outcome == Outcome(message: message, used: wire.count, hasBare: false))
        }
    }

    @Test(
        "takes a bare LF for the end of a line where its peer writes all lines so, however it is cut",
        arguments: [
            ("a\n..b\n.\nX", "a\n.b\n", 8), (".\n", "", 2), ("a\n.\r\n", "a\n", 5),
            ("a\r\n.\nX", "a\r\n", 5), ("..\n.\n", ".\n", 5),
        ])
    func lenient(input: String, message: String, used: Int) {
        let input = octets(input)
        for cut in 0...input.count {
            var unstuffer = DotUnstuffer(endsLinesAtLF: true)
            var output: [UInt8] = []
            var count = input[..<cut].withUnsafeBufferPointer { unstuffer.append($0, to: &output) }
            if !unstuffer.isAtEnd {
                count += input[cut...].withUnsafeBufferPointer {
                    unstuffer.append($0, to: &output)
                }
            }
            #expect(output == octets(message) && count == used && unstuffer.isAtEnd)
        }
    }
}
