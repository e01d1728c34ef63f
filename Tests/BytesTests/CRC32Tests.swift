import MartletTestSupport
import Testing

@testable import MartletBytes

@Suite("CRC-32")
struct CRC32Tests {
    @Test(
        "gives the check value of the polynomial", arguments: [("123456789", 0xCBF4_3926), ("", 0)])
    func checkValue(text: String, value: UInt32) {
        var checksum = CRC32()
        checksum.update(with: Array(text.utf8))
        #expect(checksum.value == value)
    }

    @Test("is what a division bit by bit gives, in pieces too", arguments: UInt64(0)..<50)
    func law(seed: UInt64) {
        var random = SeededGenerator(seed: seed)
        let octets = randomOctets(0...200, &random)
        var expected: UInt32 = 0xFFFF_FFFF
        for octet in octets {
            expected ^= UInt32(octet)
            for _ in 0..<8 { expected = expected >> 1 ^ (expected & 1 == 1 ? 0xEDB8_8320 : 0) }
        }
        let cut = Int.random(in: 0...octets.count, using: &random)
        var checksum = CRC32()
        checksum.update(with: Array(octets[..<cut]))
        checksum.update(with: Array(octets[cut...]))
        #expect(checksum.value == ~expected)
    }
}
