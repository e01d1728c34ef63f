import MartletTestSupport
import Testing

@testable import MartletMIME

@Suite("Flowed text")
struct FlowedTextTests {
    typealias Paragraph = FlowedText.Paragraph

    @Test(
        "joins lines to paragraphs",
        arguments: [
            ("a \nb\nc\n", [Paragraph("a b"), Paragraph("c")]),
            ("a \r\nb\r\n", [Paragraph("a b")]),
            ("a\n\nb", [Paragraph("a"), Paragraph(""), Paragraph("b")]),
            // quotations join only with lines as deep
            (">a \n>b\n", [Paragraph("a b", quoteDepth: 1)]),
            ("> a \n> b\n", [Paragraph("a b", quoteDepth: 1)]),
            (
                ">>a \n>b \nc\n",
                [Paragraph("a", quoteDepth: 2), Paragraph("b", quoteDepth: 1), Paragraph("c")]
            ),
            ("> > a\n", [Paragraph("> a", quoteDepth: 1)]), (">\n", [Paragraph("", quoteDepth: 1)]),
            // space-stuffing
            (" > a\n", [Paragraph("> a")]),
            ("  a\n From b\n", [Paragraph(" a"), Paragraph("From b")]),
            (" \na\n", [Paragraph(""), Paragraph("a")]),
            // the signature separator is not joined with anything
            ("a \n-- \nb\n", [Paragraph("a"), Paragraph("-- "), Paragraph("b")]),
            ("> -- \n> b\n", [Paragraph("-- ", quoteDepth: 1), Paragraph("b", quoteDepth: 1)]),
            // the text ends within a paragraph
            ("a ", [Paragraph("a")]), ("a \n", [Paragraph("a")]), ("", []),
            ("\u{E4} \n\u{6F22}", [Paragraph("\u{E4} \u{6F22}")]),
        ])
    func joins(text: String, paragraphs: [Paragraph]) {
        let parsed = FlowedText.parse(text, deletesSpaces: false)
        #expect(parsed.value.paragraphs == paragraphs)
        #expect(parsed.defects.isEmpty)
        #expect(
            FlowedText.plainText(of: text, deletesSpaces: false, limits: .standard)
                == parsed.value.plainText)
    }

    @Test("with delsp the space of the line break is no part of the text")
    func deletesSpaces() {
        let parsed = FlowedText.parse(
            "\u{6F22} \n\u{5B57} \r\na  \nb\n-- \nc\n", deletesSpaces: true)
        #expect(
            parsed.value.paragraphs
                == [Paragraph("\u{6F22}\u{5B57}a b"), Paragraph("-- "), Paragraph("c")])
    }

    @Test("is written as RFC 3676 §4.2 wants it")
    func writes() {
        let text = FlowedText([
            Paragraph("Hello  "), Paragraph(String(repeating: "word ", count: 20)),
            Paragraph("> a"),
            Paragraph("From b"), Paragraph(" c"), Paragraph("d", quoteDepth: 2),
            Paragraph("", quoteDepth: 1),
            Paragraph("-- "), Paragraph("Me"),
        ])
        let expected = [
            "Hello", String(repeating: "word ", count: 14), "word word word word word word", " > a",
            " From b",
            "  c", ">> d", ">", "-- ", "Me", "",
        ]
        #expect(text.encode() == Array(expected.joined(separator: "\r\n").utf8))
        #expect(text.plainText.hasSuffix("\n>> d\n>\n-- \nMe\n"))
    }

    @Test("reads what is written", arguments: UInt64(0)..<200)
    func law(seed: UInt64) {
        var random = SeededGenerator(seed: seed)
        let words = [
            "a", "word", ">", "From", "--", "", " ", "\u{E4}\u{301}", "\u{6F22}\u{5B57}",
            String(repeating: "long", count: 30), ".", "-- ",
        ]
        let paragraphs = (0..<Int.random(in: 0...8, using: &random)).map { _ in
            let count = Int.random(in: 0...40, using: &random)
            let text = (0..<count).map { _ in words.randomElement(using: &random)! }
                .joined(separator: " ")
            let end = text.lastIndex { $0 != " " }.map { text.index(after: $0) } ?? text.startIndex
            let depth = Int.random(in: 0...3, using: &random)
            return Paragraph(
                Int.random(in: 0..<9, using: &random) == 0 ? "-- " : String(text[..<end]),
                quoteDepth: depth)
        }
        for deletesSpaces in [false, true] {
            let encoded = String(
                decoding: FlowedText(paragraphs).encode(deletesSpaces: deletesSpaces), as: UTF8.self
            )
            let parsed = FlowedText.parse(encoded, deletesSpaces: deletesSpaces)
            #expect(parsed.value.paragraphs == paragraphs)
            let longest = encoded.split(separator: "\r\n").map(\.count).max() ?? 0
            #expect(longest <= (deletesSpaces ? 78 : 200))
        }
    }

    @Test("counts quotation marks up to the limit")
    func limit() {
        var limits = MIMELimits()
        limits.quoteDepth = 2
        let parsed = FlowedText.parse("a\n>>>b\n>>>>c\n", deletesSpaces: false, limits: limits)
        #expect(
            parsed.value.paragraphs
                == [
                    Paragraph("a"), Paragraph(">b", quoteDepth: 2), Paragraph(">>c", quoteDepth: 2),
                ])
        #expect(parsed.defects == [Defect(.limitReached, at: 4, limit: "quoteDepth")])
    }

    @Test(
        "takes time in proportion to the text, whatever is in it",
        arguments: [">", "a \n", " ", "> \n", "\n", ">\n>>\n", "a", "-- \n"])
    func linear(unit: String) {
        let text = String(repeating: unit, count: 30_000)
        let elapsed = ContinuousClock().measure {
            _ = FlowedText.parse(text, deletesSpaces: true).value.encode(deletesSpaces: true)
        }
        #expect(elapsed < .seconds(20))
    }
}
