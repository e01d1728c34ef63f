import MartletTestSupport
import Testing

@testable import MartletBytes

@Suite("Scanning")
struct ScanningTests {
    @Test("finds the first of an octet in a range, and nothing outside of it")
    func ranges() {
        let octets = Array("ab\ncd\nef".utf8)
        octets.withUnsafeBytes { octets in
            #expect(octets.firstOffset(of: ASCII.lf) == 2)
            #expect(octets.firstOffset(of: ASCII.lf, from: 2) == 2)
            #expect(octets.firstOffset(of: ASCII.lf, from: 3) == 5)
            #expect(octets.firstOffset(of: ASCII.lf, from: 6) == nil)
            #expect(octets.firstOffset(of: ASCII.lf, from: 8) == nil)
            #expect(octets.firstOffset(of: ASCII.lf, in: 3..<5) == nil)
            #expect(octets.firstOffset(of: ASCII.lf, in: 5..<6) == 5)
        }
        #expect(UnsafeRawBufferPointer(start: nil, count: 0).firstOffset(of: 0) == nil)
    }

    @Test("finds what a simple search finds", arguments: UInt64(0)..<50)
    func law(seed: UInt64) {
        var random = SeededGenerator(seed: seed)
        let octets = randomOctets(0...300, &random).map { $0 & 0x8F }
        let start = Int.random(in: 0...octets.count, using: &random)
        let octet = UInt8.random(in: 0...255, using: &random) & 0x8F
        let found = octets.withUnsafeBytes { $0.firstOffset(of: octet, from: start) }
        #expect(found == octets[start...].firstIndex(of: octet))
    }

    @Test("finds the first of two octets side by side", arguments: UInt64(0)..<200)
    func pairs(seed: UInt64) {
        var random = SeededGenerator(seed: seed)
        let octets = randomOctets(0...300, &random).map { $0 & 0x87 }
        let start = Int.random(in: 0...octets.count, using: &random)
        let (first, second) = (octets.randomElement(using: &random) ?? 0, UInt8(seed & 7))
        let found = octets.withUnsafeBytes {
            $0.firstOffset(of: first, before: second, from: start)
        }
        let expected = (start..<max(start, octets.count - 1)).first {
            octets[$0] == first && octets[$0 + 1] == second
        }
        #expect(found == expected)
    }
}
