import MartletBytes
import MartletTestSupport
import Testing

@testable import MartletMIME

@Suite("Reading dates")
struct DateReadingTests {
    @Test(
        "reads RFC 5322 §3.3 and §4.3 without a defect",
        arguments: [
            ("Tue, 1 Jul 2003 10:52:37 +0200", "Tue, 1 Jul 2003 10:52:37 +0200"),
            ("1 Jul 2003 10:52:37 +0200", "Tue, 1 Jul 2003 10:52:37 +0200"),
            ("  Tue,\r\n\t1 Jul 2003 10:52 +0200 (CEST)", "Tue, 1 Jul 2003 10:52:00 +0200"),
            ("Thu,13 Feb 1969 23:32:54 -0330", "Thu, 13 Feb 1969 23:32:54 -0330"),
            (
                "Thu (a), 13 (b (c\\))) Feb (d) 1969 23 (e) : 32 (f) : 54 (g) -0330",
                "Thu, 13 Feb 1969 23:32:54 -0330"
            ),
            ("21 Nov 97 09:55:06 GMT", "Fri, 21 Nov 1997 09:55:06 +0000"),
            ("1 Jan 49 00:00 UT", "Fri, 1 Jan 2049 00:00:00 +0000"),
            ("1 Jan 50 00:00 UT", "Sun, 1 Jan 1950 00:00:00 +0000"),
            ("1 Jan 103 00:00 UT", "Wed, 1 Jan 2003 00:00:00 +0000"),
            ("31 Dec 2016 23:59:60 +0000", "Sun, 1 Jan 2017 00:00:00 +0000"),
            ("29 Feb 2000 00:00 +0000", "Tue, 29 Feb 2000 00:00:00 +0000"),
            ("1 Jan 1900 00:00 +0000", "Mon, 1 Jan 1900 00:00:00 +0000"),
            ("1 Jan 1900 00:00 +2359", "Mon, 1 Jan 1900 00:00:00 +2359"),
            ("31 Dec 9999 23:59:59 -2359", "Fri, 31 Dec 9999 23:59:59 -2359"),
            ("2 Jan 1900 00:00 -0000", "Tue, 2 Jan 1900 00:00:00 +0000"),
            ("30 Dec 9999 23:59:59 +0000", "Thu, 30 Dec 9999 23:59:59 +0000"),
            ("1 jul 2003 10:52:37 EST", "Tue, 1 Jul 2003 10:52:37 -0500"),
            ("1 JUL 2003 10:52:37 edt", "Tue, 1 Jul 2003 10:52:37 -0400"),
            ("1 Jul 2003 10:52:37 CST", "Tue, 1 Jul 2003 10:52:37 -0600"),
            ("1 Jul 2003 10:52:37 CDT", "Tue, 1 Jul 2003 10:52:37 -0500"),
            ("1 Jul 2003 10:52:37 MST", "Tue, 1 Jul 2003 10:52:37 -0700"),
            ("1 Jul 2003 10:52:37 MDT", "Tue, 1 Jul 2003 10:52:37 -0600"),
            ("1 Jul 2003 10:52:37 PST", "Tue, 1 Jul 2003 10:52:37 -0800"),
            ("1 Jul 2003 10:52:37 PDT", "Tue, 1 Jul 2003 10:52:37 -0700"),
            ("1 Jul 2003 10:52:37 Z", "Tue, 1 Jul 2003 10:52:37 +0000"),
            ("1 Jul 2003 10:52:37 CEST", "Tue, 1 Jul 2003 10:52:37 +0200"),
            ("1 Jul 2003 10:52:37 EST5EDT", "Tue, 1 Jul 2003 10:52:37 -0500"),
            ("1 Jul 2003 10:52:37.125 -0800 PST", "Tue, 1 Jul 2003 10:52:37 -0800"),
            ("1-Jul-2003 10:52:37 -0800", "Tue, 1 Jul 2003 10:52:37 -0800"),
            ("Tuesday, 01-July-03 10:52:37 GMT", "Tue, 1 Jul 2003 10:52:37 +0000"),
            ("Mond., 1 Sept. 2003 10:52:37 GMT+0200", "Mon, 1 Sep 2003 10:52:37 +0200"),
            ("1 Jul 2003 10:52:37 +02:30", "Tue, 1 Jul 2003 10:52:37 +0230"),
            ("1 Jul 2003 10:52:37 -2", "Tue, 1 Jul 2003 10:52:37 -0200"),
            ("1 Jul 2003 10:52:37 +530", "Tue, 1 Jul 2003 10:52:37 +0530"),
        ] as [(String, String)])
    func standard(value: String, text: String) { check(value, text, nil) }

    @Test(
        "reads what else is in mail, and says what is wrong",
        arguments: [
            ("Wed, 1 Jul 2003 10:52:37 +0200", "Tue, 1 Jul 2003 10:52:37 +0200", .invalidDate),
            ("Mié, 1 Jul 2003 10:52:37 +0200", "Tue, 1 Jul 2003 10:52:37 +0200", nil),
            ("Mon, 5 Jan 2015 10:20:30", "Mon, 5 Jan 2015 10:20:30 +0000", .missingZone),
            ("5 Jan 2015 10:20:30 A", "Mon, 5 Jan 2015 10:20:30 +0000", .missingZone),
            ("5 Jan 2015 10:20:30 QQQ", "Mon, 5 Jan 2015 10:20:30 +0000", .missingZone),
            ("5 Jan 2015 10:20:30 +9999", "Mon, 5 Jan 2015 10:20:30 +0000", .dateOutOfRange),
            ("5 Jan 2015 10:20:30 +00200", "Mon, 5 Jan 2015 10:20:30 +0000", .dateOutOfRange),
            ("Fri Feb 07 10:18:12 2003 -0800", "Fri, 7 Feb 2003 10:18:12 -0800", .invalidDate),
            ("Fri Sep 14 14:36:56 EDT 2018", "Fri, 14 Sep 2018 14:36:56 -0400", .invalidDate),
            ("Tue Jul 01 10:52:37 +0200 2003", "Tue, 1 Jul 2003 10:52:37 +0200", .invalidDate),
            ("Sun Nov 13 14:50:12 2005", "Sun, 13 Nov 2005 14:50:12 +0000", .missingZone),
            ("July 1, 2003 8:44:41 PM PDT", "Tue, 1 Jul 2003 20:44:41 -0700", .invalidDate),
            (
                "Tue Jul 01 2003 10:52:37 GMT+0200 (CEST)", "Tue, 1 Jul 2003 10:52:37 +0200",
                .invalidDate
            ),
            ("Di, 6 Mai 2003 10:52:37 +0200", "Tue, 6 May 2003 10:52:37 +0200", .invalidDate),
            ("6 dic 2003 10:52:37 +0200", "Sat, 6 Dec 2003 10:52:37 +0200", .invalidDate),
            ("1 Jul 2003 10:52:37 MESZ", "Tue, 1 Jul 2003 10:52:37 +0200", nil),
            ("1 Jul 2003 10:52:37 0230", "Tue, 1 Jul 2003 10:52:37 +0230", .invalidDate),
            ("Tue Jul 01 10:52:37 2003 1299", "Tue, 1 Jul 2003 10:52:37 +0000", .missingZone),
            ("1 Jul 2003 12:00 PM +0000", "Tue, 1 Jul 2003 12:00:00 +0000", nil),
            ("1 Jul 2003 12:00 AM +0000", "Tue, 1 Jul 2003 00:00:00 +0000", nil),
            ("1 Jul 2003 11:59 pm +0000", "Tue, 1 Jul 2003 23:59:00 +0000", nil),
            ("2003-07-01T10:52:37+02:00", "Tue, 1 Jul 2003 10:52:37 +0200", .invalidDate),
            ("2003-07-01T10:52:37-07:00", "Tue, 1 Jul 2003 10:52:37 -0700", .invalidDate),
            ("2003-07-01T10:52:37.5Z", "Tue, 1 Jul 2003 10:52:37 +0000", .invalidDate),
            ("2003-07-01 10:52:37 -0700", "Tue, 1 Jul 2003 10:52:37 -0700", .invalidDate),
            ("20030701T105237Z", "Tue, 1 Jul 2003 10:52:37 +0000", .invalidDate),
            ("2003/07/01 10:52 +0000", "Tue, 1 Jul 2003 10:52:00 +0000", .invalidDate),
            ("2003 Jul 1 10:52 +0000", "Tue, 1 Jul 2003 10:52:00 +0000", .invalidDate),
            ("26.03.2003 10:52 +0100", "Wed, 26 Mar 2003 10:52:00 +0100", .invalidDate),
            ("3/26/2003 8:44:41 PM", "Wed, 26 Mar 2003 20:44:41 +0000", .invalidDate),
            ("26/3/2003 20:44:41 Z", "Wed, 26 Mar 2003 20:44:41 +0000", .invalidDate),
            ("4/3/03 20:44:41 Z", "Thu, 3 Apr 2003 20:44:41 +0000", .invalidDate),
            ("1 Jul 2003 10.52.37 +0200", "Tue, 1 Jul 2003 10:52:37 +0200", nil),
            ("10:52:37 1-Jul-2003 +0200", "Tue, 1 Jul 2003 10:52:37 +0200", nil),
            ("1 Jul 2003", "Tue, 1 Jul 2003 00:00:00 +0000", .invalidDate),
            ("2003-07-01", "Tue, 1 Jul 2003 00:00:00 +0000", .invalidDate),
            ("31 Dec 9999 23:59:60 +0000", nil, .dateOutOfRange),
            ("31 Dec 9999 24:00 +0000", nil, .dateOutOfRange),
            (
                "=?utf-8?q?Wed?=, 1 Jan 2020 10:00:00 Z", "Wed, 1 Jan 2020 10:00:00 +0000",
                .invalidDate
            ),
            (
                "=?utf-8?q?Wed,_1_Jan_2020_10:00:00_Z?=", "Wed, 1 Jan 2020 10:00:00 +0000",
                .invalidDate
            ),
            ("31 Dec 2003 24:00 +0000", "Thu, 1 Jan 2004 00:00:00 +0000", .dateOutOfRange),
            (
                "by a 1:2:b id 12;\r\n Tue, 1 Jul 2003 10:52:37 +0200",
                "Tue, 1 Jul 2003 10:52:37 +0200", .invalidDate
            ),
            ("1 Jul 2003 10:52:37 +0200 (open", "Tue, 1 Jul 2003 10:52:37 +0200", nil),
            ("1 Jul 2003 10:52:37 (open +0200", "Tue, 1 Jul 2003 10:52:37 +0000", .unclosedComment),
            ("1 Jul 2003 10:52:37 +0200; 2 Jul 2004", "Tue, 1 Jul 2003 10:52:37 +0200", nil),
        ] as [(String, String?, Defect.Kind?)])
    func tolerant(value: String, text: String?, defect: Defect.Kind?) {
        check(value, text, defect)
    }

    @Test(
        "gives no date where there is none, and none that is out of range",
        arguments: [
            ("", nil, .invalidDate), (" \r\n ", nil, .invalidDate), ("now", nil, .invalidDate),
            ("(1 Jul 2003 10:52:37 +0200)", nil, .invalidDate),
            ("some numbers 0 1 2 but invalid", nil, .invalidDate),
            ("14:47:44 +0000", nil, .invalidDate), ("Jul 2003", nil, .invalidDate),
            ("13 zzz 2021 09:55:06 +0200", nil, .invalidDate),
            ("Tue, 7 Sepp 2026 19:14:51 +0000", nil, .invalidDate),
            ("Tue, 7 00 2026 19:14:51 +0000", nil, .dateOutOfRange),
            ("Wed, 7 Nov 2007 30:00:45 +0700", nil, .dateOutOfRange),
            ("7 Nov 2007 24:00:01 +0700", nil, .dateOutOfRange),
            ("7 Nov 2007 10:60 +0700", nil, .dateOutOfRange),
            ("7 Nov 2007 10:00:61 +0700", nil, .dateOutOfRange),
            ("7 Nov 2007 10:000 +0700", nil, .dateOutOfRange),
            ("0 Nov 2007 10:00 +0700", nil, .dateOutOfRange),
            ("31 Nov 2007 10:00 +0700", nil, .dateOutOfRange),
            ("29 Feb 1900 10:00 +0700", nil, .dateOutOfRange),
            ("1 Jan 1899 10:00 +0700", nil, .dateOutOfRange),
            ("1 Jan 10000 10:00 +0700", nil, .dateOutOfRange),
            ("1 Jan 99999999999999999999999 10:00 +0700", nil, .dateOutOfRange),
            ("99999999999999999999999 Jan 2003 10:00 +0700", nil, .dateOutOfRange),
            ("2003-13-01", nil, .dateOutOfRange), ("20031301T000000Z", nil, .dateOutOfRange),
        ] as [(String, String?, Defect.Kind?)])
    func none(value: String, text: String?, defect: Defect.Kind?) {
        check(value, text, defect)
    }

    @Test("octets that are no text are passed over")
    func raw() {
        let comment = Array("1 Oct 2015 14:40:57 +0200 (Mitteleurop".utf8) + [0xE4, 0x29]
        #expect(MailDate.parse(comment).value?.secondsSinceEpoch == 1_443_703_257)
        let name = [0xC4, 0x2C] + Array(" 1 Oct 2015 14:40:57 +0200\u{0}".utf8)
        #expect(MailDate.parse(name[...]).value?.secondsSinceEpoch == 1_443_703_257)
    }

    @Test("reads what it writes", arguments: UInt64(0)..<500)
    func law(seed: UInt64) {
        var random = SeededGenerator(seed: seed)
        let date = MailDate(
            secondsSinceEpoch: .random(in: -2_208_800_000...253_402_128_000, using: &random),
            offsetInMinutes: .random(in: MailDate.offsetRange, using: &random))
        #expect(MailDate.parse(date.text) == Parsed<MailDate?>(date))
    }

    @Test("any octets give a date in range or none", arguments: UInt64(0)..<500)
    func garbage(seed: UInt64) {
        var random = SeededGenerator(seed: seed)
        let pieces = [
            "1", "31", "2003", "99", "Jul", "Feb ", "Mon,", " ", ":", "10:52", ":37", "+", "-", "T",
            "0200", "GMT", "PM", "(", ")", "\\", ";", ".", "/", "20030701T", "\u{0}", "é",
            "123456789012",
        ]
        let text = (0..<Int.random(in: 0...14, using: &random))
            .map { _ in pieces.randomElement(using: &random)! }.joined()
        let parsed = MailDate.parse(text)
        if let date = parsed.value {
            #expect(MailDate.parse(date.text).value == date)
        } else {
            #expect(!parsed.defects.isEmpty)
        }
        #expect(parsed.defects.allSatisfy { (0...text.utf8.count).contains($0.offset) })
    }

    @Test(
        "takes linear time for hostile input",
        arguments: ["(", "1 ", "1 (x) ", "1:", "Jul ", "+", "; ", "()", "1(", "9"])
    func hostile(piece: String) {
        // Quadratic time would take minutes.
        _ = MailDate.parse(String(repeating: piece, count: 500_000 / piece.utf8.count))
    }

    private func check(_ value: String, _ text: String?, _ defect: Defect.Kind?) {
        let parsed = MailDate.parse(value)
        #expect(parsed.value?.text == text)
        if let defect {
            #expect(parsed.defects.contains { $0.kind == defect })
        } else {
            #expect(parsed.defects.isEmpty)
        }
    }
}

@Suite(
    "Dates of another parser's tests",
    .corpus("mail-parser/date.json"))
struct DateCorpusTests {
    /// Values that ours reads otherwise, by their number, and why.
    static let differences = [
        12: "RFC 5322 §3.3: a time of day has a colon; six bare numbers are no date",
        14:
            "the field ends with its line; its day is known and kept, as midnight with a defect",
    ]

    @Test("are read alike, but for explained differences")
    func comparison() throws {
        var found: Set<Int> = []
        let samples = try MailParserCorpus.cases("date", of: MailParserCorpus.Date.self)
        for (number, sample) in samples.enumerated()
        where MailDate.parse(sample.value).value != sample.expected?.mailDate {
            found.insert(number)
        }
        #expect(found == Set(Self.differences.keys))
    }
}

extension MailParserCorpus.Date {
    /// The same date; `nil` if a number is out of range.
    var mailDate: MailDate? {
        let zone = (isWestOfGMT ? -1 : 1) * (zoneHour * 60 + zoneMinute)
        guard (1...12).contains(month), (1...31).contains(day), hour < 24, minute < 60, second < 61
        else {
            return nil
        }
        let days = MailDate.daysSinceEpoch(year: year, month: month, day: day)
        return MailDate(
            secondsSinceEpoch: Int64(days * 86_400 + hour * 3_600 + (minute - zone) * 60 + second),
            offsetInMinutes: zone)
    }
}
