import MartletTestSupport
import Testing

@testable import MartletIMAPCore

@Suite("Sets of message numbers")
struct MessageNumberSetTests {
    @Test(
        "are read in any order and written in the shortest form",
        arguments: [
            ("1", "1"), ("1,2,3", "1:3"), ("5:2", "2:5"), ("9,1,5:3,4", "1,3:5,9"), ("*", "*"),
            ("7:*", "7:*"), ("*:7", "7:*"), ("1,*", "1,*"), ("3:*,9:*", "3:*"), ("*,4:*", "4:*"),
            ("4294967295", "4294967295"), ("1:4294967295", "1:4294967295"), ("1,3,2", "1:3"),
            ("2:4,3:9,20", "2:9,20"), ("*:*", "*"),
        ])
    func reading(text: String, expected: String) throws {
        #expect(try #require(UIDSet(text)).description == expected)
    }

    @Test(
        "are nothing else",
        arguments: [
            "", "0", "a", "1,", ",1", "1:", ":1", "1::2", "4294967296", "99999999999999999999",
            "1 2",
            "1:2:3", "**", "-1", "+1", "1,0:3", "$",
        ])
    func malformed(text: String) { #expect(UIDSet(text) == nil) }

    @Test("behave as sets of numbers do", arguments: 0..<200 as Range<UInt64>)
    func algebra(seed: UInt64) {
        var generator = SeededGenerator(seed: seed)
        func numbers() -> Set<UInt32> {
            Set(
                (0..<Int.random(in: 0..<30, using: &generator)).map { _ in
                    UInt32.random(in: 1...40, using: &generator)
                })
        }
        let left = numbers()
        let right = numbers()
        let a = UIDSet(left.compactMap { UID($0) })
        var b = UIDSet()
        for number in right { b.insert(UID(number)!) }
        func values(_ set: UIDSet) -> Set<UInt32> { Set(set.numbers.map(\.rawValue)) }
        #expect(values(a) == left)
        #expect(values(b) == right)
        #expect(values(a.union(b)) == left.union(right))
        #expect(values(a.intersection(b)) == left.intersection(right))
        #expect(values(a.subtracting(b)) == left.subtracting(right))
        #expect(a.count == left.count)
        for number in 1...41 as ClosedRange<UInt32> {
            #expect(a.contains(UID(number)!) == left.contains(number))
        }
        let set = a.union(b)
        #expect(set.isEmpty || UIDSet(set.description) == set)
        for pair in zip(set.ranges, set.ranges.dropFirst()) {
            #expect(pair.0.upperBound + 1 < pair.1.lowerBound)
        }
        let pieces = set.pieces(atMost: 10)
        #expect(pieces.reduce(UIDSet()) { $0.union($1) } == set)
        #expect(pieces.allSatisfy { $0.description.utf8.count <= 10 })
    }

    @Test("keep their open end")
    func openEnds() throws {
        let all = UIDSet.all
        #expect(all.description == "1:*")
        #expect(all.count == nil)
        #expect(all.subtracting([UID(5)!]).description == "1:4,6:*")
        #expect(all.intersection(UIDSet(UID(3)!, through: UID(9)!)).description == "3:9")
        #expect(UIDSet(from: UID(9)!).resolved(last: UID(4)!).description == "4")
        #expect(UIDSet(from: UID(9)!).resolved(last: UID(12)!).description == "9:12")
        #expect(UIDSet.last.resolved(last: UID(4)!).description == "4")
        #expect(try #require(UIDSet("1,5:*")).pieces(atMost: 3).map(\.description) == ["1", "5:*"])
    }

    @Test("name billions of numbers without writing them out")
    func lazily() {
        let set = UIDSet(UID(2)!, through: UID(.max)!)
        #expect(set.numbers.prefix(3).map(\.rawValue) == [2, 3, 4])
        #expect(UIDSet.of("1:3,7").numbers.map(\.rawValue) == [1, 2, 3, 7])
    }

    @Test("of 100,000 scattered numbers are made in time that grows with them")
    func many() {
        let numbers = stride(from: 1, to: 200_000, by: 2).map { UID(UInt32($0))! }
        var set = UIDSet()
        for number in numbers { set.insert(number) }
        #expect(set.count == 100_000)
        #expect(UIDSet(numbers.reversed()) == set)
        #expect(set.pieces(atMost: 8000).count > 50)
        #expect(set.subtracting(set).isEmpty)
    }
}
