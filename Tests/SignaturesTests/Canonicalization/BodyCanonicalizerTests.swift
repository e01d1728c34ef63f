import CMartletOctets
import MartletBytes
import MartletTestSupport
import Testing

@testable import MartletSignatures

/// Canonical form as RFC 6376 §3.4.3 and §3.4.4 word it, line by line, without a thought of speed.
private func reference(_ body: [UInt8], _ kind: Canonicalization, _ bareCR: BareCR) -> [UInt8] {
    var lines: [[UInt8]] = [[]]
    var index = 0
    while index < body.count {
        let isCRLF =
            body[index] == ASCII.cr && index + 1 < body.count && body[index + 1] == ASCII.lf
        if isCRLF || body[index] == ASCII.lf || body[index] == ASCII.cr && bareCR == .lineEnd {
            lines.append([])
            index += isCRLF ? 2 : 1
        } else {
            lines[lines.count - 1].append(body[index])
            index += 1
        }
    }
    if kind == .relaxed {
        lines = lines.map { line in
            var words = line.split(omittingEmptySubsequences: false, whereSeparator: \.isBlank).map(
                Array.init)
            let startsBlank = words.count > 1 && words[0].isEmpty
            words.removeAll(where: \.isEmpty)
            let joined = Array(words.joined(separator: [ASCII.space]))
            return startsBlank && !joined.isEmpty ? [ASCII.space] + joined : joined
        }
    }
    while lines.last == [] { lines.removeLast() }
    if lines.isEmpty { return kind == .simple ? [ASCII.cr, ASCII.lf] : [] }
    return lines.flatMap { $0 + [ASCII.cr, ASCII.lf] }
}

private func canonical(
    _ body: [UInt8], _ kind: Canonicalization, _ bareCR: BareCR = .content,
    pieces: [Range<Int>]? = nil, variant: martlet_variant = martlet_best_variant()
) -> [UInt8] {
    let canonicalizer = BodyCanonicalizer(kind, bareCR: bareCR, variant: variant)
    var result: [UInt8] = []
    for piece in pieces ?? [0..<body.count] {
        Array(body[piece]).withUnsafeBytes { canonicalizer.add($0) { result += $0 } }
    }
    canonicalizer.finish { result += $0 }
    return result
}

@Suite("Body canonicalisation")
struct BodyCanonicalizerTests {
    @Test(
        "gives the form of RFC 6376",
        arguments: [
            ("", "", "\r\n"),
            ("\r\n", "", "\r\n"),
            ("\r\n\r\n\r\n", "", "\r\n"),
            ("   \r\n \t\r\n", "", "   \r\n \t\r\n"),
            ("   ", "", "   \r\n"),
            ("Hello!\r\n  \r\n\r\n", "Hello!\r\n", "Hello!\r\n  \r\n"),
            ("Hello!", "Hello!\r\n", "Hello!\r\n"),
            ("Hello!  ", "Hello!\r\n", "Hello!  \r\n"),
            ("Hello!\n\nbye\n\n", "Hello!\r\n\r\nbye\r\n", "Hello!\r\n\r\nbye\r\n"),
            // RFC 6376 §3.4.5
            (" C \r\nD \t E\r\n\r\n\r\n", " C\r\nD E\r\n", " C \r\nD \t E\r\n"),
            ("a\t\tb   c \t d\t\r\n", "a b c d\r\n", "a\t\tb   c \t d\t\r\n"),
            ("\r\n\r\na", "\r\n\r\na\r\n", "\r\n\r\na\r\n"),
            ("a\rb\r\n", "a\rb\r\n", "a\rb\r\n"),
            ("a\r\r\n\r\n", "a\r\r\n", "a\r\r\n"),
            ("a\r", "a\r\r\n", "a\r\r\n"),
            ("a\u{0}b\u{E4}\r\n", "a\u{0}b\u{E4}\r\n", "a\u{0}b\u{E4}\r\n"),
        ])
    func form(body: String, relaxed: String, simple: String) {
        #expect(text(canonical(Array(body.utf8), .relaxed)) == relaxed)
        #expect(text(canonical(Array(body.utf8), .simple)) == simple)
    }

    @Test("takes a bare CR for a line end when it signs")
    func bareCR() {
        #expect(
            text(canonical(Array("a\rb\r\r\nc".utf8), .simple, .lineEnd)) == "a\r\nb\r\n\r\nc\r\n")
        #expect(text(canonical(Array("a \r".utf8), .relaxed, .lineEnd)) == "a\r\n")
    }

    @Test("is the same whatever the pieces are, and what the RFC's words give")
    func pieces() {
        let alphabets = [
            "a \r\n", "ab\r\n \t", "abcdefghijklmnop \r\n",
            "abcdefghijklmnopqrstuvwxyz  \t\r\n\n\r\u{0}",
            "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789=.,-+/ \n",
        ]
        for seed in UInt64(0)..<4_000 {
            var random = SeededGenerator(seed: seed)
            let alphabet = Array(alphabets[Int(seed) % alphabets.count].utf8)
            var body: [UInt8] = []
            let lineEndOdds = [4, 20, 80].randomElement(using: &random)!
            for _ in 0..<Int.random(in: 0...(seed % 16 == 0 ? 3_000 : 300), using: &random) {
                if Int.random(in: 0..<lineEndOdds, using: &random) == 0 {
                    body += [ASCII.cr, ASCII.lf]
                } else {
                    body.append(alphabet.randomElement(using: &random)!)
                }
            }
            var cuts = [0, body.count]
            for _ in 0..<Int.random(in: 0...6, using: &random) {
                cuts.append(Int.random(in: 0...body.count, using: &random))
            }
            cuts.sort()
            let pieces = zip(cuts, cuts.dropFirst()).map { $0..<$1 }
            for kind in Canonicalization.allCases {
                for bareCR in [BareCR.content, .lineEnd] {
                    let expected = reference(body, kind, bareCR)
                    #expect(canonical(body, kind, bareCR) == expected, "seed \(seed)")
                    #expect(
                        canonical(body, kind, bareCR, pieces: pieces) == expected, "seed \(seed)")
                    #expect(
                        canonical(body, kind, bareCR, pieces: pieces, variant: MARTLET_PORTABLE)
                            == expected, "seed \(seed), portable")
                }
            }
        }
    }

    @Test("is the same for every pair of cuts")
    func everyCut() {
        let body = Array(
            "Hello  there,\r\n this is a line of some length \r\n  \r\n\n\r\nand  the end. \r\n \r\n\r\n"
                .utf8)
        for kind in Canonicalization.allCases {
            let whole = canonical(body, kind)
            for first in 0...body.count {
                for second in first...body.count {
                    let pieces = [0..<first, first..<second, second..<body.count]
                    #expect(canonical(body, kind, pieces: pieces) == whole)
                }
            }
        }
    }

    @Test(
        "keeps its place where the buffer is full, whatever is in it",
        arguments: [
            "\n", "a\n", "\r\n", "\ta", " \r\n", "a  b\n", "\r",
            "a line of prose, with single blanks, of seventy octets or so, and more\n",
        ])
    func full(unit: String) {
        let body =
            Array(repeatElement(Array(unit.utf8), count: 80_000 / unit.utf8.count).joined())
            + [UInt8(ascii: "x")]
        for kind in Canonicalization.allCases {
            for bareCR in [BareCR.content, .lineEnd] {
                let expected = reference(body, kind, bareCR)
                for variant in [MARTLET_PORTABLE, martlet_best_variant()] {
                    #expect(canonical(body, kind, bareCR, variant: variant) == expected)
                }
            }
        }
    }

    @Test(
        "takes time in proportion to the body, whatever is in it",
        arguments: ["a  ", "\r\n", " ", "\t", "a\n", "\r"])
    func linear(unit: String) {
        let body = Array(repeatElement(Array(unit.utf8), count: 500_000).joined())
        let clock = ContinuousClock()
        for kind in Canonicalization.allCases {
            let digest = BodyDigest(kind, bareCR: .content)
            let time = clock.measure {
                body.withUnsafeBytes { digest.update($0) }
                _ = digest.finish()
            }
            #expect(time < .seconds(60))
        }
    }

    @Test("counts the octets that l= leaves out")
    func limit() {
        let body = Array("Hello\r\nworld\r\n\r\n".utf8)
        for limit in 0...14 {
            let digest = BodyDigest(.simple, limit: limit, bareCR: .content)
            body.withUnsafeBytes { digest.update($0) }
            let (hash, count) = digest.finish()
            #expect(count == 14)
            #expect(hash == SHA256.digest(of: Array(body.prefix(limit))))
        }
    }
}
