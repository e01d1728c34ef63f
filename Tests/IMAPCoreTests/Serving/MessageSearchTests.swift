import MartletBytes
import MartletMIME
import MartletTestSupport
import Testing

@testable import MartletIMAPCore

@Suite("Searches in a mailbox")
struct MessageSearchTests {
    /// 30 Nov 2026, 12:00 UTC.
    static let now: Int64 = 1_796_040_000

    private func surroundings(_ messages: [SampleMessage]) -> SearchSurroundings {
        SearchSurroundings(
            lastNumber: messages.last?.number, lastUID: messages.last?.uid,
            savedResult: [UID(20)!], now: Self.now)
    }

    private func found(_ words: String, in messages: [SampleMessage]) throws -> [UInt32] {
        var search = MessageSearch(try SearchKey(parsing: words), in: surroundings(messages))
        return messages.filter { search.matches($0) }.map(\.number.rawValue)
    }

    static let mail: [SampleMessage] = {
        var mail = SampleMessage.mailbox([
            "From: Ann Lee <ann@example.com>\nTo: bob@example.org\nSubject: Lunch?\nDate: Mon, 2 Nov 2026 23:30:00 -0500\n\nLet us meet.\n",
            "From: =?iso-8859-1?Q?J=F6rg_Stra=DFe?= <j@example.com>\nCc: Ann <ann@example.com>\nSubject: =?utf-8?B?Q2Fmw6k=?= am\n =?utf-8?Q?Morgen?=\nContent-Type: text/plain; charset=utf-8\nContent-Transfer-Encoding: base64\n\nR3LDvMOfZSBhdXMgTcO8bmNoZW4=\n",
            Samples.nested,
            "Subject: cafe\u{301} decomposed\nBcc: secret@example.com\nX-Empty:\nContent-Type: text/html\n\n<p>Fish &amp; ch<b>ips</b> &eacute;</p>\n",
            "Content-Type: multipart/mixed; boundary=b\nDate: nonsense\n\nnever any part in here\n",
        ])
        mail[0].flags = [.seen, MessageFlag("$Work")!]
        mail[1].flags = [.seen, .answered, .flagged]
        mail[2].flags = [.deleted, .draft]
        mail[1].isRecent = true
        mail[3].isRecent = true
        for (index, offset) in [-5 * 86_400, -3_600, -60, 0, 0].enumerated() {
            mail[index].internalDate = MailDate(
                secondsSinceEpoch: now + Int64(offset), offsetInMinutes: index == 3 ? 14 * 60 : 0)
            mail[index].modSeq = ModSequence(UInt64(index + 1) * 100)!
        }
        mail[3].saveDate = MailDate(secondsSinceEpoch: now + 30 * 86_400)
        mail[2].emailID = ObjectID("M3")
        mail[2].threadID = ObjectID("T3")
        return mail
    }()

    static let cases: [(String, [UInt32])] = [
        ("ALL", [1, 2, 3, 4, 5]), ("NOT ALL", []),
        ("2,4:*", [2, 4, 5]), ("*", [5]), ("9:*", [5]), ("UID 20:40", [2, 3, 4]), ("UID *", [5]),
        ("$", [2]), ("SEEN", [1, 2]), ("UNSEEN", [3, 4, 5]), ("ANSWERED", [2]), ("FLAGGED", [2]),
        ("DELETED", [3]), ("DRAFT", [3]), ("UNDELETED UNDRAFT", [1, 2, 4, 5]),
        ("UNANSWERED UNFLAGGED", [1, 3, 4, 5]), ("KEYWORD $work", [1]),
        ("UNKEYWORD $Work", [2, 3, 4, 5]), ("RECENT", [2, 4]), ("NEW", [4]), ("OLD", [1, 3, 5]),
        ("FROM ann", [1]), ("FROM \"ANN LEE\"", [1]), ("FROM jörg", [2]), ("FROM strasse", [2]),
        ("FROM example.com", [1, 2]), ("TO bob", [1]), ("CC ann", [2]), ("BCC secret", [4]),
        ("SUBJECT café", [2, 4]), ("SUBJECT CAFÉ", [2, 4]), ("SUBJECT \"cafe\u{301}\"", [2, 4]),
        ("SUBJECT cafe", []), ("SUBJECT \"café am morgen\"", [2]), ("SUBJECT lunch", [1]),
        ("HEADER X-Empty \"\"", [4]), ("HEADER X-None \"\"", []), ("HEADER cc ann", [2]),
        ("FROM \"\"", [1, 2]),
        ("BODY münchen", [2]), ("BODY \"grüsse aus\"", [2]), ("BODY MEET", [1]),
        ("BODY \"café\"", [3]), ("BODY \"inner body\"", [3]), ("BODY \"subject: inner\"", [3]),
        ("BODY outer", []), ("BODY \"bold word\"", [3]), ("BODY \"<b>bold\"", [3]),
        ("BODY \"fish & chips é\"", [4]), ("BODY \"never any part\"", [5]), ("BODY iVBORw0K", []),
        ("BODY \"us.png\"", []), ("BODY \"\"", [1, 2, 3, 4, 5]),
        ("TEXT outer", [3]), ("TEXT \"us.png\"", [3]), ("TEXT münchen", [2]),
        ("TEXT \"subject: lunch\"", [1]),
        ("TEXT \"\"", [1, 2, 3, 4, 5]),
        ("SENTON 2-Nov-2026", [1]), ("SENTBEFORE 3-Nov-2026", [1]), ("SENTSINCE 1-Jan-1990", [1]),
        ("SENTSINCE 3-Nov-2026", []), ("SENTBEFORE 2-Nov-2026", []), ("SENTBEFORE 1-Jan-0001", []),
        ("LARGER 500", [3]), ("SMALLER 120", [5]), ("LARGER 9223372036854775807", []),
        ("SMALLER 0", []), ("OLDER 3600", [1, 2]), ("YOUNGER 60", [3, 4, 5]),
        ("YOUNGER 59", [4, 5]),
        ("OLDER 4294967295", []),
        ("MODSEQ 300", [3, 4, 5]), ("MODSEQ \"/flags/\\\\seen\" all 400", [4, 5]),
        ("EMAILID M3", [3]), ("THREADID T3", [3]), ("EMAILID m3", []), ("SAVEDATESUPPORTED", []),
        ("FUZZY SUBJECT lunch", [1]), ("OR SEEN DELETED", [1, 2, 3]),
        ("OR (SEEN FROM ann) (NOT SEEN BODY bold)", [1, 3]),
        ("NOT (OR FROM ann SUBJECT café)", [3, 5]), ("NOT NOT SEEN", [1, 2]),
        ("SEEN NOT FROM ann", [2]), ("FILTER mine", []),
    ]

    @Test("find what RFC 9051 says", arguments: cases)
    func finds(words: String, numbers: [UInt32]) throws {
        #expect(try found(words, in: Self.mail) == numbers)
    }

    @Test("days are those of the message's own clock")
    func dates() throws {
        let utc = MailDate(secondsSinceEpoch: Self.now)
        let day = utc.text.split(separator: " ")[1...3].joined(separator: "-")
        let next = MailDate(secondsSinceEpoch: Self.now, offsetInMinutes: 14 * 60)
        let nextDay = next.text.split(separator: " ")[1...3].joined(separator: "-")
        let isSame = day == nextDay
        #expect(try found("ON \(day)", in: Self.mail) == (isSame ? [2, 3, 4, 5] : [2, 3, 5]))
        #expect(try found("BEFORE \(day)", in: Self.mail) == [1])
        #expect(try found("SINCE \(day)", in: Self.mail) == [2, 3, 4, 5])
        #expect(
            try found(
                "SAVEDSINCE \(nextDay) NOT SAVEDON \(nextDay) NOT SAVEDON \(day)", in: Self.mail)
                == [4])
        #expect(try found("SAVEDBEFORE \(day)", in: Self.mail) == [1])
    }

    @Test("what a mailbox knows spares looking into messages")
    func laziness() throws {
        func looks(_ words: String) throws -> Int {
            let messages = SampleMessage.mailbox(["Subject: a\n\nb\n"])
            _ = try found(words, in: messages)
            return messages[0].looks.count
        }
        #expect(try looks("SEEN BODY b") == 0)
        #expect(try looks("BODY b SEEN") == 0)
        #expect(try looks("OR BODY b UNSEEN") == 0)
        #expect(try looks("NOT (BODY b SEEN)") == 0)
        #expect(try looks("BODY b SUBJECT a TEXT x") == 1)
    }

    @Test("what another server alone understands is told")
    func foreign() throws {
        let mail = surroundings([])
        #expect(
            MessageSearch(.and([.seen, .gmailRaw("x")]), in: mail).unsupported == .gmailRaw("x"))
        #expect(MessageSearch(.seen, in: mail).unsupported == nil)
        #expect(MessageSearch(.modSeq(ModSequence(1)!), in: mail).asksForModSeq)
        #expect(!MessageSearch(.seen, in: mail).asksForModSeq)
    }

    @Test(
        "all forms of a search agree with its plain evaluation", arguments: 0..<300 as Range<UInt64>
    )
    func laws(seed: UInt64) {
        var generator = SeededGenerator(seed: seed)
        let criteria: [SearchKey] = [
            .all, .seen, .flagged, .deleted, .from("ann"), .subject("café"), .body("bold"),
            .text("inner"), .larger(200), .recent, .and([]), .or([]),
        ]
        func key(_ depth: Int) -> SearchKey {
            let kind = depth == 0 ? 0 : Int.random(in: 0..<5, using: &generator)
            func keys() -> [SearchKey] {
                (0..<Int.random(in: 0...3, using: &generator)).map { _ in key(depth - 1) }
            }
            switch kind {
            case 1: return .and(keys())
            case 2: return .or(keys())
            case 3: return .not(key(depth - 1))
            case 4: return .fuzzy(key(depth - 1))
            default: return criteria.randomElement(using: &generator)!
            }
        }
        let key = key(5)
        var search = MessageSearch(key, in: surroundings(Self.mail))
        for message in Self.mail {
            let expected = key.evaluate { criterion in
                var single = MessageSearch(SearchKey(criterion), in: surroundings(Self.mail))
                return single.matches(message)
            }
            #expect(search.matches(message) == expected, "\(key)")
        }
    }

    @Test("depth is no danger, nor is a text that nearly fits everywhere")
    func hostile() {
        var key = SearchKey.body(String(repeating: "a", count: 20_000) + "b")
        for _ in 0..<200 {
            key = .not(.and([key, .or([.seen, key.criteria.contains(.seen) ? .all : .seen])]))
        }
        let message = SampleMessage(1, "\n" + String(repeating: "a", count: 200_000))
        var search = MessageSearch(key, in: surroundings([message]))
        let clock = ContinuousClock()
        #expect(clock.measure { _ = search.matches(message) } < .seconds(20))
    }

    @Test("garbage is searched without harm", arguments: 0..<100 as Range<UInt64>)
    func garbage(seed: UInt64) {
        var generator = SeededGenerator(seed: seed)
        let sample = Samples.odd.randomElement(using: &generator)!
        var message = SampleMessage(1, "")
        message.octets = Samples.damaged(Samples.octets(sample), by: &generator)
        for key: SearchKey in [
            .text("zz zz"), .from("zz zz"), .sentBefore(CalendarDate(year: 1, month: 1, day: 1)!),
        ] {
            var search = MessageSearch(key, in: surroundings([message]))
            let isFound = search.matches(message)
            #expect(!isFound)
        }
    }
}

@Suite("Folded texts")
struct FoldedTextTests {
    static let alikeCases: [(String, String)] = [
        ("straße", "STRASSE"), ("ΣΊΣΥΦΟΣ", "σίσυφος"), ("ǅ", "ǆ"), ("ſ", "s"), ("K", "k"),
        ("é", "e\u{301}"), ("Å", "A\u{30A}"), ("ﬁn", "FIN"), ("ｆｕｌｌ", "Full"),
        ("각", "\u{1100}\u{1161}\u{11A8}"),
        ("ẞ", "ss"), ("q\u{323}\u{307}", "Q\u{307}\u{323}"), ("ПРИВЕТ", "привет"),
        ("İ", "i\u{307}"),
        ("が", "か\u{3099}"),
    ]

    @Test("are alike however case and accents are written", arguments: alikeCases)
    func alike(left: String, right: String) { #expect(FoldedText(left) == FoldedText(right)) }

    static let differentCases: [(String, String)] = [
        ("cafe", "café"), ("a", "b"), ("東京", "京都"), ("ı́", "i"), ("", " "),
    ]

    @Test("differ where letters do", arguments: differentCases)
    func different(left: String, right: String) { #expect(FoldedText(left) != FoldedText(right)) }

    @Test(
        "folding twice is folding once, and every pair of halves joins",
        arguments: 0..<100 as Range<UInt64>)
    func laws(seed: UInt64) {
        var generator = SeededGenerator(seed: seed)
        let letters = Array("aZß ΣςéÅ東か゛ｆ각ﬁК\u{301}\u{323}👩‍👧1_[".unicodeScalars)
        var text = ""
        for _ in 0..<30 { text.unicodeScalars.append(letters.randomElement(using: &generator)!) }
        let folded = FoldedText(text)
        #expect(FoldedText(String(decoding: folded.octets, as: UTF8.self)) == folded)
        #expect(FoldedText(text.uppercased()) == folded)
    }

    @Test("are ordered as RFC 5051 has it: capitals before signs behind them")
    func order() {
        #expect(FoldedText("a") < FoldedText("_"))
        #expect(FoldedText("a") < FoldedText("B"))
        #expect(FoldedText("z") < FoldedText("é"))
    }

    @Test("a text is found where the library finds it", arguments: 0..<200 as Range<UInt64>)
    func searches(seed: UInt64) {
        var generator = SeededGenerator(seed: seed)
        func text(_ count: Int) -> String {
            String((0..<count).map { _ in "ab".randomElement(using: &generator)! })
        }
        let sought = text(Int.random(in: 1...6, using: &generator))
        let whole = text(40)
        #expect(TextSearch(sought).isIn(whole) == whole.contains(sought))
    }
}
