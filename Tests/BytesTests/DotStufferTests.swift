import MartletBytes
import MartletTestSupport
import Testing

@Suite("Dot stuffing")
struct DotStufferTests {
    static func stuffed(_ input: [UInt8], cuts: [Int] = []) -> [UInt8] {
        var stuffer = DotStuffer()
        var output: [UInt8] = []
        var start = 0
        for cut in cuts + [input.count] where cut >= start {
            stuffer.append(input[start..<cut], to: &output)
            start = cut
        }
        stuffer.finish(into: &output)
        return output
    }

    @Test(
        "ends lines with CRLF, doubles leading dots, marks the end",
        arguments: [
            ("", ".\r\n"), ("a", "a\r\n.\r\n"), ("a\r\n", "a\r\n.\r\n"), (".", "..\r\n.\r\n"),
            (".\r\n", "..\r\n.\r\n"), ("a\n.\nb", "a\r\n..\r\nb\r\n.\r\n"),
            ("a\r.\rb", "a\r\n..\r\nb\r\n.\r\n"), ("a\r\r\n.", "a\r\n\r\n..\r\n.\r\n"),
            ("\n.\r\n", "\r\n..\r\n.\r\n"), ("\r", "\r\n.\r\n"), ("\n\r", "\r\n\r\n.\r\n"),
            ("a.b\r\n..c", "a.b\r\n...c\r\n.\r\n"), ("\r\n\n.\n.", "\r\n\r\n..\r\n..\r\n.\r\n"),
        ])
    func table(input: String, expected: String) {
        let input = octets(input)
        #expect(Self.stuffed(input) == octets(expected))
        for cut in 0...input.count { #expect(Self.stuffed(input, cuts: [cut]) == octets(expected)) }
        #expect(Self.stuffed(input, cuts: Array(0...input.count)) == octets(expected))
    }

    /// The rule, one octet after the other.
    static func reference(_ input: [UInt8]) -> [UInt8] {
        lines(input).flatMap {
            ($0.first == ASCII.dot ? [ASCII.dot] : []) + $0 + [ASCII.cr, ASCII.lf]
        }
            + [ASCII.dot, ASCII.cr, ASCII.lf]
    }

    /// The message as it must arrive.
    static func canonical(_ input: [UInt8]) -> [UInt8] {
        lines(input).flatMap { $0 + [ASCII.cr, ASCII.lf] }
    }

    private static func lines(_ input: [UInt8]) -> [[UInt8]] {
        var lines: [[UInt8]] = [[]]
        var index = 0
        while index < input.count {
            if input[index] == ASCII.cr || input[index] == ASCII.lf {
                if input[index] == ASCII.cr, index + 1 < input.count, input[index + 1] == ASCII.lf {
                    index += 1
                }
                lines.append([])
            } else {
                lines[lines.count - 1].append(input[index])
            }
            index += 1
        }
        if lines.last == [] { lines.removeLast() }
        return lines
    }

    @Test("keeps the rule for random text at random cuts", arguments: [1, 2, 3, 4] as [UInt64])
    func law(seed: UInt64) {
        var random = SeededGenerator(seed: seed)
        for _ in 0..<2_000 {
            let input = (0..<Int.random(in: 0...40, using: &random)).map { _ in
                octets("\r\n.xy\u{a}\u{d}")[Int.random(in: 0..<7, using: &random)]
            }
            let cuts = (0..<Int.random(in: 0...4, using: &random)).map { _ in
                Int.random(in: 0...input.count, using: &random)
            }.sorted()
            #expect(Self.stuffed(input, cuts: cuts) == Self.reference(input))
        }
    }
}

func octets(_ text: String) -> [UInt8] { Array(text.utf8) }
