import MartletBytes
import MartletTestSupport
import Testing

@testable import MartletMIME

@Suite("Hostile header values")
struct HostileHeaderTests {
    /// Reads a value in every way there is, and gives the texts that came out.
    static func readAll(_ value: ArraySlice<UInt8>, limits: MIMELimits = .standard) -> [String] {
        var texts = [
            HeaderText.decode(value, limits: limits).value,
            HeaderText.decodePhrase(value, limits: limits).value,
            HeaderText.decodeComment(value, limits: limits).value,
            ContentTransferEncoding.parse(value, limits: limits).value.name,
            ContentLocation.parse(value, limits: limits).value ?? "",
        ]
        let type = ContentTypeField.parse(value, limits: limits).value
        texts += [type.type, type.subtype] + type.parameters.flatMap { [$0.name, $0.value] }
        let disposition = ContentDispositionField.parse(value, limits: limits).value
        texts += [disposition.kind.name] + disposition.parameters.map(\.value)
        if let field = AutoSubmittedField.parse(value, limits: limits).value {
            texts.append(field.keyword.name)
        }
        texts += MessageReference.parseList(value, limits: limits).value.map(\.text)
        texts += ContentLanguage.parse(value).value
        _ = MIMEVersion.parse(value)
        return texts
    }

    static let pieces = [
        "=?", "?=", "=?utf-8?q?", "=?utf-8?B?w6Q=?=", "=?iso-8859-1?Q?=E4=0D=0A?=", "?", "=", "_",
        "=C3",
        "\"", "\\", "(", ")", "<", ">", "@", ";", ",", "/", "*", "*0", "*1*=", "''", "utf-8'",
        "%C3%A4", "%", "'",
        " ", "\t", "\r\n ", "\r", "\n", "\u{0}", "\u{1B}$B", "\u{E4}", "\u{C3}\u{A4}", "\u{FF}",
        "a", "name=", "text",
        "boundary", "charset=", "=?iso-2022-jp?B?GyRCJCI=?=", "=?utf-7?q?+AOQ-?=", "=?x?q?a?=", "[",
        ":", ".",
    ]

    @Test("give no control characters, whatever they are", arguments: 0..<60 as Range<UInt64>)
    func garbage(seed: UInt64) {
        var random = SeededGenerator(seed: seed)
        for _ in 0..<40 {
            let value = octets(
                (0..<Int.random(in: 0...40, using: &random))
                    .map { _ in Self.pieces.randomElement(using: &random)! }.joined())
            for text in Self.readAll(value[...]) {
                #expect(
                    !text.unicodeScalars.contains { $0.properties.generalCategory == .control },
                    "\(value)")
            }
            // The same as part of something larger.
            let framed = octets("<\"=?(") + value + octets(")?=\">")
            let slice = framed[5..<(5 + value.count)]
            #expect(Self.readAll(slice) == Self.readAll(value[...]), "\(value)")
        }
    }

    @Test("of random octets are read", arguments: 0..<20 as Range<UInt64>)
    func noise(seed: UInt64) {
        var random = SeededGenerator(seed: seed)
        for _ in 0..<50 {
            let value = (0..<Int.random(in: 0...60, using: &random))
                .map { _ in UInt8.random(in: 0...255, using: &random) }
            _ = Self.readAll(value[...])
        }
    }

    @Test(
        "take time in proportion to their size", .serialized,
        arguments: [
            "=?", "=?a?q?", "=?utf-8?q?", "=?utf-8?q?a?= ", "=?utf-8?b?", "?=AA", "=?utf-8?q?a?=AA",
            "(", "((", "()", "\"",
            "\\\"", "\"\\", "<", "<>", ">", "<a>", "a@b ", ";a=b", ";a*0=b", ";a*1*=b", ";a*=b",
            "; a b=\"c\"", ";a=\"", " a=",
            "a (", "a (b) ", "\r\n ", "\n", " ", "=", ";", "/", "a=?x?q?b?=", "\u{0}", "\u{E4}",
            "=?iso-2022-jp?b?GyRCJCI=?=",
            "=?utf-8?q?a\r\n ", "=0D", "'", "%41", ",", ";=\"a", "=?utf-8?q?=C3?=\"", "x ",
            "a = b ",
        ])
    func linear(_ piece: String) {
        var limits = MIMELimits()
        limits.parameterCount = 1_000_000
        limits.encodedWordCount = 1_000_000
        limits.messageIDCount = 1_000_000
        let unit = octets(piece)
        func time(_ size: Int, behind start: String) -> Duration {
            let value =
                octets(start) + Array(repeatElement(unit, count: size / unit.count).joined())
            return ContinuousClock().measure { _ = Self.readAll(value[...], limits: limits) }
        }
        for start in ["", "a/b; c=", "\""] {
            // Four times the octets take four times as long; sixteen times, were it quadratic. A busy
            // machine may spoil one look, but not all.
            let isLinear = (0..<8).contains { _ in
                time(24_000, behind: start) < time(6_000, behind: start) * 9 + .milliseconds(20)
            }
            #expect(isLinear, "\(piece.debugDescription) behind \(start)")
        }
    }

    @Test("with 8,192 sections of a name in any order are read")
    func sections() {
        let numbers = (0..<8_192).shuffled()
        let value = "attachment" + numbers.map { ";\r\n filename*\($0)*=%41" }.joined()
        let parsed = ContentDispositionField.parse(octets(value)[...])
        #expect(parsed.value.fileName == String(repeating: "A", count: 8_192))
    }

    @Test("end at their limits")
    func limits() {
        var limits = MIMELimits()
        limits.encodedWordCount = 2
        let words = octets("=?utf-8?q?a?= =?utf-8?q?b?= =?utf-8?q?c?=")
        let text = HeaderText.decode(words[...], limits: limits)
        #expect(text.value == "ab =?utf-8?q?c?=")
        #expect(text.defects == [Defect(.limitReached, at: 27, limit: "encodedWordCount")])
        let phrase = HeaderText.decodePhrase(words[...], limits: limits)
        #expect(phrase.value == "ab =?utf-8?q?c?=")
        #expect(phrase.defects == [Defect(.limitReached, at: 27, limit: "encodedWordCount")])
        limits.valueSizeInOctets = 3
        let cut = HeaderText.decode(octets(" abcdef ")[...], limits: limits)
        #expect(cut.value == "abc")
        #expect(cut.defects == [Defect(.limitReached, at: 4, limit: "valueSizeInOctets")])
    }
}

@Suite("Header text that was written")
struct WrittenHeaderTests {
    @Test("is read again", arguments: 0..<200 as Range<UInt64>)
    func roundTrip(seed: UInt64) throws {
        var random = SeededGenerator(seed: seed)
        let pieces = [
            "hello", "a", "Grüße", "Привет", "日本語", "👩‍👩‍👧‍👦", "e\u{301}", "=?UTF-8?Q?x?=", "=?", "?=",
            "_", "=", "\"", "(c)",
            " ", "  ", "\\", "long words go on and on for quite a while here", "%41", "é",
        ]
        let text = (0..<Int.random(in: 1...20, using: &random))
            .map { _ in pieces.randomElement(using: &random)! }.joined()
        var writer = HeaderWriter()
        writer.begin("Subject")
        writer.unstructured(text)
        try writer.end()
        let field = writer.octets
        let parsed = HeaderText.decode(field.dropFirst("Subject:".utf8.count))
        #expect(parsed.value == text)
        #expect(parsed.defects.isEmpty || text.contains("=?"))
    }
}
