import Testing

@testable import MartletBytes

@Suite("Secret")
struct SecretTests {
    @Test("is not shown by any description")
    func redacted() {
        let secret = Secret("hunter2")
        var dumped = ""
        dump(secret, to: &dumped)
        for text in ["\(secret)", String(reflecting: secret), "\(["password": secret])", dumped] {
            #expect(!text.contains("hunter2"))
        }
    }

    @Test("lends its octets")
    func lends() {
        #expect(Secret("p\u{E4}ss").withOctets { [UInt8]($0) } == Array("p\u{E4}ss".utf8))
    }
}

@Suite("OctetArray")
struct OctetArrayTests {
    @Test("gives its octets in pieces, then nothing", arguments: [1, 2, 3, 7, 100])
    func pieces(limit: Int) async throws {
        let octets = [UInt8](0..<7)
        var reader = OctetArray(octets).makeReader()
        var all: [UInt8] = []
        while true {
            let piece = try await reader.read(atMost: limit)
            #expect(piece.count <= limit)
            if piece.isEmpty { break }
            all += piece
        }
        #expect(all == octets)
    }
}
