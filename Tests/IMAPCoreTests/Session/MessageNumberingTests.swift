import MartletTestSupport
import Testing

@testable import MartletIMAPCore

@Suite("Numbering of messages")
struct MessageNumberingTests {
    private func number(_ value: Int) -> SequenceNumber { SequenceNumber(UInt32(value))! }

    @Test("is what a plain array would be", arguments: 0..<100 as Range<UInt64>)
    func model(seed: UInt64) {
        var generator = SeededGenerator(seed: seed)
        var numbering = MessageNumbering()
        var model: [UInt32] = []
        var next: UInt32 = 1
        for _ in 0..<200 {
            switch Int.random(in: 0..<5, using: &generator) {
            case 0:
                let exists = UInt32(model.count + Int.random(in: 0..<2_000, using: &generator))
                let isSmaller = numbering.resize(to: exists)
                #expect(!isSmaller)
                model += Array(repeating: 0, count: Int(exists) - model.count)
            case 1 where !model.isEmpty:
                let index = Int.random(in: 0..<model.count, using: &generator)
                let (wasThere, uid) = numbering.remove(number(index + 1))
                #expect(wasThere && uid == UID(model.remove(at: index)))
            case 2 where !model.isEmpty:
                let index = Int.random(in: 0..<model.count, using: &generator)
                numbering.set(UID(next)!, of: number(index + 1))
                model[index] = next
                next += 1
            case 3:
                let low = UInt32.random(in: 1...(next + 1), using: &generator)
                let set = UIDSet(UID(low)!, through: UID(low + 3)!)
                let before = model.count
                model.removeAll { UID($0).map(set.contains) ?? false }
                let removed = numbering.remove(set)
                #expect(removed == before - model.count)
            default:
                let (wasThere, _) = numbering.remove(number(model.count + 1))
                #expect(!wasThere)
            }
            #expect(numbering.count == model.count)
        }
        for index in stride(from: 0, to: model.count, by: 37) {
            #expect(numbering.uid(of: number(index + 1)) == UID(model[index]))
        }
        #expect(numbering.uid(of: number(model.count + 1)) == nil)
    }

    @Test("grows when a FETCH comes before its EXISTS")
    func early() {
        var numbering = MessageNumbering()
        numbering.set(UID(7)!, of: number(5))
        #expect(numbering.count == 5 && numbering.uid(of: number(5)) == UID(7))
        let isSmaller = numbering.resize(to: 5)
        #expect(!isSmaller)
        #expect(numbering.uid(of: number(5)) == UID(7))
    }

    @Test("is void when EXISTS falls")
    func shrinking() {
        var numbering = MessageNumbering()
        numbering.resize(to: 3)
        numbering.set(UID(7)!, of: number(1))
        let isSmaller = numbering.resize(to: 2)
        #expect(isSmaller)
        #expect(numbering.count == 2 && numbering.uid(of: number(1)) == nil)
    }

    @Test("of four billion messages costs nothing")
    func huge() {
        var numbering = MessageNumbering()
        numbering.resize(to: .max)
        numbering.set(UID(7)!, of: SequenceNumber(.max)!)
        numbering.set(UID(5)!, of: number(3_000_000))
        #expect(numbering.uid(of: SequenceNumber(.max)!) == UID(7))
        #expect(numbering.uid(of: number(3_000_000)) == UID(5))
        #expect(numbering.uid(of: number(2_999_999)) == nil)
        #expect(numbering.count == Int(UInt32.max))
    }

    @Test(
        "of messages that are told one by one, before EXISTS, is as quick", .timeLimit(.minutes(1)))
    func oneByOne() {
        var numbering = MessageNumbering()
        for number in 1...100_000 as ClosedRange<UInt32> {
            numbering.set(UID(number * 2)!, of: SequenceNumber(number)!)
        }
        #expect(numbering.count == 100_000)
        #expect(numbering.uid(of: SequenceNumber(77_777)!) == UID(155_554))
    }

    @Test("has a limit for messages here and there in billions", .timeLimit(.minutes(1)))
    func hereAndThere() {
        var numbering = MessageNumbering()
        numbering.resize(to: .max)
        for index in 0..<20_000 as Range<UInt32> {
            numbering.set(UID(index + 1)!, of: SequenceNumber(index * 200_000 + 1)!)
        }
        #expect(numbering.uid(of: SequenceNumber(200_001)!) == UID(2))
        #expect(numbering.uid(of: SequenceNumber(19_999 * 200_000 + 1)!) == nil)
        #expect(numbering.count == Int(UInt32.max))
    }

    @Test("of a million messages loses 100,000 from its front and middle in little time")
    func many() {
        var numbering = MessageNumbering()
        numbering.resize(to: 1_000_000)
        for index in 0..<100_000 { numbering.remove(number(index % 2 == 0 ? 1 : 500_000)) }
        #expect(numbering.count == 900_000)
    }
}
