import MartletBytes
import MartletMIME
import MartletTestSupport
import Testing

@testable import MartletSignatures

@Suite("Header for hashing")
struct HeaderSectionTests {
    /// Whoever shows a message must see in it what was verified.
    @Test("has the fields and the body that the reader of MIME sees, or is refused")
    func agrees() {
        let pieces = [
            "From: a@example.org\r\n", "To: b\n", "Subject : c\r\n", " folded\r\n", "\tfolded\n",
            "junk\r\n", "\r\n", "\n",
            "--b\r\n", "--b: c\r\n", "Content-Type: multipart/mixed; boundary=\"b: c\"\r\n",
            "From x\r\n", ">From x\r\n",
            "\r", "a\rb: c\r\n", ": x\r\n", "X\u{0}: y\r\n", "\u{E4}: y\r\n", "AAAA\r\n",
            "Content-Transfer-Encoding: base64\r\n",
            "  \r\n", "\r\r\n", "X:\r\n", "no end", "Content-Type: a/b;\r\n", "name=\"b: c\"\r\n",
            "boundary=\"b: c\"\r\n", " From: d\r\n",
        ]
        var accepted = 0
        for seed in UInt64(0)..<8_000 {
            var random = SeededGenerator(seed: seed)
            let count = Int.random(in: 1...7, using: &random)
            let text = (0..<count).map { _ in
                pieces[
                    Int.random(in: 0..<pieces.count, using: &random)
                        % (seed % 2 == 0 ? 9 : pieces.count)]
            }
            let octets = Array(text.joined().utf8)
            let (header, bodyStart) = MessageReading.header(of: Octets(octets), limits: .standard)
            guard header.problem == nil else { continue }
            accepted += 1
            let root = Message(parsing: octets).root
            let note = Comment("seed \(seed): \(text)")
            #expect(
                root.header.map(\.name)
                    == header.fields.map { String(decoding: octets[$0.nameRange], as: UTF8.self) },
                note)
            #expect(
                root.header.map(\.valueRange.lowerBound)
                    == header.fields.map(\.valueRange.lowerBound), note)
            #expect(root.bodyRange.lowerBound == bodyStart, note)
        }
        #expect(accepted > 1_000)
    }

    @Test("is found the same in pieces and in memory, up to its limit")
    func pieces() async throws {
        var limits = SignatureLimits.standard
        limits.headerSizeInOctets = 60
        for size in 20...70 {
            let head = "From: " + String(repeating: "a", count: size - 10) + "\r\n\r\n"
            let octets = Array((head + "body\r\n").utf8)
            let (whole, bodyStart) = MessageReading.header(of: Octets(octets), limits: limits)
            #expect((whole.problem == .tooLarge) == (size > 60), "\(size)")
            for piece in [1, 7, 1_000] {
                var reader = try StreamedOctets(octets, pieces: [piece]).makeReader()
                let read = try await MessageReading.header(from: &reader, limits: limits)
                #expect(read.header.problem == whole.problem && read.header.octets == whole.octets)
                #expect(size > 60 || bodyStart == size)
            }
        }
    }
}
