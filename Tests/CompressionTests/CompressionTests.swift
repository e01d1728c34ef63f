import MartletBytes
import MartletCompression
import MartletFuzzOracles
import MartletTestSupport
import Testing

/// Expands all of `octets`, fed in pieces of a size and taken in pieces of another.
func expand(
    _ octets: [UInt8], feeding: Int = 16 * 1024, taking: Int = Inflater.outputLimitInOctets
) throws -> [UInt8] {
    let inflater = try Inflater()
    var output: [UInt8] = []
    for start in stride(from: 0, to: octets.count, by: feeding) {
        try inflater.append(octets[start..<min(octets.count, start + feeding)])
        while try inflater.next(into: &output, atMost: taking) > 0 {}
    }
    return output
}

@Suite("Compression")
struct CompressionTests {
    static func sample(_ count: Int, seed: UInt64) -> [UInt8] {
        var random = SeededGenerator(seed: seed)
        let words = ["* 1 FETCH (UID ", "FLAGS (\\Seen)", "BODYSTRUCTURE", "\r\n", "é", "\0"]
        var octets: [UInt8] = []
        while octets.count < count {
            if Int.random(in: 0..<8, using: &random) == 0 {
                octets.append(UInt8.random(in: 0...255, using: &random))
            } else {
                octets += Array(words.randomElement(using: &random)!.utf8)
            }
        }
        return Array(octets.prefix(count))
    }

    @Test("reads what RFC 1951 and others write: stored and fixed blocks")
    func vectors() throws {
        // stored: "abc"
        #expect(text(try expand([1, 3, 0, 0xFC, 0xFF, 0x61, 0x62, 0x63])) == "abc")
        // fixed codes
        #expect(text(try expand([0x4B, 0x4C, 0x4A, 0x06, 0x00])) == "abc")
    }

    @Test("any cut gives the same, in and out", arguments: 0..<6 as Range<UInt64>)
    func cuts(seed: UInt64) throws {
        var random = SeededGenerator(seed: seed)
        let plain = Self.sample(20_000, seed: seed)
        let deflater = try Deflater(
            level: Int.random(in: -1...12, using: &random), memory: seed % 2 == 0 ? .small : .large)
        var compressed: [UInt8] = []
        var rest = plain[...]
        while !rest.isEmpty {
            let part = rest.prefix(Int.random(in: 0...700, using: &random))
            rest = rest.dropFirst(part.count)
            try deflater.append(part, to: &compressed)
            if Bool.random(using: &random) { try deflater.flush(to: &compressed) }
        }
        try deflater.flush(to: &compressed)
        #expect(compressed.count < plain.count)
        for (feeding, taking) in [(1, 1), (1, 65_536), (7, 3), (100_000, 100_000), (4_096, 1)] {
            #expect(try expand(compressed, feeding: feeding, taking: taking) == plain)
        }
    }

    @Test("what was flushed can be read, and nothing is written without something new")
    func flushing() throws {
        let (deflater, inflater) = (try Deflater(), try Inflater())
        var wire: [UInt8] = []
        var plain: [UInt8] = []
        try deflater.flush(to: &wire)
        try deflater.append([], to: &wire)
        try deflater.flush(to: &wire)
        #expect(wire.isEmpty)
        for line in ["a1 NOOP\r\n", "a2 LOGOUT\r\n", "x"] {
            wire = []
            try deflater.append(Array(line.utf8), to: &wire)
            try deflater.flush(to: &wire)
            try deflater.flush(to: &wire)
            plain = []
            try inflater.append([])
            #expect(try inflater.next(into: &plain) == 0)
            try inflater.append(wire)
            while try inflater.next(into: &plain) > 0 {}
            #expect(text(plain) == line)
            #expect(inflater.pendingInputCount == 0)
            #expect(!inflater.isAtEnd)
        }
    }

    // COMPRESS with writes of 0 octets and of 1 MB made other clients trap.
    @Test("a megabyte at once goes through, also of what cannot be compressed")
    func megabyte() throws {
        var random = SeededGenerator(seed: 1)
        let noise = (0..<1_048_576).map { _ in UInt8.random(in: 0...255, using: &random) }
        for plain in [noise, [UInt8](repeating: 0x61, count: 1 << 20)] {
            let deflater = try Deflater(memory: .small)
            var wire: [UInt8] = [1, 2, 3]  // what is there already stays
            try deflater.append(plain, to: &wire)
            try deflater.append([], to: &wire)
            try deflater.flush(to: &wire)
            #expect(wire.prefix(3) == [1, 2, 3])
            #expect(wire.count < plain.count + plain.count / 100)
            #expect(try expand(Array(wire.dropFirst(3))) == plain)
        }
    }

    @Test("a gigabyte of zeros comes in small pieces")
    func bomb() throws {
        let deflater = try Deflater(level: 9)
        var wire: [UInt8] = []
        try deflater.append([UInt8](repeating: 0, count: 1 << 20), to: &wire)
        try deflater.flush(to: &wire)
        #expect(wire.count < 2_000)
        let inflater = try Inflater()
        var total = 0
        var largest = 0
        var piece: [UInt8] = []
        for _ in 0..<1_024 {
            try inflater.append(wire)
            while true {
                piece.removeAll(keepingCapacity: true)
                let count = try inflater.next(into: &piece)
                if count == 0 { break }
                total += count
                largest = max(largest, piece.capacity)
            }
        }
        #expect(largest < 2 * Inflater.outputLimitInOctets)
        #expect(total == 1 << 30)
    }

    @Test("more is not kept than the limit, and what is kept stays right")
    func inputLimit() throws {
        let inflater = try Inflater()
        let stored: [UInt8] = [0, 0xFF, 0xFF, 0, 0] + [UInt8](repeating: 7, count: 0xFFFF)
        try inflater.append(stored)
        #expect(throws: CompressionError.self) {
            try inflater.append([UInt8](repeating: 0, count: Inflater.inputLimitInOctets))
        }
        var plain: [UInt8] = []
        while try inflater.next(into: &plain, atMost: 1_000) > 0 {}
        #expect(plain == [UInt8](repeating: 7, count: 0xFFFF))
        #expect(try inflater.next(into: &plain, atMost: 0) == 0)
        #expect(try inflater.next(into: &plain, atMost: -1) == 0)
        try inflater.append(stored)
    }

    @Test("damage is an error, after what came before it, and stays one")
    func damage() throws {
        let deflater = try Deflater()
        var wire: [UInt8] = []
        try deflater.append(Array("right".utf8), to: &wire)
        try deflater.flush(to: &wire)
        let inflater = try Inflater()
        try inflater.append(wire + [0xFF, 0xFF, 0xFF])  // a block type that there is not
        var plain: [UInt8] = []
        let error = try #require(throws: CompressionError.self) {
            while try inflater.next(into: &plain) > 0 {}
        }
        #expect(text(plain) == "right")
        #expect(error.kind == .damaged)
        #expect(error.description.hasPrefix("the compressed octets are damaged: "))
        for _ in 0..<2 {
            #expect(throws: error) { try inflater.next(into: &plain) }
            #expect(throws: error) { try inflater.append([0]) }
        }
    }

    @Test("octets behind the end are an error; the end itself is none")
    func end() throws {
        let inflater = try Inflater()
        try inflater.append([0x4B, 0x4C, 0x4A, 0x06, 0x00])
        var plain: [UInt8] = []
        #expect(try inflater.next(into: &plain) == 3)
        #expect(try inflater.next(into: &plain) == 0)
        #expect(inflater.isAtEnd)
        try inflater.append([0x4B])
        #expect(throws: CompressionError.self) { try inflater.next(into: &plain) }
        #expect(plain.count == 3)
    }

    @Test("Python's zlib reads what is written, and the other way", .python("zlib"))
    func python() async throws {
        let plain = Self.sample(5_000, seed: 9)
        let deflater = try Deflater()
        var wire: [UInt8] = []
        try deflater.append(plain, to: &wire)
        try deflater.flush(to: &wire)
        let script = """
            import sys, zlib
            data = bytes.fromhex(sys.stdin.readline())
            plain = zlib.decompressobj(-15).decompress(data)
            print(plain.hex())
            packer = zlib.compressobj(9, zlib.DEFLATED, -15)
            print((packer.compress(plain) + packer.flush(zlib.Z_SYNC_FLUSH)).hex())
            """
        let answers = try await Python.run(script, lines: [Array(hex(wire).utf8)])
        try #require(answers.count == 2)
        #expect(text(answers[0]) == hex(plain))
        #expect(try expand(octets(hex: text(answers[1])) ?? []) == plain)
    }

    @Test("promises hold for any octets")
    func oracle() throws {
        try FuzzSeeds.forEachChanged(of: "Inflater", count: 100, InflaterOracle.check)
        var random = SeededGenerator(seed: 3)
        for _ in 0..<300 {
            let count = Int.random(in: 0...200, using: &random)
            InflaterOracle.check((0..<count).map { _ in UInt8.random(in: 0...255, using: &random) })
        }
    }
}
