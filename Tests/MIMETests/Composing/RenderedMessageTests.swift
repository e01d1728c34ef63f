import MartletBytes
import MartletTestSupport
import Testing

@testable import MartletMIME

private let jane = try! MailboxAddress("jane@example.org")

private func message(_ content: any OctetSource) -> OutgoingMessage {
    var message = OutgoingMessage(from: jane, text: "x")
    message.attachments = [Attachment(name: "a.bin", content: content)]
    return message
}

@Suite("RenderedMessage")
struct RenderedMessageTests {
    @Test("knows its size without reading an attachment")
    func size() throws {
        let source = StreamedOctets([], told: 1_000_000_000, opens: false)
        let rendered = try message(source).rendered()
        #expect(rendered.octetsInMemory == nil)
        #expect(rendered.sizeInOctets > 1_368_421_000)
    }

    @Test("reads the same at any limit", arguments: [1, 2, 77, 78, 79, 1_000, .max])
    func limits(limit: Int) async throws {
        let content = (0..<5_000).map { UInt8(truncatingIfNeeded: $0 &* 31) }
        let whole = try #require(try message(OctetArray(content)).rendered().octetsInMemory)
        for pieceLimit in [1, 56, 57, 58, 10_000] {
            let rendered = try message(StreamedOctets(content, pieces: [pieceLimit])).rendered()
            #expect(rendered.sizeInOctets == whole.count)
            #expect(try await rendered.allOctets(limit: limit) == whole)
        }
    }

    @Test("can be read twice")
    func twice() async throws {
        let rendered = try message(StreamedOctets([1, 2, 3])).rendered()
        #expect(try await rendered.allOctets() == rendered.allOctets())
    }

    @Test("a large attachment in memory is encoded piece by piece")
    func large() async throws {
        let content = [UInt8](repeating: 7, count: BodyPart.encodedAtOnceLimit + 1)
        let rendered = try message(OctetArray(content)).rendered()
        #expect(rendered.octetsInMemory == nil)
        var reader = rendered.makeReader()
        var size = 0
        while true {
            let piece = try await reader.read(atMost: .max)
            if piece.isEmpty { break }
            #expect(piece.count <= 100_000)
            size += piece.count
        }
        #expect(size == rendered.sizeInOctets)
        let small = OctetArray([UInt8](repeating: 7, count: 1_000))
        #expect(try message(small).rendered().octetsInMemory != nil)
    }

    @Test("an attachment that shrinks breaks the reading", arguments: [0, 1, 99, 100])
    func shrinks(found: Int) async throws {
        let source = StreamedOctets(Array(repeating: 1, count: found), told: 101)
        let rendered = try message(source).rendered()
        let error = await #expect(throws: CompositionError.self) {
            try await rendered.allOctets()
        }
        #expect(error?.kind == .contentShrank(expected: 101, found: found))
        #expect(error?.field == "Attachment a.bin")
        #expect(error?.recovery == .composeAgain)
    }

    @Test("an attachment that grows breaks the reading", arguments: [1, 100, 5_000])
    func grows(more: Int) async throws {
        let source = StreamedOctets(Array(repeating: 1, count: 300 + more), told: 300)
        let rendered = try message(source).rendered()
        let error = await #expect(throws: CompositionError.self) {
            try await rendered.allOctets()
        }
        #expect(error?.kind == .contentGrew(expected: 300))
    }

    @Test("an attachment that cannot be opened breaks the reading, and the reason is kept")
    func unreadable() async throws {
        let rendered = try message(StreamedOctets([1], opens: false)).rendered()
        let error = await #expect(throws: CompositionError.self) {
            try await rendered.allOctets()
        }
        #expect(error?.kind == .unreadable)
        #expect(error?.underlying as? StreamedOctets.Failure == .cannotOpen)
    }
}
