import MartletBytes
import MartletTestSupport
import Testing

@testable import MartletSignatures

private func count(_ octets: [UInt8], limit: Int = 1_000_000) -> Int? {
    octets.withUnsafeBytes { ASN1Element.count(in: $0, limit: limit) }
}

@Suite("ASN.1 elements")
struct ASN1ElementTests {
    @Test("are counted with those in them, with lengths and without")
    func elements() {
        #expect(count([0x05, 0x00]) == 1)
        #expect(count([0x30, 0x00]) == 1)
        #expect(count([0x30, 0x04, 0x05, 0x00, 0x05, 0x00]) == 3)
        #expect(count([0x30, 0x80, 0x05, 0x00, 0x30, 0x00, 0x00, 0x00]) == 3)
        #expect(count([0x30, 0x80, 0x30, 0x80, 0x00, 0x00, 0x00, 0x00]) == 2)
        #expect(count([0x30, 0x04, 0x30, 0x80, 0x00, 0x00]) == 2)
        // What follows the first is not looked at.
        #expect(count([0x05, 0x00, 0xFF]) == 1)
    }

    @Test(
        "are none where they leave what they are in, or have no end",
        arguments: [
            [], [0x30], [0x30, 0x01], [0x30, 0x02, 0x05, 0x01, 0x00], [0x30, 0x80],
            [0x30, 0x80, 0x05, 0x00], [0x04, 0x80, 0x00, 0x00], [0x00, 0x00],
            [0x30, 0x02, 0x00, 0x00], [0x30, 0x03, 0x30, 0x80, 0x00, 0x00],
            [0x30, 0x89, 1, 1, 1, 1, 1, 1, 1, 1, 1],
        ] as [[UInt8]])
    func malformed(octets: [UInt8]) {
        #expect(count(octets) == nil)
    }

    @Test("are counted up to the limit, however deep they are, in linear time")
    func limits() {
        let many = Structures.element(
            0x30, Array(repeating: [0x05, 0x00], count: 500_000).flatMap { $0 })
        #expect(count(many) == 500_001)
        #expect(count(many, limit: 10) == 11)
        let deep = Array(repeating: [0x30, 0x80] as [UInt8], count: 500_000).flatMap { $0 }
        #expect(count(deep) == nil)
        #expect(count(deep, limit: 10) == 11)
        #expect(count(deep + [UInt8](repeating: 0, count: 1_000_000)) == 500_000)
    }

    @Test("never trap on garbage")
    func garbage() {
        for seed in UInt64(0)..<2_000 {
            var random = SeededGenerator(seed: seed)
            let octets = (0..<Int.random(in: 0...40, using: &random)).map { _ in
                [0x30, 0x80, 0, 0, 1, 4, 5, 0x84, 0x1F, 0xFF].randomElement(using: &random)!
                    as UInt8
            }
            if let count = count(octets) { #expect(count <= octets.count / 2) }
        }
    }
}
