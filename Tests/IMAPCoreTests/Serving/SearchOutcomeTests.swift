import MartletTestSupport
import Testing

@testable import MartletIMAPCore

@Suite("Answers to searches")
struct SearchOutcomeTests {
    private static func outcome(
        _ numbers: [UInt32], isUID: Bool = false, hasModSeq: Bool = false
    ) -> SearchOutcome {
        var outcome = SearchOutcome(isUID: isUID, hasModSeq: hasModSeq)
        for number in numbers {
            var message = SampleMessage(number, "")
            message.modSeq = ModSequence(1_000 - UInt64(number))!
            outcome.add(message)
        }
        return outcome
    }

    private static func wire(_ response: IMAPResponse) -> String {
        var encoder = ResponseEncoder()
        encoder.append(response)
        return String(decoding: encoder.octets.dropLast(2), as: UTF8.self)
    }

    /// What was found, `RETURN`, the answer, and what `$` is.
    static let extendedCases: [([UInt32], String, String, [UInt32]?)] = [
        ([2, 3, 4, 9], "", "ALL 2:4,9", nil),
        ([2, 3, 4, 9], "ALL", "ALL 2:4,9", nil),
        ([2, 3, 4, 9], "MIN MAX COUNT", "MIN 2 MAX 9 COUNT 4", nil),
        ([2, 3, 4, 9], "COUNT", "COUNT 4", nil),
        ([], "ALL", "", nil), ([], "MIN MAX COUNT ALL", "COUNT 0", nil),
        ([2, 3, 4, 9], "SAVE", "", [2, 3, 4, 9]),
        ([2, 3, 4, 9], "SAVE MIN", "MIN 2", [2]),
        ([2, 3, 4, 9], "SAVE MAX", "MAX 9", [9]),
        ([2, 3, 4, 9], "SAVE MIN MAX", "MIN 2 MAX 9", [2, 9]),
        ([2, 3, 4, 9], "SAVE MIN COUNT", "MIN 2 COUNT 4", [2, 3, 4, 9]),
        ([2, 3, 4, 9], "SAVE MIN ALL", "MIN 2 ALL 2:4,9", [2, 3, 4, 9]),
        ([], "SAVE MIN", "", []),
        ([2, 3, 4, 9], "PARTIAL 1:2", "PARTIAL (1:2 2:3)", nil),
        ([2, 3, 4, 9], "PARTIAL -1:-2", "PARTIAL (-1:-2 4,9)", nil),
        ([2, 3, 4, 9], "PARTIAL 3:1", "PARTIAL (3:1 2:4)", nil),
        ([2, 3, 4, 9], "PARTIAL 4:100", "PARTIAL (4:100 9)", nil),
        ([2, 3, 4, 9], "PARTIAL -3:-100", "PARTIAL (-3:-100 2:3)", nil),
        ([2, 3, 4, 9], "PARTIAL 5:6", "PARTIAL (5:6 NIL)", nil),
        ([2, 3, 4, 9], "PARTIAL -5:-4294967295", "PARTIAL (-5:-4294967295 NIL)", nil),
        ([], "PARTIAL 1:2", "PARTIAL (1:2 NIL)", nil),
        ([2, 3, 4, 9], "SAVE PARTIAL 2:3", "PARTIAL (2:3 3:4)", [3, 4]),
        ([2, 3, 4, 9], "SAVE PARTIAL 2:3 MAX", "MAX 9 PARTIAL (2:3 3:4)", [3, 4, 9]),
        ([2, 3, 4, 9], "SAVE PARTIAL 2:3 COUNT", "COUNT 4 PARTIAL (2:3 3:4)", [2, 3, 4, 9]),
    ]

    private static func returning(_ words: String) throws -> SearchReturn {
        let line = Array("t SEARCH RETURN (\(words)) ALL".utf8)
        let received = try CommandParser().parse(ResponseFrame(octets: line[...]))
        guard case .search(let search) = received.command else { return SearchReturn() }
        return search.returning
    }

    @Test(
        "hold what RETURN asks for, and keep what RFC 5182 and RFC 9394 say",
        arguments: extendedCases)
    func extended(found: [UInt32], words: String, answer: String, saved: [UInt32]?) throws {
        let outcome = Self.outcome(found)
        let returning = try Self.returning(words)
        let response = outcome.response(to: returning, tag: "t")
        let expected = "* ESEARCH (TAG \"t\")" + (answer.isEmpty ? "" : " " + answer)
        #expect(Self.wire(.extendedSearch(response)) == expected)
        let uids = saved.map { UIDSet($0.map { UID($0 * 10)! }) }
        #expect(outcome.saved(for: returning) == uids)
    }

    @Test("UIDs, in the order of a sort, where runs are not to be joined backwards")
    func sorted() {
        let outcome = Self.outcome([9, 3, 4, 5, 4], isUID: false)
        let response = outcome.response(to: SearchReturn([.min, .max, .all]), tag: "t")
        #expect(
            Self.wire(.extendedSearch(response))
                == "* ESEARCH (TAG \"t\") MIN 9 MAX 4 ALL 9,3:5,4")
        #expect(Self.wire(.search(outcome.response(.sort))) == "* SORT 9 3 4 5 4")
        let uids = Self.outcome([1, 2], isUID: true)
        #expect(Self.wire(.search(uids.response(.search))) == "* SEARCH 10 20")
        #expect(Self.wire(.search(Self.outcome([]).response(.search))) == "* SEARCH")
    }

    @Test("the highest mod-sequence is that of the messages told")
    func modSeq() throws {
        let outcome = Self.outcome([2, 3, 9], hasModSeq: true)
        #expect(outcome.response(.search).modSeq?.rawValue == 998)
        #expect(Self.outcome([], hasModSeq: true).response(.search).modSeq == nil)
        for (words, value) in [
            ("MIN", 998), ("MAX", 991), ("MIN MAX", 998), ("MAX COUNT", 998), ("ALL", 998),
            ("PARTIAL 2:2", 997), ("PARTIAL 2:2 MAX", 997),
        ] as [(String, UInt64)] {
            let response = outcome.response(to: try Self.returning(words), tag: "t")
            #expect(response.modSeq?.rawValue == value, "\(words)")
        }
    }
}
