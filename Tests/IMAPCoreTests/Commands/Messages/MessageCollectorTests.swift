import MartletTestSupport
import Testing

@testable import MartletIMAPCore

@Suite("Answers about messages")
struct MessageCollectorTests {
    @Test("to STORE are flags and what was left as it was")
    func store() throws {
        let store = IMAP.Store(
            UIDSet.of("5,7,9"), .add([.seen]), unchangedSince: ModSequence(3))
        let (result, unclaimed) = try Wire.output(
            store,
            [
                "* 1 FETCH (UID 5 FLAGS (\\Seen) MODSEQ (4))", "* 2 FETCH (UID 6 FLAGS ())",
                "* 1 FETCH (UID 5 RFC822.SIZE 4)", "A1 OK [MODIFIED 7,9] some",
            ])
        #expect(result.rows.map(\.uid) == [UID(5)] && unclaimed == 2)
        #expect(result.modified.description == "7,9")
        let labels = IMAP.Store(SequenceSet.of("1"), .labels(.add, [try .init("a")]))
        let told = try Wire.output(
            labels, ["* 1 FETCH (FLAGS ())", "* 1 FETCH (X-GM-LABELS (a))", "A1 OK"])
        #expect(told.output.rows.count == 1 && told.unclaimed == 1)
    }

    @Test("to COPY and MOVE are the UIDs of the copies")
    func copy() throws {
        let copied = try Wire.output(
            IMAP.Copy(UIDSet.of("304,319:320"), to: .inbox),
            ["A1 OK [COPYUID 38505 304,319:320 3956:3958] done"])
        let map = try #require(copied.output.uids)
        #expect(copied.output.uidValidity == UIDValidity(38_505) && map.count == 3)
        #expect(map[UID(304)!] == UID(3_956) && map[UID(320)!] == UID(3_958))
        #expect(map[UID(305)!] == nil && map[UID(1)!] == nil && map[UID(999)!] == nil)
        let moved = try Wire.output(
            IMAP.Move(UIDSet.of("42:44"), to: .inbox),
            [
                "* OK [COPYUID 4 42:43 1202:1203] some", "* OK [COPYUID 4 44 1210] more",
                "* 22 EXPUNGE", "* VANISHED 43", "* OK still here", "A1 OK done",
            ])
        #expect(
            moved.output.uids?.pairs.map { "\($0.0)>\($0.1)" } == ["42>1202", "43>1203", "44>1210"])
        #expect(moved.unclaimed == 3)
    }

    @Test(
        "to COPY that cannot be are not believed",
        arguments: [
            "", "[COPYUID 1 1:3 1:2]", "[COPYUID 1 1:4294967295 1:4]", "[COPYUID 1 1,1 2:3]",
            "[COPYUID 1 1:3,2 5:8]", "[COPYUID 1 1:2 5,5]", "[COPYUID 1 0 5]", "[COPYUID]",
        ])
    func absurd(code: String) throws {
        let result = try Wire.output(
            IMAP.Copy(UIDSet.of("1:3"), to: .inbox), ["A1 OK \(code) done"])
        #expect(result.output.uids == nil && result.output.uidValidity == nil)
        let mixed = try Wire.output(
            IMAP.Move(UIDSet.of("1:2"), to: .inbox),
            ["* OK [COPYUID 1 1 1] a", "* OK [COPYUID 2 2 2] b", "A1 OK"])
        #expect(mixed.output.uids == nil)
    }

    @Test("map billions of UIDs in a few octets")
    func hugeMap() throws {
        let all = MessageNumberList(runs: [.init(1, through: .max)])
        let reversed = MessageNumberList(runs: [.init(.max, through: 1)])
        let same = try #require(UIDMap(from: all, to: all))
        #expect(same.count == Int(UInt32.max) && same[UID(77)!] == UID(77))
        let turned = try #require(UIDMap(from: all, to: reversed))
        #expect(turned[UID(1)!] == UID(.max) && turned[UID(.max)!] == UID(1))
        #expect(try #require(UIDMap(from: reversed, to: all))[UID(.max)!] == UID(1))
        #expect(turned.pairs.prefix(2).map(\.destination.rawValue) == [.max, .max - 1])
        #expect(turned.sources.description == "1:4294967295")
        #expect(turned.destinations.description == "1:4294967295")
    }

    @Test("map UIDs as writing them out would", arguments: 0..<200 as Range<UInt64>)
    func mapLaw(seed: UInt64) throws {
        var generator = SeededGenerator(seed: seed)
        func list(_ count: Int) -> MessageNumberList {
            var runs: [MessageNumberList.Run] = []
            var left = count
            var number = UInt32(1)
            while left > 0 {
                let length = UInt32(Int.random(in: 1...left, using: &generator))
                number += UInt32.random(in: 1...3, using: &generator)
                let last = number + length - 1
                runs.append(
                    Bool.random(using: &generator)
                        ? .init(number, through: last) : .init(last, through: number))
                number = last + 1
                left -= Int(length)
            }
            return MessageNumberList(runs: runs.shuffled(using: &generator))
        }
        let count = Int.random(in: 0..<20, using: &generator)
        let (source, destination) = (list(count), list(count))
        let map = try #require(UIDMap(from: source, to: destination))
        let pairs = Dictionary(
            uniqueKeysWithValues: zip(Array(source.numbers), Array(destination.numbers)))
        #expect(
            Dictionary(uniqueKeysWithValues: map.pairs.map { ($0.rawValue, $1.rawValue) }) == pairs)
        for (uid, copy) in pairs { #expect(map[UID(uid)!]?.rawValue == copy) }
        #expect(map.count == count && map.sources == source.uids)
        #expect(map.destinations == destination.uids)
    }

    @Test("to EXPUNGE are noted and left to the session")
    func expunge() throws {
        let (result, unclaimed) = try Wire.output(
            IMAP.Expunge(),
            ["* 3 EXPUNGE", "* 3 EXPUNGE", "* VANISHED 7,9", "A1 OK [HIGHESTMODSEQ 20] done"])
        #expect(result.numbers.map(\.rawValue) == [3, 3] && unclaimed == 3)
        #expect(result.vanished.description == "7,9")
        #expect(result.highestModSeq == ModSequence(20))
        var talk = Talk.selected()
        talk.submit(IMAP.Expunge())
        talk.server("* 2 EXPUNGE", "M2 OK")
        #expect(talk.events.first == "expunged 2 ?")
        #expect(talk.session.mailbox?.messageCount == 2)
    }

    @Test(
        "to APPEND are UIDs, as many as messages",
        arguments: [
            ("[APPENDUID 7 5:6]", [5, 6]), ("[APPENDUID 7 6,5]", [6, 5]), ("[APPENDUID 7 5]", []),
            ("[APPENDUID 7 1:4294967295]", []), ("", []), ("[APPENDUID 7]", []),
        ] as [(String, [UInt32])])
    func append(code: String, uids: [UInt32]) throws {
        let messages = [MessageCommandTests.message, MessageCommandTests.message]
        let result = try Wire.output(
            IMAP.Append(messages, to: .inbox), ["A1 OK \(code) done"])
        #expect(result.output.uids.map(\.rawValue) == uids)
        #expect((result.output.uidValidity == nil) == uids.isEmpty)
    }

    @Test("to REPLACE come before its end")
    func replace() throws {
        let replace = IMAP.Replace(UID(4)!, with: MessageCommandTests.message, in: .inbox)
        let result = try Wire.output(
            replace, ["* OK [APPENDUID 1 2000] r", "* 5 EXISTS", "* 4 EXPUNGE", "A1 OK done"])
        #expect(result.output.uids == [UID(2_000)!] && result.unclaimed == 2)
    }
}
