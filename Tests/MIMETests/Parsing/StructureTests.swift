import MartletBytes
import MartletMIME
import MartletTestSupport
import Testing

@Suite("Structure of a message")
struct StructureTests {
    struct Case: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let text: String
        let outline: String
        var defects: [Defect.Kind] = []

        init(
            _ claim: String, _ text: String, is outline: String, defects: [Defect.Kind] = []
        ) {
            testDescription = claim
            self.text = text
            self.outline = outline
            self.defects = defects
        }
    }

    static let mixed = "Content-Type: multipart/mixed; boundary=b\n\n"
    static let text = "Content-Type: text/plain\n\n"

    static let headers: [Case] = [
        Case("nothing at all", "", is: "leaf [] \"\""),
        Case("a header without a body", "A: b\n", is: "leaf [A] \"\""),
        Case("a header without its last line end", "A: b", is: "leaf [A] \"\""),
        Case("header and body", "A: b\nC: d\n\nbody\n", is: #"leaf [A C] "body\n""#),
        Case(
            "a byte order mark before the first field", "\u{FEFF}A: b\n\nbody",
            is: #"leaf [A] "body""#, defects: [.byteOrderMark]),
        Case("CRLF", "A: b\r\n c\r\n\r\nbody\r\n", is: #"leaf [A] "body\r\n""#),
        Case("CR CR LF", "A: b\r\r\nC: d\r\r\n\r\r\nbody", is: #"leaf [A C] "body""#),
        Case("old Macintosh line ends", "A: b\rC: d\r\rbody\rx", is: #"leaf [A C] "body\rx""#),
        Case("a space before the colon", "A : b\n\nx", is: #"leaf [A] "x""#),
        Case("an empty line first: no header", "\nA: b\n", is: #"leaf [] "A: b\n""#),
        Case("empty lines first, and no field", "\n\nx\n\nTo: x", is: #"leaf [] "\nx\n\nTo: x""#),
        Case("empty lines alone", "\n\n\n", is: #"leaf [] "\n\n""#),
        Case(
            "empty lines before the fields", "\r\n\r\nTo: b\r\nC: d\r\n\r\nx",
            is: #"leaf [To C] "x""#, defects: [.junkHeaderLine]),
        Case(
            "a blank before the first field", "  Subject: b\n\tc\nC: d\n\nx",
            is: #"leaf [Subject C] "x""#, defects: [.junkHeaderLine]),
        Case(
            "a folded line that is no field is passed over before a field",
            "A: b\nno field\n\tnor this\nC: d\n\nx", is: #"leaf [A C] "x""#,
            defects: [.junkHeaderLine]),
        Case(
            "a folded line that is no field starts the body before the end",
            "A: b\nno field\n nor this\n\nx", is: #"leaf [A] "no field\n nor this\n\nx""#,
            defects: [.missingHeaderEnd]),
        Case(
            "a parameter without the blank that folds it",
            "Content-Type: text/x;\na=\"b: c\";\nd=e\nC: d\n\nx", is: #"leaf [Content-Type C] "x""#,
            defects: [.junkHeaderLine, .junkHeaderLine]),
        Case(
            "base64 behind a semicolon is no parameter",
            "Content-Transfer-Encoding: base64\nContent-Type: text/x;\nYQ==\n\nYg==",
            is: #"leaf [Content-Transfer-Encoding Content-Type] "YQ==\n\nYg==""#,
            defects: [.missingHeaderEnd]),
        Case(
            "a line that is no field is passed over before a field", "A: b\nno field\nC: d\n\nx",
            is: #"leaf [A C] "x""#, defects: [.junkHeaderLine]),
        Case(
            "a line that is no field is passed over before the end", "A: b\nno field\n\nx",
            is: #"leaf [A] "x""#, defects: [.junkHeaderLine]),
        Case(
            "a line that is no field is the body if there is no other", "A: b\nno field\n\n",
            is: #"leaf [A] "no field\n\n""#, defects: [.junkHeaderLine]),
        Case(
            "two lines that are no fields are the body", "A: b\nno field\nnor this\n\nC: d\n\nx",
            is: #"leaf [A] "no field\nnor this\n\nC: d\n\nx""#, defects: [.missingHeaderEnd]),
        Case(
            "a line before all fields is passed over", "QUJDREVG\nA: b\n\nx",
            is: #"leaf [A] "x""#, defects: [.junkHeaderLine]),
        Case(
            "text without a header is all body", "Hello\n\nWorld\n",
            is: #"leaf [] "Hello\n\nWorld\n""#, defects: [.missingHeaderEnd]),
        Case(
            "lines without a header are all body", "Hello World\nHow are you",
            is: #"leaf [] "Hello World\nHow are you""#, defects: [.missingHeaderEnd]),
        Case(
            "an mbox line first", "From a@b.example Mon Nov 30 03:22:55 2026\nA: b\n\nx",
            is: #"leaf [A] "x""#, defects: [.mboxLine]),
        Case(
            "base64 where base64 was announced is the body",
            "Content-Transfer-Encoding: base64\nQUJD\n\nQUJD",
            is: #"leaf [Content-Transfer-Encoding] "QUJD\n\nQUJD""#, defects: [.missingHeaderEnd]),
        Case(
            "a repeated Content-Type", "Content-Type: text/html\nContent-Type: text/plain\n\nx",
            is: #"leaf [Content-Type Content-Type] "x""#, defects: [.repeatedField]),
    ]

    @Test("takes the first Content-Type that can be read")
    func repeatedType() {
        let text = "Content-Type: ;\nContent-Type: text/html\nContent-Type: text/css\n\nx"
        let part = Message(parsing: Array(text.utf8)).root
        #expect(part.contentType.description == "text/html")
        #expect(part.defects.map(\.kind) == [.repeatedField, .repeatedField])
    }

    @Test("lists defects up to the limit, and says so")
    func defectLimit() {
        var limits = MIMELimits()
        limits.defectCount = 3
        let text = String(repeating: "no field\nA: b\n", count: 100)
        let message = Message(parsing: Array(text.utf8), limits: limits)
        #expect(
            message.defects.map(\.kind)
                == [.junkHeaderLine, .junkHeaderLine, .junkHeaderLine, .limitReached])
        #expect(message.defects.last?.limit == "defectCount")
    }

    @Test("tells each part its own defects")
    func defectsOfParts() {
        let text = Self.mixed + "--b\nno field\nA: b\n\nx\n--b junk\n\ny\n"
        let parts = Array(Message(parsing: Array(text.utf8)).parts)
        #expect(
            parts.map { $0.defects.map(\.kind) } == [
                [.junkAfterBoundary, .missingClosingBoundary], [.junkHeaderLine], [],
            ])
    }

    @Test("looks into containers that only say they are encoded no deeper than into others")
    func nestedLies() {
        let header = "Content-Type: message/rfc822\nContent-Transfer-Encoding: base64\n\n"
        let message = Message(
            parsing: Array((String(repeating: header, count: 100) + "A: b\n\nx").utf8))
        #expect(Array(message.parts).count == MIMELimits.standard.encodedContainerDepth + 1)
        #expect(message.defects.last?.limit == "encodedContainerDepth")
    }

    static let multiparts: [Case] = [
        Case(
            "two parts", mixed + "--b\n\(text)x\n--b\n\nzz\n--b--\n",
            is: """
                multipart [Content-Type]
                  leaf [Content-Type] "x"
                  leaf [] "zz"
                """),
        Case(
            "text around the parts", mixed + "before\n--b\n\nx\n--b--\nbehind\n",
            is: """
                multipart [Content-Type] ("before" "behind\\n")
                  leaf [] "x"
                """),
        Case(
            "a type of a body before that of the multipart",
            "Content-Type: text/plain\n\(mixed)--b\n\nx\n--b--",
            is: "multipart [Content-Type Content-Type]\n  leaf [] \"x\"", defects: [.repeatedField]),
        Case(
            "a type of a body behind that of the multipart",
            "Content-Type: multipart/mixed; boundary=b\nContent-Type: text/plain\n\n--b\n\nx\n--b--",
            is: "multipart [Content-Type Content-Type]\n  leaf [] \"x\"", defects: [.repeatedField]),
        Case(
            "a type of a body before a multipart's without a boundary",
            "Content-Type: text/html\nContent-Type: multipart/mixed\n\nx",
            is: #"leaf [Content-Type Content-Type] "x""#, defects: [.repeatedField]),
        Case(
            "a part without octets", mixed + "--b\n--b--",
            is: "multipart [Content-Type]\n  leaf [] \"\""),
        Case(
            "a delimiter right behind the header", mixed + "--b\nA: b\n--b\n\ny\n--b--",
            is: """
                multipart [Content-Type]
                  leaf [A] ""
                  leaf [] "y"
                """, defects: [.missingHeaderEnd]),
        Case(
            "blanks behind a delimiter", mixed + "--b \t\n\nx\n--b-- \n",
            is: "multipart [Content-Type]\n  leaf [] \"x\""),
        Case(
            "words behind a delimiter", mixed + "--b is ignored\n\nx\n--b-- too\n",
            is: "multipart [Content-Type]\n  leaf [] \"x\"",
            defects: [.junkAfterBoundary, .junkAfterBoundary]),
        Case(
            "a closing delimiter with the last blank of its parameter",
            mixed.replacing("=b", with: "=\"b \"") + "--b \n\nx\n--b --\nbehind",
            is: """
                multipart [Content-Type] ("" "behind")
                  leaf [] "x"
                """, defects: [.junkAfterBoundary]),
        Case(
            "a delimiter inside of a line is none", mixed + "--b\n\nx --b\n --b\n--bb\n--b--",
            is: "multipart [Content-Type]\n  leaf [] \"x --b\\n --b\\n--bb\""),
        Case(
            "no closing delimiter", mixed + "--b\n\nx\n",
            is: "multipart [Content-Type]\n  leaf [] \"x\\n\"", defects: [.missingClosingBoundary]),
        Case(
            "no delimiter at all", mixed + "only text\n",
            is: #"multipart [Content-Type] ("only text\n" "")"#, defects: [.missingOpeningBoundary]),
        Case(
            "a closing delimiter and no other", mixed + "text\n--b--\nbehind\n",
            is: #"multipart [Content-Type] ("text" "behind\n")"#,
            defects: [.missingOpeningBoundary]),
        Case(
            "an inner boundary that extends the outer one",
            mixed
                + "--b\nContent-Type: multipart/mixed; boundary=b-1\n\n--b-1\n\nx\n--b-1--\n--b\n\ny\n--b--",
            is: """
                multipart [Content-Type]
                  multipart [Content-Type]
                    leaf [] "x"
                  leaf [] "y"
                """),
        Case(
            "an inner boundary that is the outer one with dashes",
            mixed
                + "--b\nContent-Type: multipart/mixed; boundary=--b\n\n----b\n\nx\n----b--\n--b--",
            is: """
                multipart [Content-Type]
                  multipart [Content-Type]
                    leaf [] "x"
                """),
        Case(
            "an inner boundary that ends like a closing one",
            mixed
                + "--b\nContent-Type: multipart/mixed; boundary=b--\n\n--b--\n\nx\n--b----\n--b--",
            is: """
                multipart [Content-Type]
                  multipart [Content-Type]
                    leaf [] "x"
                """),
        Case(
            "an inner multipart that is never closed",
            mixed
                + "--b\nContent-Type: multipart/mixed; boundary=i\n\n--i\n\nx\n--b\n\ny\n--b--",
            is: """
                multipart [Content-Type]
                  multipart [Content-Type]
                    leaf [] "x"
                  leaf [] "y"
                """, defects: [.missingClosingBoundary]),
        Case(
            "an inner multipart whose boundary never comes",
            mixed + "--b\nContent-Type: multipart/mixed; boundary=i\n\n--b\n\ny\n--b--",
            is: """
                multipart [Content-Type]
                  multipart [Content-Type]
                  leaf [] "y"
                """, defects: [.missingOpeningBoundary]),
        Case(
            "the same boundary inside and outside",
            mixed + "--b\n\(mixed)--b\n\nx\n--b--\n--b\n\ny\n--b--",
            is: """
                multipart [Content-Type]
                  multipart [Content-Type]
                    leaf [] "x"
                  leaf [] "y"
                """),
        Case(
            "no boundary parameter: the first line like a delimiter is one",
            "Content-Type: multipart/mixed\n\n--b\n\nx\n--b\n\ny\n--b--",
            is: """
                multipart [Content-Type]
                  leaf [] "x"
                  leaf [] "y"
                """, defects: [.missingBoundaryParameter]),
        Case(
            "no empty line before the first delimiter",
            "Content-Type: multipart/mixed; boundary=b\n--b\nA: b\n\nx\n--b--",
            is: """
                multipart [Content-Type]
                  leaf [A] "x"
                """, defects: [.missingHeaderEnd]),
        Case(
            "CRLF before a delimiter",
            "Content-Type: multipart/mixed; boundary=b\r\n\r\n--b\r\n\r\nx\r\n--b--\r\n",
            is: "multipart [Content-Type]\n  leaf [] \"x\""),
    ]

    /// Multiparts with the boundary `b` whose parts stand behind other lines.
    static let wrongBoundaries: [Case] = [
        wrong("c"), wrong("B"), wrong("'b'"), wrong("--b-"),
        wrong(String(repeating: "long", count: 100)),
        Case(
            "the boundary in other letters before parts without fields",
            mixed.replacing("=b", with: "=Ab-1") + "--aB1\n\nx\n--aB1--\n",
            is: "multipart [Content-Type]\n  leaf [] \"x\"", defects: [.missingOpeningBoundary]),
        Case(
            "another boundary before parts without fields, and a closing one",
            mixed + "-- \n\n--c\n\nx\n--c\n\nz\n--c--\n",
            is: """
                multipart [Content-Type] ("-- \\n" "")
                  leaf [] "x"
                  leaf [] "z"
                """, defects: [.missingOpeningBoundary]),
        Case(
            "an empty boundary", mixed.replacing("=b", with: "=\"\"") + "--\n\(text)x\n----\n",
            is: "multipart [Content-Type]\n  leaf [Content-Type] \"x\"",
            defects: [.missingBoundaryParameter, .missingOpeningBoundary]),
        Case(
            "an inner multipart with another boundary",
            mixed
                + "--b\n\(mixed.replacing("=b", with: "=i"))--j\n\(text)x\n--j--\n--b\n\nz\n--b--",
            is: """
                multipart [Content-Type]
                  multipart [Content-Type]
                    leaf [Content-Type] "x"
                  leaf [] "z"
                """, defects: [.missingOpeningBoundary]),
        Case(
            "others in others, the inner one not closed",
            mixed + "--c\n\(mixed.replacing("=b", with: "=i"))--j\n\(text)x\n--c--",
            is: """
                multipart [Content-Type]
                  multipart [Content-Type]
                    leaf [Content-Type] "x"
                """,
            defects: [.missingOpeningBoundary, .missingOpeningBoundary, .missingClosingBoundary]),
        Case(
            "text with lines of hyphens", mixed + "--c\nContents\n--\n\n--c--\n",
            is: #"multipart [Content-Type] ("--c\nContents\n--\n\n--c--\n" "")"#,
            defects: [.missingOpeningBoundary]),
        Case(
            "another boundary that is there only where it is decoded",
            mixed.replacing("=b\n", with: "=\"=b\"\nContent-Transfer-Encoding: quoted-printable\n")
                + "--=3Db\n\(text)x\n--=3Db--\n",
            is: """
                multipart [Content-Type Content-Transfer-Encoding]
                  leaf [Content-Type] "x"
                """, defects: [.missingOpeningBoundary, .encodedContainer]),
    ]

    private static func wrong(_ boundary: String) -> Case {
        Case(
            "the parts are behind another boundary: \(boundary)",
            mixed
                + "before\n--\(boundary)\n\(text)x\n--\(boundary)\n\nz\n--\(boundary)--\nbehind\n",
            is: """
                multipart [Content-Type] ("before" "behind\\n")
                  leaf [Content-Type] "x"
                  leaf [] "z"
                """, defects: [.missingOpeningBoundary])
    }

    static let messages: [Case] = [
        Case(
            "a message in a message", "Content-Type: message/rfc822\n\nA: b\n\nx\n",
            is: """
                message [Content-Type]
                  leaf [A] "x\\n"
                """),
        Case(
            "a message in a multipart",
            mixed + "--b\nContent-Type: message/rfc822\n\nA: b\n\nx\n--b\n\ny\n--b--",
            is: """
                multipart [Content-Type]
                  message [Content-Type]
                    leaf [A] "x"
                  leaf [] "y"
                """),
        Case(
            "a digest, whose parts are messages",
            "Content-Type: multipart/digest; boundary=b\n\n--b\n\nA: b\n\nx\n--b\nContent-Type: text/plain\n\ny\n--b--",
            is: """
                multipart [Content-Type]
                  message []
                    leaf [A] "x"
                  leaf [Content-Type] "y"
                """),
        Case(
            "what is no message is a body",
            mixed + "--b\nContent-Type: message/rfc822\n\nthis is none\n--b--",
            is: """
                multipart [Content-Type]
                  message [Content-Type]
                    leaf [] "this is none"
                """, defects: [.missingHeaderEnd]),
        Case(
            "a message in base64",
            "Content-Type: message/rfc822\nContent-Transfer-Encoding: base64\n\nQTogYgoKeAo=\n",
            is: """
                message [Content-Type Content-Transfer-Encoding]
                  leaf [A] "x\\n"
                """, defects: [.encodedContainer]),
        Case(
            "a message that only says it is base64",
            "Content-Type: message/rfc822\nContent-Transfer-Encoding: base64\n\nA: b\n\nx\n",
            is: """
                message [Content-Type Content-Transfer-Encoding]
                  leaf [A] "x\\n"
                """, defects: [.encodedContainer]),
        Case(
            "a multipart in base64",
            mixed.replacing("\n\n", "\nContent-Transfer-Encoding: base64\n\n")
                + "LS1iCgp4Ci0tYi0tCg==\n",
            is: """
                multipart [Content-Type Content-Transfer-Encoding]
                  leaf [] "x"
                """, defects: [.missingOpeningBoundary, .encodedContainer]),
        Case(
            "a multipart that only says it is base64",
            mixed.replacing("\n\n", "\nContent-Transfer-Encoding: base64\n\n") + "--b\n\nx\n--b--",
            is: """
                multipart [Content-Type Content-Transfer-Encoding]
                  leaf [] "x"
                """),
    ]

    static let all = headers + multiparts + wrongBoundaries + messages

    @Test("is found", arguments: all)
    func structure(_ example: Case) {
        let message = Message(parsing: Array(example.text.utf8))
        #expect(outline(message) == example.outline)
        #expect(message.defects.map(\.kind) == example.defects)
        #expect(message.octets.octetsInMemory == Array(example.text.utf8))
    }

    @Test("does not depend on how the octets come", arguments: all)
    func splits(_ example: Case) {
        let octets = Array(example.text.utf8)
        for cut in 0...octets.count {
            var parser = MessageParser()
            parser.receive(octets[..<cut])
            parser.receive(octets[cut...])
            #expect(outline(parser.finish()) == example.outline, "cut at \(cut)")
        }
        var parser = MessageParser()
        for octet in octets { parser.receive([octet]) }
        let message = parser.finish()
        #expect(outline(message) == example.outline)
        #expect(message.defects.map(\.kind) == example.defects)
    }

    @Test("does not depend on how the octets come, in long messages")
    func longSplits() {
        var random = SeededGenerator(seed: 7)
        let piece = Self.multiparts.map(\.text).joined(separator: "\n")
        let long =
            "Content-Type: multipart/mixed; boundary=outer\n\n--outer\n"
            + String(repeating: piece + "\n--outer\n", count: 20)
        let octets = Array(long.utf8)
        let expected = outline(Message(parsing: octets))
        for _ in 0..<20 {
            var parser = MessageParser()
            var rest = octets[...]
            while !rest.isEmpty {
                let count = Int.random(in: 1...9_000, using: &random)
                parser.receive(rest.prefix(count))
                rest = rest.dropFirst(count)
            }
            #expect(outline(parser.finish()) == expected)
        }
    }
}

extension String {
    fileprivate func replacing(_ old: String, _ new: String) -> String {
        var octets = Array(utf8)
        guard let start = octets.indices.first(where: { octets[$0...].starts(with: old.utf8) })
        else { return self }
        octets.replaceSubrange(start..<(start + old.utf8.count), with: new.utf8)
        return String(decoding: octets, as: UTF8.self)
    }
}
