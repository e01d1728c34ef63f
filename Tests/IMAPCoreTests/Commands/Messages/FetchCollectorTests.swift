import MartletBytes
import MartletTestSupport
import Testing

@testable import MartletIMAPCore

@Suite("Answers to FETCH")
struct FetchCollectorTests {
    private func numbers(_ rows: [FetchResponse]) -> [UInt32] {
        rows.map { $0.uid?.rawValue ?? $0.number?.rawValue ?? 0 }
    }

    @Test("are told from what servers say unasked")
    func claims() throws {
        let fetch = IMAP.Fetch(UIDSet.of("5:7"), [.flags, .size])
        let (result, unclaimed) = try Wire.output(
            fetch,
            [
                "* 1 FETCH (UID 5 FLAGS () RFC822.SIZE 10)",
                "* 9 FETCH (UID 9 FLAGS ())",  // of another message
                "* 2 FETCH (UID 6 MODSEQ (3))",  // not what was asked for
                "* 2 FETCH (UID 6 FLAGS (\\Seen) RFC822.SIZE 20)",
                "* 4 FETCH (FLAGS ())",  // of nobody knows which message
                "* 4 EXISTS", "* VANISHED (EARLIER) 7", "A1 OK [MESSAGELIMIT 1000 3] done",
            ])
        #expect(numbers(result.rows) == [5, 6] && unclaimed == 5)
        #expect(result.missing?.description == "7")
        #expect(result.code == .messageLimit(.init(limit: 1_000, lowestUID: UID(3))))
    }

    @Test("may lack the UID, if nobody tells such things unasked")
    func withoutUID() throws {
        let fetch = IMAP.Fetch(UIDSet.of("5"), [.envelope, .flags])
        let (result, unclaimed) = try Wire.output(
            fetch,
            [
                "* 3 FETCH (FLAGS ())",
                "* 3 FETCH (ENVELOPE (NIL NIL NIL NIL NIL NIL NIL NIL NIL NIL))", "A1 OK",
            ])
        #expect(result.rows.map(\.number) == [SequenceNumber(3)] && unclaimed == 1)
    }

    @Test("that are not there are told: OK without a row, and rows that were left out")
    func missing() throws {
        let fetch = IMAP.Fetch(SequenceSet.of("1:100"), [.uid])
        #expect(try Wire.output(fetch, ["A1 OK"]).output.missing?.description == "1:100")
        let rows = (1...100).filter { ![3, 50, 99].contains($0) }.map {
            "* \($0) FETCH (UID \($0))"
        }
        #expect(try Wire.output(fetch, rows + ["A1 OK"]).output.missing?.description == "3,50,99")
        for open in [
            IMAP.Fetch(UIDSet.all, [.uid]), IMAP.Fetch(UIDSet.last, [.uid]),
            IMAP.Fetch(MessageSelection<UID>.searchResult, [.uid]),
            IMAP.Fetch(UIDSet.of("1:4"), [.uid], changedSince: ModSequence(1)),
            IMAP.Fetch(UIDSet.of("1:4"), [.uid], partial: try .first(2)),
        ] {
            #expect(try Wire.output(open, ["A1 OK"]).output.missing == nil)
        }
    }

    @Test("to an open end may be of a lower number")
    func openEnd() throws {
        let lines = ["* 4 FETCH (UID 40 FLAGS ())", "* 4 FETCH (UID 40 RFC822.SIZE 1)", "A1 OK"]
        // Flags are told unasked, too; a size is not.
        let from = try Wire.output(IMAP.Fetch(UIDSet(from: UID(50)!), [.flags, .size]), lines)
        #expect(from.output.rows.count == 1 && from.unclaimed == 1)
        let last = try Wire.output(IMAP.Fetch(UIDSet.last, [.flags]), lines)
        #expect(last.output.rows.count == 1)
    }

    @Test("in several rows are put together")
    func joined() throws {
        let fetch = IMAP.Fetch(UIDSet.of("1:3"), [.flags, .size])
        let (result, _) = try Wire.output(
            fetch,
            [
                "* 1 FETCH (UID 1 FLAGS ())", "* 2 FETCH (UID 2 RFC822.SIZE 7)",
                "* 1 FETCH (UID 1 RFC822.SIZE 5 FLAGS (\\Seen))", "A1 OK",
            ])
        #expect(numbers(result.rows) == [1, 2])
        #expect(result.rows[0].flags == [.seen] && result.rows[0].sizeInOctets == 5)
        #expect(result.rows[0].items.count == 3)
    }

    @Test("that are damaged are answers all the same")
    func damaged() throws {
        let fetch = IMAP.Fetch(UIDSet.of("1:3"), [.envelope])
        let (result, _) = try Wire.output(
            fetch,
            ["* 1 FETCH (UID 1 ENVELOPE (NIL NIL)) ", "* 2 FETCH (UID 2 ENVELOPE", "A1 OK"])
        #expect(result.rows.count + result.damaged.count == 2)
        #expect(result.missing?.description == "3")
    }

    @Test("name what vanished, where that was asked for")
    func vanished() throws {
        let lines = ["* VANISHED (EARLIER) 2:3", "* VANISHED 9", "A1 OK"]
        let fetch = IMAP.Fetch(
            UIDSet.of("1:3"), [.flags], changedSince: ModSequence(4), vanished: true)
        let (result, unclaimed) = try Wire.output(fetch, lines)
        #expect(result.vanished.description == "2:3" && unclaimed == 1)
    }

    @Test(
        "belong to what was asked for, however it is written",
        arguments: [
            (
                "BODY[HEADER.FIELDS (SUBJECT)] {2}|ab", FetchAttribute.headerFields(["Subject"]),
                true
            ),
            ("BODY[HEADER.FIELDS (SUBJECT)] {2}|ab", .header, false),
            ("BODY[1.MIME] \"a\"", .section(MessageSection(PartNumber([1]), .mime)), true),
            (
                "BODY[1]<5> \"a\"",
                .section(MessageSection(PartNumber([1])), range: .init(from: 5, count: 1)), true
            ),
            ("BODY[2] \"a\"", .section(MessageSection(PartNumber([1]))), false),
            ("BINARY[1] ~{1}|a", .binary(PartNumber([1])), true),
            ("BINARY.SIZE[1] 4", .binarySize(PartNumber([1])), true),
            ("BODY (\"TEXT\" \"PLAIN\" NIL NIL NIL \"7BIT\" 1 1)", .bodyStructure, true),
            ("RFC822.HEADER \"a\"", .rfc822(.header), true),
            ("RFC822 \"a\"", .rfc822(.text), false),
            ("X-FOO 3", .raw("X-FOO"), true), ("PREVIEW NIL", .preview(isLazy: true), true),
            ("X-GM-LABELS (a)", .gmailLabels, true), ("X-GM-MSGID 1", .gmailThreadID, false),
            ("EMAILID (a)", .emailID, true), ("THREADID NIL", .threadID, true),
            ("SAVEDATE NIL", .saveDate, true), ("MODSEQ (1)", .modSeq, true),
        ] as [(String, FetchAttribute, Bool)])
    func attributes(item: String, attribute: FetchAttribute, isAnswer: Bool) throws {
        let fetch = IMAP.Fetch(SequenceSet.of("1"), [attribute])
        let result = try Wire.output(fetch, ["* 1 FETCH (\(item))", "A1 OK"])
        #expect((result.unclaimed == 0) == isAnswer)
    }

    @Test("are kept up to a limit, and dropped beyond it")
    func limit() throws {
        var fetch = IMAP.Fetch(UIDSet.of("1:3"), [.message])
        fetch.memoryLimitInOctets = 1_500
        let body = String(repeating: "a", count: 1_000)
        let lines = (1...3).map { "* \($0) FETCH (UID \($0) BODY[] {1000}|\(body))" }
        #expect(try Wire.output(fetch, [lines[0], "A1 OK"]).output.rows.count == 1)
        let error = #expect(throws: IMAPError.self) { try Wire.output(fetch, lines + ["A1 OK"]) }
        guard case .tooLarge(1_500) = error?.kind else {
            Issue.record("\(String(describing: error))")
            return
        }
        #expect(error?.recovery == .fixInput)
    }

    // MARK: Large data

    private static let large = String(repeating: "0123456789", count: 100)

    private func session(_ step: Int) -> Talk {
        var limits = IMAPLimits()
        limits.detachedLiteralInOctets = 100
        var talk = Talk(IMAPSession(limits: limits))
        talk.step = step
        talk.server("* PREAUTH [CAPABILITY IMAP4rev1 BINARY METADATA URLAUTH] hello")
        talk.submit(SelectOnly(mailbox: .inbox))
        _ = talk.written()
        talk.server("* 9 EXISTS", "M1 OK")
        return talk
    }

    @Test("with large data have them, however they come", arguments: [1, 7, 64, .max] as [Int])
    func large(step: Int) throws {
        var talk = session(step)
        let fetch = IMAP.Fetch(UIDSet.of("7:9"), [.message, .binary(PartNumber([2]))])
        talk.submit(fetch)
        talk.server(
            "* 1 FETCH (UID 7 BODY[] {1000}", Self.large + " BINARY[2] ~{200}",
            String(Self.large.prefix(200)) + ")",
            // The UID may come last; and what nobody asked for is not kept.
            "* 2 FETCH (BODY[] {1000}", Self.large + " UID 8)",
            "* 3 FETCH (UID 9 BODY[TEXT] {1000}", Self.large + " BODY[] \"s\")",
            "* 3 FETCH (UID 4 BODY[] {1000}", Self.large + ")")
        var collector: IMAP.Fetch<UID>.Collector?
        _ = talk.session.withCollector(of: talk.ids[1], IMAP.Fetch<UID>.Collector.self) {
            collector = $0
        }
        let result = try #require(collector).finish(ResponseText(""))
        #expect(numbers(result.rows) == [7, 8, 9])
        #expect(
            result.rows[0].data(of: .message)?.octets.map { Array($0) } == Array(Self.large.utf8))
        guard case .binary(_, _, .octets(let octets)) = result.rows[0].items[2] else {
            Issue.record("\(result.rows[0].items)")
            return
        }
        #expect(octets.count == 200)
        #expect(result.rows[1].data(of: .message)?.octets?.count == 1_000)
        #expect(result.rows[2].data(of: .message)?.octets?.count == 1)
        #expect(result.rows[2].data(of: .text)?.octets == nil)
    }

    @Test("with larger data than allowed are an error, without keeping them")
    func tooLarge() throws {
        var talk = session(.max)
        var fetch = IMAP.Fetch(UIDSet.of("7"), [.message])
        fetch.memoryLimitInOctets = 999
        talk.submit(fetch)
        talk.server("* 1 FETCH (UID 7 BODY[] {1000}", Self.large + ")")
        var collector: IMAP.Fetch<UID>.Collector?
        _ = talk.session.withCollector(of: talk.ids[1], IMAP.Fetch<UID>.Collector.self) {
            collector = $0
        }
        let filled = try #require(collector)
        #expect(throws: IMAPError.self) { try filled.finish(ResponseText("")) }
    }

    @Test("are handed on in their order while they come", arguments: [1, 13, .max] as [Int])
    func stream(step: Int) throws {
        var talk = session(step)
        talk.submit(IMAP.FetchStream(IMAP.Fetch(UIDSet.of("7:8"), [.message, .flags])))
        var pieces: [FetchPiece] = []
        let lines = [
            "* 1 FETCH (UID 7 FLAGS ())", "* 1 FETCH (UID 7 BODY[] {1000}", Self.large + ")",
            "* 9 FETCH (UID 99 FLAGS ())", "* 2 FETCH (UID 8 FLAGS () BODY[] \"abc\")",
        ]
        for line in lines {
            talk.server(line)
            pieces +=
                talk.session.withCollector(
                    of: talk.ids[1], IMAP.FetchStream<UID>.Collector.self
                ) { $0.takePieces() } ?? []
        }
        var data: [UInt8] = []
        let words: [String] = pieces.compactMap { piece in
            switch piece {
            case .row(let row): return "row \(row.uid!) \(row.items.count)"
            case .dataBegins(let owner, let index, let size):
                #expect(owner.item.map { FetchAttribute.message.isAnswered(by: $0) } == true)
                return "begins \(owner.uid!) \(index) \(size)"
            case .data(let octets):
                data += octets
                return nil
            case .dataEnds: return "ends"
            default: return "\(piece)"
            }
        }
        #expect(words == ["row 7 2", "begins 7 0 1000", "ends", "row 7 2", "row 8 3"])
        #expect(data == Array(Self.large.utf8))
        #expect(talk.events.last == "changed 9 99")
    }

    @Test("of two commands go to each its own")
    func twoCommands() throws {
        var talk = session(.max)
        talk.submit(IMAP.Fetch(UIDSet.of("7"), [.message]))
        talk.submit(IMAP.Fetch(UIDSet.of("8"), [.message]))
        talk.server(
            "* 2 FETCH (UID 8 BODY[] {1000}", Self.large + ")", "* 1 FETCH (UID 7 BODY[] \"a\")")
        for (index, count) in [(1, 1), (2, 1_000)] {
            var collector: IMAP.Fetch<UID>.Collector?
            _ = talk.session.withCollector(of: talk.ids[index], IMAP.Fetch<UID>.Collector.self) {
                collector = $0
            }
            let result = try #require(collector).finish(ResponseText(""))
            #expect(result.rows.count == 1 && result.missing?.isEmpty == true)
            #expect(result.rows.first?.data(of: .message)?.octets?.count == count)
        }
    }

    @Test("of 100,000 messages are told apart in time that grows with them")
    func many() throws {
        let fetch = IMAP.Fetch(UIDSet.of("1:200000"), [.flags])
        var collector = fetch.makeCollector()
        for number in stride(from: UInt32(200_000), to: 1, by: -2) {
            let row = FetchResponse(
                number: SequenceNumber(number), items: [.uid(UID(number)!), .flags([.seen])])
            _ = collector.receive(.fetch(row))
        }
        let result = try collector.finish(ResponseText(""))
        #expect(result.rows.count == 100_000 && result.missing?.count == 100_000)
    }
}
