import MartletTestSupport
import Testing

@testable import MartletBytes

@Suite("OctetProfile")
struct OctetProfileTests {
    @Test(
        "knows line ends, lengths, dots, NULs and 8-bit octets",
        arguments: [
            // text, CRLFs, bare CRs, bare LFs, longest line, dot lines, canonical size
            ("", 0, 0, 0, 0, 0, 0),
            ("a", 0, 0, 0, 1, 0, 3),
            ("abc\r\n", 1, 0, 0, 3, 0, 5),
            ("\r\n", 1, 0, 0, 0, 0, 2),
            ("\n", 0, 0, 1, 0, 0, 2),
            ("\r", 0, 1, 0, 0, 0, 2),
            ("\n\r", 0, 1, 1, 0, 0, 4),
            ("\r\r\n", 1, 1, 0, 0, 0, 4),
            (".\n.a\r.b\r\n..\r\n", 2, 1, 1, 2, 4, 15),
            ("a.\r\n b.", 1, 0, 0, 3, 0, 9),
        ])
    func table(row: (String, Int, Int, Int, Int, Int, Int)) {
        let profile = OctetProfile(Array(row.0.utf8))
        #expect(profile.crlfCount == row.1)
        #expect(profile.bareCRCount == row.2)
        #expect(profile.bareLFCount == row.3)
        #expect(profile.longestLineInOctets == row.4)
        #expect(profile.dotLineCount == row.5)
        #expect(profile.canonicalSizeInOctets == row.6)
        #expect(!profile.has8Bit && !profile.hasNUL)
    }

    @Test("sees one 8-bit octet or NUL at any place", arguments: 0..<70)
    func single(place: Int) {
        var octets = [UInt8](repeating: UInt8(ascii: "x"), count: 70)
        octets[place] = 0x80
        #expect(OctetProfile(octets).has8Bit)
        octets[place] = 0
        #expect(OctetProfile(octets).hasNUL)
        #expect(!OctetProfile(octets).has8Bit)
    }

    @Test("is what a slow count finds, wherever the octets are cut", arguments: UInt64(0)..<200)
    func law(seed: UInt64) {
        var random = SeededGenerator(seed: seed)
        let alphabet: [UInt8] = [13, 10, 13, 10, 46, 97, 98, 9, 0, 14, 0x80, 0xFF, 0x8D, 0x8A]
        let octets = (0..<Int.random(in: 0...300, using: &random)).map { _ in
            Bool.random(using: &random) ? 97 : alphabet.randomElement(using: &random)!
        }
        var profile = OctetProfile()
        var rest = octets[...]
        while !rest.isEmpty {
            let count = Int.random(in: 1...80, using: &random)
            profile.add(rest.prefix(count))
            rest = rest.dropFirst(count)
        }
        let slow = SlowProfile(octets)
        #expect(profile.sizeInOctets == octets.count)
        #expect(profile.has8Bit == octets.contains { $0 > 127 })
        #expect(profile.hasNUL == octets.contains(0))
        #expect(profile.crlfCount == slow.crlfs)
        #expect(profile.bareCRCount == slow.crs)
        #expect(profile.bareLFCount == slow.lfs)
        #expect(profile.longestLineInOctets == slow.lines.map(\.count).max())
        #expect(profile.dotLineCount == slow.lines.count { $0.first == 46 })
        #expect(profile.canonicalSizeInOctets == slow.canonicalSize)
    }

    @Test("is the same wherever the octets are cut in two or three")
    func cuts() {
        let octets = Array(".a\r\n.b\r.c\n..\r\n\r\r\n.\n\n.".utf8)
        let whole = OctetProfile(octets)
        for first in 0...octets.count {
            for second in first...octets.count {
                var profile = OctetProfile(octets[..<first])
                profile.add(octets[first..<second])
                profile.add(octets[second...])
                #expect(profile == whole)
            }
        }
        #expect(whole.dotLineCount == 6)
    }

    @Test("reads a whole source, in memory or not")
    func reading() async throws {
        struct Streamed: OctetSource {
            let array: OctetArray
            var sizeInOctets: Int { array.sizeInOctets }
            func makeReader() -> any OctetReader { array.makeReader() }
        }
        let octets = (0..<600_000).map { UInt8(truncatingIfNeeded: $0 / 7) }
        let profile = OctetProfile(octets)
        #expect(try await OctetProfile(reading: OctetArray(octets)) == profile)
        #expect(try await OctetProfile(reading: Streamed(array: OctetArray(octets))) == profile)
    }

    /// The same by splitting lines one octet at a time.
    private struct SlowProfile {
        var crlfs = 0
        var crs = 0
        var lfs = 0
        var lines: [[UInt8]] = [[]]

        init(_ octets: [UInt8]) {
            var index = 0
            while index < octets.count {
                let isPair =
                    octets[index] == 13 && index + 1 < octets.count && octets[index + 1] == 10
                if isPair {
                    crlfs += 1
                } else if octets[index] == 13 {
                    crs += 1
                } else if octets[index] == 10 {
                    lfs += 1
                } else {
                    lines[lines.count - 1].append(octets[index])
                    index += 1
                    continue
                }
                lines.append([])
                index += isPair ? 2 : 1
            }
        }

        var canonicalSize: Int {
            let size = lines.reduce(0) { $0 + $1.count } + 2 * (lines.count - 1)
            return lines.last!.isEmpty ? size : size + 2
        }
    }
}
