import MartletBytes
import MartletFiles
import MartletTestSupport
import Testing

#if canImport(Darwin)
    import Darwin
#elseif canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#endif

/// All messages of an mbox.
func allMessages(_ reader: MboxReader) throws -> [MboxMessage] {
    var reader = reader
    var messages: [MboxMessage] = []
    while let message = try reader.next() { messages.append(message) }
    return messages
}

@Suite("Mbox file")
struct MboxFileTests {
    /// Octets that are nearly an mbox: pieces of separators, fields and line ends.
    private static func garbage(seed: UInt64, atLeast size: Int) -> [UInt8] {
        var generator = SeededGenerator(seed: seed)
        let pieces = [
            "From ", "From - \n", "\n", "\n", "\r\n", "\r", ">", ">From ", "a@example.org", " ",
            "Thu Feb  8 18:49:08 1996", "Thu, 8 Feb 1996 18:49:08 +0000", "Subject: x\n",
            "Content-Length: 3\n", "Content-Length: 700000\r\n", "\nFrom a@b.test", "text", "F",
            "From a Thu Feb  8 18:49:08 1996\n", "\n\nFrom a Thu Feb  8 18:49:08 1996\n", "\u{0}",
        ].map { Array($0.utf8) }
        var octets: [UInt8] = []
        while octets.count < size {
            octets += pieces.randomElement(using: &generator)!
            if Int.random(in: 0..<200, using: &generator) == 0 {
                octets += [UInt8](
                    repeating: 0x78, count: Int.random(in: 0...60_000, using: &generator))
            }
        }
        return octets
    }

    @Test(
        "gives the same through a window as in memory, and every octet is somewhere",
        arguments: [1, 2, 3, 4, 5, 6] as [UInt64], [nil, .mboxcl2] as [MboxVariant?])
    func window(seed: UInt64, variant: MboxVariant?) throws {
        let scratch = try Scratch()
        let octets = Self.garbage(seed: seed, atLeast: seed < 3 ? 2_200_000 : 3_000)
        let path = try scratch.write(octets, "mbox")
        let reader = try MboxReader(path: path, variant: variant)
        let inMemory = MboxReader(Octets(octets), variant: variant)
        let messages = try allMessages(reader)
        #expect(try messages == allMessages(inMemory))
        #expect(reader.leadingRange == inMemory.leadingRange)
        var end = reader.leadingRange.upperBound
        for message in messages {
            // between two messages there are one or two line ends
            let between = octets[end..<message.separatorRange.lowerBound]
            #expect(between.count <= 4 && between.allSatisfy { $0 == 10 || $0 == 13 })
            #expect(message.separatorRange.upperBound == message.range.lowerBound)
            end = message.range.upperBound
        }
        #expect(octets.count - end <= 4)
        if let message = messages.randomElement() {
            #expect(
                try reader.octets(of: message)[0..<message.range.count]
                    == Array(octets[message.range]))
        }
    }

    @Test("gives a message in pieces")
    func source() async throws {
        let scratch = try Scratch()
        let text = "Subject: a\n\n" + String(repeating: "line\n", count: 100_000)
        let line = "From a Thu Feb  8 18:49:08 1996\n"
        let path = try scratch.write(Array((line + text + "\n" + line + "b: c\n").utf8), "mbox")
        var reader = try MboxReader(path: path)
        let message = try #require(try reader.next())
        let source = reader.source(of: message)
        #expect(source.sizeInOctets == text.utf8.count)
        #expect(try await source.allOctets(limit: 4_321) == Array(text.utf8))
        let error = #expect(throws: FileError.self) {
            try reader.octets(of: message, limitInOctets: 10)
        }
        #expect(error?.path == path)
    }

    @Test("that is cut while it is read gives an error")
    func cut() async throws {
        let scratch = try Scratch()
        let line = "From a Thu Feb  8 18:49:08 1996\n"
        let text = line + String(repeating: "x", count: 3_000_000) + "\n\n" + line
        let path = try scratch.write(Array(text.utf8), "mbox")
        var reader = try MboxReader(path: path)
        let copy = reader
        #expect(truncate(path, 2_000_000) == 0)
        let error = #expect(throws: FileError.self) { try reader.next() }
        #expect(
            error?.kind == .shrank(expectedOctets: text.utf8.count, foundOctets: 2_000_000))
        let message = MboxMessage(separatorRange: 0..<32, range: 32..<2_500_000)
        #expect(throws: FileError.self) { try copy.octets(of: message) }
        await #expect(throws: FileError.self) {
            _ = try await copy.source(of: message).allOctets()
        }
    }

    @Test("is a regular file")
    func refused() throws {
        let scratch = try Scratch()
        mkfifo(scratch.file("fifo"), 0o600)
        for path in [scratch.file("fifo"), scratch.path, "/dev/null", scratch.file("none"), ""] {
            #expect(throws: FileError.self) { try MboxReader(path: path) }
        }
    }

    @Test(
        "takes time in proportion to its size, whatever is in it",
        arguments: [
            "From ", "From \n", "\n", "From - \n", "a: b\n", "From a@b.test\nX:\n",
            "From a Thu Feb  8 18:49:08 1996\n", "From a Thu Feb  8 18:49:08 1996\nX: y\n",
            "From a Thu Feb  8 18:49:08 1996\nContent-Length: 200000\n\n",
            "From a Thu Feb  8 18:49:08 1996\nContent-Length: 9\n", ">", ">From \n", "\r", "\r\n",
        ])
    func linear(piece: String) throws {
        let scratch = try Scratch()
        let octets = [UInt8](
            repeatElement(Array(piece.utf8), count: 150_000 / piece.utf8.count).joined())
        let path = try scratch.write(octets, "mbox")
        let clock = ContinuousClock()
        let inMemory = Octets(octets)
        for variant in [nil, .mboxcl2] as [MboxVariant?] {
            let took = try clock.measure {
                let messages = try allMessages(MboxReader(path: path, variant: variant))
                #expect(try messages == allMessages(MboxReader(inMemory, variant: variant)))
                _ = MboxVariant.mboxrd.unescaped(inMemory)
            }
            #expect(took < .seconds(20))
        }
    }
}
