import MartletBytes
import MartletTestSupport
import Testing

@testable import MartletMIME

@Suite("Transfer decoder")
struct TransferDecoderTests {
    @Test(
        "gives in pieces what decoding at once gives, wherever the body is cut",
        arguments: [
            "7bit", "8bit", "quoted-printable", "base64", "x-uuencode", "x-yenc", "x-unknown",
        ])
    func pieces(name: String) {
        let encoding = ContentTransferEncoding(named: name)
        let bodies: [String: String] = [
            "quoted-printable": "Gr=C3=BC=C3=9Fe =\r\nand more=20\r\n=\r\nend=3",
            "base64": "aGVsbG8g\r\nd29y!bGQ=\r\n",
            "x-yenc": "=ybegin line=128 size=3 name=a\r\nabc\r\n=yend size=3\r\n",
            "x-uuencode": "begin 644 a\r\n#0V%T\r\n`\r\nend\r\n",
        ]
        let body = Array((bodies[name] ?? "as it is\r\n\r\n=41").utf8)
        let whole = encoding.decode(body).value
        for size in 1...body.count {
            var decoder = TransferDecoder(encoding)
            var octets: [UInt8] = []
            var rest = body[...]
            while !rest.isEmpty {
                octets += decoder.decode(rest.prefix(size))
                rest = rest.dropFirst(size)
            }
            octets += decoder.finish()
            #expect(octets == whole, "\(size)")
        }
        #expect(!whole.isEmpty)
    }

    @Test("cuts what it has to gather at the limit for bodies")
    func limit() {
        var limits = MIMELimits.standard
        limits.bodySizeInOctets = 30
        var decoder = TransferDecoder(.uuencode, limits: limits)
        for _ in 0..<1_000 { _ = decoder.decode(Array("begin 644 a\r\n#0V%T\r\n".utf8)[...]) }
        #expect(decoder.finish().count <= 30)
    }
}

@Suite("Canonical lines")
struct CanonicalLinesTests {
    @Test(
        "end with CR LF, whatever they ended with",
        arguments: [
            ("a\nb\n", "a\r\nb\r\n"), ("a\r\nb", "a\r\nb"), ("a\rb\r", "a\r\nb\r\n"),
            ("\r\r\n\n", "\r\n\r\n\r\n"), ("", ""), ("a\u{0}b\n", "a\u{0}b\r\n"),
        ])
    func lines(text: String, expected: String) async throws {
        let inMemory = try await CanonicalLines(OctetArray(Array(text.utf8)))
        #expect(inMemory.octetsInMemory == Array(expected.utf8))
        for size in 1...5 {
            let inPieces = try await CanonicalLines(Pieces(octets: Array(text.utf8), size: size))
            #expect(inPieces.octetsInMemory == nil)
            #expect(inPieces.sizeInOctets == expected.utf8.count)
            for limit in [1, 2, 100] {
                var reader = try inPieces.makeReader()
                var octets: [UInt8] = []
                while true {
                    let piece = try await reader.read(atMost: limit)
                    #expect(piece.count <= limit)
                    if piece.isEmpty { break }
                    octets += piece
                }
                #expect(octets == Array(expected.utf8), "\(size) \(limit)")
            }
        }
    }

    /// A source that is not in memory, and gives few octets at a time.
    private struct Pieces: OctetSource {
        var octets: [UInt8]
        var size: Int
        var sizeInOctets: Int { octets.count }

        struct Reader: OctetReader {
            var rest: ArraySlice<UInt8>
            var size: Int
            mutating func read(atMost limit: Int) async throws -> [UInt8] {
                let piece = rest.prefix(min(limit, size))
                rest = rest.dropFirst(piece.count)
                return Array(piece)
            }
        }
        func makeReader() throws -> any OctetReader { Reader(rest: octets[...], size: size) }
    }
}
