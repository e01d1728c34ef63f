import MartletTestSupport
import Testing

@testable import MartletIMAPCore

@Suite("Answers to searches")
struct SearchCollectorTests {
    private let wide = SearchReturn([.min, .max, .all, .count])

    @Test(
        "are the same, whichever kind they are of",
        arguments: [
            ["* SEARCH 9 2 3 2"], ["* SEARCH 9", "* SEARCH 2 3"],
            ["* ESEARCH (TAG \"A1\") UID MIN 2 MAX 9 ALL 2:3,9 COUNT 3"],
            ["* ESEARCH (TAG \"A1\") UID ALL 9,2:3"], ["* ESEARCH UID ALL 2:3,9 MIN 2"],
            ["* ESEARCH (TAG \"A1\") ALL 2:3,9"],
            ["* ESEARCH (TAG \"A1\") UID MIN 2 MAX 9", "* ESEARCH (TAG \"A1\") UID ALL 2,3,9"],
        ])
    func kinds(lines: [String]) throws {
        let search = IMAP.Search<UID>(.unseen, returning: wide)
        let (result, unclaimed) = try Wire.output(search, lines + ["A1 OK done"])
        #expect(result.numbers?.description == "2:3,9" && unclaimed == 0)
        #expect(result.minimum == UID(2) && result.maximum == UID(9) && result.count == 3)
        #expect(result.tag == "A1" && !result.isSaved)
    }

    @Test(
        "that find nothing are empty",
        arguments: [["* SEARCH"], [], ["* ESEARCH (TAG \"A1\") UID COUNT 0"], ["* ESEARCH UID"]])
    func nothing(lines: [String]) throws {
        let search = IMAP.Search<UID>(.unseen, returning: wide)
        let result = try Wire.output(search, lines + ["A1 OK done"]).output
        #expect(result.numbers == UIDSet() && result.count == 0)
        #expect(result.minimum == nil && result.maximum == nil)
    }

    @Test("tell what was asked for, and no more")
    func asked() throws {
        let count = IMAP.Search<UID>(.unseen, returning: .count)
        let lines = ["* ESEARCH (TAG \"A1\") UID COUNT 17", "A1 OK"]
        let result = try Wire.output(count, lines).output
        #expect(result.count == 17 && result.numbers == nil && result.minimum == nil)
        let saved = IMAP.Search<UID>(.unseen, returning: SearchReturn(.save))
        #expect(try Wire.output(saved, ["A1 OK done"]).output.isSaved)
        #expect(try !Wire.output(saved, ["A1 OK [NOTSAVED] done"]).output.isSaved)
    }

    @Test("leave to others what is not theirs")
    func others() throws {
        let search = IMAP.Search<UID>(.unseen)
        let (result, unclaimed) = try Wire.output(
            search,
            [
                "* ESEARCH (TAG \"A0\") UID ALL 1", "* ESEARCH ALL 1", "* SORT 4 5",
                "* ESEARCH (TAG \"A1\") UID ADDTO (0 3)",
                "* ESEARCH (TAG \"A1\" MAILBOX a UIDVALIDITY 1) UID ALL 3",
                "* 4 EXISTS", "* ESEARCH (TAG \"A1\") UID ALL 7", "A1 OK",
            ])
        #expect(result.numbers?.description == "7" && unclaimed == 6)
    }

    @Test("have parts, relevancies and mod-sequences")
    func extras() throws {
        let search = IMAP.Search<UID>(
            .unseen, returning: SearchReturn(partial: try .last(2)))
        let result = try Wire.output(
            search,
            ["* ESEARCH (TAG \"A1\") UID PARTIAL (-1:-2 8:9) MODSEQ 77", "A1 OK"]
        ).output
        #expect(result.partial?.numbers?.uids.description == "8:9" && result.numbers == nil)
        #expect(result.modSeq == ModSequence(77))
        let fuzzy = IMAP.Search<UID>(
            .fuzzy(.text("a")), returning: SearchReturn([.relevancy, .all]))
        let relevancies = try Wire.output(
            fuzzy, ["* ESEARCH (TAG \"A1\") UID ALL 1,5 RELEVANCY (4 99)", "A1 OK"]
        ).output.relevancies
        #expect(relevancies == [4, 99])
        let old = try Wire.output(
            IMAP.Search<SequenceNumber>(.modSeq(ModSequence(1)!)),
            ["* SEARCH 2 5 (MODSEQ 917)", "A1 OK"]
        ).output
        #expect(old.modSeq == ModSequence(917) && old.numbers?.description == "2,5")
    }

    @Test(
        "to SORT keep their order",
        arguments: [
            ["* SORT 9 2 3"], ["* SORT 9", "* SORT 2 3"],
            ["* ESEARCH (TAG \"A1\") UID ALL 9,2:3 COUNT 3"],
        ])
    func sorted(lines: [String]) throws {
        let sort = IMAP.Sort<UID>(by: [.init(.date)], returning: wide)
        let (result, unclaimed) = try Wire.output(sort, lines + ["* SEARCH 1", "A1 OK"])
        #expect(result.numbers.map(\.rawValue) == [9, 2, 3] && unclaimed == 1)
        #expect(result.minimum == UID(9) && result.maximum == UID(3) && result.count == 3)
    }

    @Test("that name billions in a few octets stay small")
    func huge() throws {
        let sort = IMAP.Sort<UID>(by: [.init(.date)])
        let result = try Wire.output(
            sort, ["* ESEARCH (TAG \"A1\") UID ALL 1:4294967295,1:4294967295", "A1 OK"]
        ).output
        #expect(result.count == 2 * UInt64(UInt32.max))
        #expect(result.numbers.prefix(3).map(\.rawValue) == [1, 2, 3])
        let search = try Wire.output(
            IMAP.Search<UID>(.all), ["* ESEARCH UID ALL 4294967295:1,7", "A1 OK"]
        ).output
        #expect(search.count == UInt64(UInt32.max))
    }

    @Test("of a million scattered numbers are gathered in time that grows with them")
    func million() throws {
        var collector = IMAP.Search<UID>(.all).makeCollector()
        let numbers = stride(from: UInt32(2_000_000), to: 0, by: -2).map { $0 }
        _ = collector.receive(.search(SearchResponse(numbers: numbers)))
        #expect(try collector.finish(ResponseText("")).count == 1_000_000)
    }

    @Test("to THREAD are nodes, also in several responses")
    func threads() throws {
        let (nodes, _) = try Wire.output(
            IMAP.Thread<UID>(.references), ["* THREAD (2)(3 6)", "* THREAD (7 9)", "A1 OK"])
        #expect(nodes.map(\.number) == [2, 3, 6, 7, 9])
        #expect(nodes.map(\.parent) == [nil, nil, 1, nil, 3])
    }

    @Test("of several mailboxes are told apart")
    func multiSearch() throws {
        let search = IMAP.MultiSearch(in: [.personal], .unseen)
        let (found, unclaimed) = try Wire.output(
            search,
            [
                "* ESEARCH (TAG \"A1\" MAILBOX \"folder 1\" UIDVALIDITY 1) UID ALL 4001,4003",
                "* ESEARCH (TAG \"A1\" MAILBOX INBOX UIDVALIDITY 7) UID COUNT 3 MIN 1 MAX 9",
                "* ESEARCH (TAG \"A9\" MAILBOX x UIDVALIDITY 7) UID COUNT 3", "* SEARCH 1", "A1 OK",
            ])
        #expect(found.map(\.mailbox?.text) == ["folder 1", "INBOX"] && unclaimed == 2)
        #expect(found[0].uids?.description == "4001,4003" && found[1].count == 3)
        #expect(found[1].uidValidity == UIDValidity(7) && found[1].maximum == UID(9))
    }

    @Test("reach the search whose tag they name")
    func pipelined() throws {
        var talk = Talk.selected("IMAP4rev1 ESEARCH")
        talk.submit(IMAP.Search<UID>(.seen))
        talk.submit(IMAP.Search<UID>(.unseen))
        talk.server("* ESEARCH (TAG \"M3\") UID ALL 5", "* ESEARCH (TAG \"M2\") UID ALL 4")
        for (index, number) in [(1, "4"), (2, "5")] {
            var collector: IMAP.Search<UID>.Collector?
            _ = talk.session.withCollector(of: talk.ids[index], IMAP.Search<UID>.Collector.self) {
                collector = $0
            }
            let result = try #require(collector).finish(ResponseText(""))
            #expect(result.numbers?.description == number)
        }
    }
}
