import MartletBytes
import MartletMIME
import MartletTestSupport
import Testing

/// Writes TNEF for tests.
struct TNEFWriter {
    private(set) var octets: [UInt8] = [0x78, 0x9F, 0x3E, 0x22, 0x01, 0x00]

    mutating func add(_ id: UInt32, _ data: [UInt8], level: UInt8 = 1, checksum: UInt16? = nil) {
        octets.append(level)
        octets += id.little + UInt32(data.count).little + data
        let sum = data.reduce(UInt16(0)) { $0 &+ UInt16($1) }
        octets += (checksum ?? sum).little
    }

    mutating func addFile(_ name: String, _ data: [UInt8]) {
        add(0x0006_9002, Array(repeating: 0, count: 14), level: 2)
        add(0x0001_8010, Array(name.utf8) + [0], level: 2)
        add(0x0006_800F, data, level: 2)
    }

    /// Properties: each type, id, name if it has one, and values as they are written.
    static func properties(_ properties: [[UInt8]]) -> [UInt8] {
        UInt32(properties.count).little + properties.flatMap { $0 }
    }

    static func property(_ id: UInt16, _ type: UInt16, _ values: [[UInt8]]) -> [UInt8] {
        var octets = type.little + id.little
        let isCounted = [0x1E, 0x1F, 0x0D, 0x102].contains(type & 0xFFF)
        if isCounted || type & 0x1000 != 0 { octets += UInt32(values.count).little }
        for value in values {
            if isCounted { octets += UInt32(value.count).little }
            octets += value + Array(repeating: 0, count: (4 - value.count % 4) % 4)
        }
        return octets
    }

    static func named(_ name: String?, _ type: UInt16, _ values: [[UInt8]]) -> [UInt8] {
        let property = property(0x8001, type, values)
        var octets = Array(property.prefix(4)) + Array(repeating: 7, count: 16)
        if let name {
            let text: [UInt8] = name.utf16.flatMap(\.little) + [0, 0]
            octets += UInt32(1).little + UInt32(text.count).little + text
            octets += Array(repeating: 0, count: (4 - text.count % 4) % 4)
        } else {
            octets += UInt32(0).little + UInt32(0x8554).little
        }
        return octets + property.dropFirst(4)
    }
}

extension FixedWidthInteger {
    var little: [UInt8] { withUnsafeBytes(of: littleEndian) { Array($0) } }
}

@Suite("TNEF")
struct TNEFTests {
    static func utf16(_ text: String) -> [UInt8] { text.utf16.flatMap(\.little) + [0, 0] }

    @Test("has files, with their names and types")
    func files() throws {
        var writer = TNEFWriter()
        writer.add(0x0008_9006, [0, 0, 1, 0])
        writer.add(0x0006_9007, UInt32(1_251).little + [0, 0, 0, 0])
        writer.add(0x0001_8004, [0xCF, 0xF0, 0xE8, 0xE2, 0xE5, 0xF2, 0])
        writer.addFile("A~1.TXT", Array("first".utf8))
        writer.add(
            0x0006_9005,
            TNEFWriter.properties([
                TNEFWriter.property(0x3707, 0x1F, [Self.utf16("a long näme.txt")]),
                TNEFWriter.property(0x370E, 0x1E, [Array("image/png\0".utf8)]),
                TNEFWriter.property(0x3712, 0x1E, [Array("<id@x>\0".utf8)]),
                TNEFWriter.property(0x7FFE, 0x0B, [[1, 0]]),
            ]), level: 2)
        writer.addFile("second.pdf", [])
        let parsed = TNEF.parse(writer.octets)
        #expect(parsed.defects.isEmpty)
        let tnef = try #require(parsed.value)
        #expect(tnef.messages.map(\.subject) == ["Привет"])
        #expect(tnef.files.map(\.name) == ["a long näme.txt", "second.pdf"])
        #expect(tnef.files.map(\.type.description) == ["image/png", "application/pdf"])
        #expect(tnef.files.map { tnef.octets(of: $0) } == [Array("first".utf8), []])
        #expect(tnef.files.map(\.contentID) == ["id@x", nil])
        #expect(tnef.files.map(\.isInline) == [true, false])
    }

    @Test("has properties, and steps over named ones and those with many values")
    func properties() throws {
        var writer = TNEFWriter()
        writer.add(
            0x0006_9003,
            TNEFWriter.properties([
                TNEFWriter.named(
                    "Keywords", 0x101E, [Array("one\0".utf8), Array("twoo\0".utf8), []]),
                TNEFWriter.named(nil, 0x0003, [UInt32(1).little]),
                TNEFWriter.named("odd", 0x001F, [Self.utf16("ab")]),
                TNEFWriter.property(0x6001, 0x1002, [[1, 0], [2, 0], [3, 0]]),
                TNEFWriter.property(0x6002, 0x1102, [[1], [1, 2, 3, 4, 5]]),
                TNEFWriter.property(0x6003, 0x0048, [Array(repeating: 1, count: 16)]),
                TNEFWriter.property(0x6004, 0x0040, [Array(repeating: 1, count: 8)]),
                TNEFWriter.property(0x6005, 0x001E, []),
                TNEFWriter.property(0x001A, 0x1E, [Array("IPM.Note\0".utf8)]),
                TNEFWriter.property(0x0037, 0x1F, [Self.utf16("Grüße\u{0}rest")]),
                TNEFWriter.property(0x1000, 0x1F, [Self.utf16("Hello\r\nthere")]),
                TNEFWriter.property(0x1035, 0x1E, [Array("<id@example.org>\0".utf8)]),
                TNEFWriter.property(0x0C1A, 0x1E, [Array("Jane\0".utf8)]),
                TNEFWriter.property(0x0C1E, 0x1E, [Array("SMTP\0".utf8)]),
                TNEFWriter.property(0x0C1F, 0x1E, [Array("jane@example.org\0".utf8)]),
                TNEFWriter.property(0x3FDE, 0x0003, [UInt32(65_001).little]),
                TNEFWriter.property(0x1013, 0x0102, [Array("<p>é</p>\0".utf8)]),
                TNEFWriter.property(0x0039, 0x0040, [UInt64(132_000_000_000_000_000).little]),
            ]))
        let parsed = TNEF.parse(writer.octets)
        #expect(parsed.defects.isEmpty)
        let message = try #require(parsed.value?.messages.first)
        #expect(message.messageClass == "IPM.Note")
        #expect(message.subject == "Grüße")
        #expect(message.text == "Hello\r\nthere")
        #expect(message.messageID == "id@example.org")
        #expect(message.senderName == "Jane" && message.senderAddress == "jane@example.org")
        #expect(message.html == "<p>é</p>")
        #expect(message.date?.text == "Wed, 17 Apr 2019 18:40:00 +0000")
    }

    @Test("has RTF, compressed and not")
    func rtf() {
        // The examples of [MS-OXRTFCP] §3.
        let compressed: [UInt8] = [
            0x2D, 0, 0, 0, 0x2B, 0, 0, 0, 0x4C, 0x5A, 0x46, 0x75, 0xF1, 0xC5, 0xC7, 0xA7, 0x03,
            0x00, 0x0A,
            0x00, 0x72, 0x63, 0x70, 0x67, 0x31, 0x32, 0x35, 0x42, 0x32, 0x0A, 0xF3, 0x20, 0x68,
            0x65, 0x6C,
            0x09, 0x00, 0x20, 0x62, 0x77, 0x05, 0xB0, 0x6C, 0x64, 0x7D, 0x0A, 0x80, 0x0F, 0xA0,
        ]
        let text = "{\\rtf1\\ansi\\ansicpg1252\\pard hello world}\r\n"
        let read = CompressedRTF.decompress(compressed)
        #expect(read.defects.isEmpty)
        #expect(read.value.map { String(decoding: $0, as: UTF8.self) } == text)
        let overlapping: [UInt8] = [
            0x1A, 0, 0, 0, 0x1C, 0, 0, 0, 0x4C, 0x5A, 0x46, 0x75, 0xE2, 0xD4, 0x4B, 0x51, 0x41,
            0x00, 0x04, 0x20,
            0x57, 0x58, 0x59, 0x5A, 0x0D, 0x6E, 0x7D, 0x01, 0x0E, 0xB0,
        ]
        let repeated = CompressedRTF.decompress(overlapping)
        #expect(repeated.defects.isEmpty)
        #expect(
            repeated.value.map { String(decoding: $0, as: UTF8.self) }
                == "{\\rtf1 WXYZWXYZWXYZWXYZWXYZ}")
        let plain: [UInt8] =
            UInt32(15).little + UInt32(3).little + Array("MELA".utf8) + [0, 0, 0, 0]
            + Array("abc".utf8)
        #expect(CompressedRTF.decompress(plain).value == Array("abc".utf8))
        var damaged = compressed
        damaged[12] ^= 1
        #expect(CompressedRTF.decompress(damaged).defects.map(\.kind) == [.wrongChecksum])
        #expect(
            CompressedRTF.decompress(Array(compressed.prefix(30))).defects.map(\.kind).contains(
                .invalidTNEF))
        #expect(CompressedRTF.decompress(Array("abc".utf8)).value == nil)
    }

    @Test("has messages in it, which are not recursed into")
    func nested() throws {
        var inner = TNEFWriter()
        inner.add(0x0001_8004, Array("level 0\0".utf8))
        inner.addFile("deep.txt", [1, 2, 3])
        for level in 1...40 {
            var outer = TNEFWriter()
            outer.add(0x0001_8004, Array("level \(level)\0".utf8))
            outer.add(0x0006_9002, Array(repeating: 0, count: 14), level: 2)
            let interface: [UInt8] = [7, 3, 2, 0, 0, 0, 0, 0, 0xC0, 0, 0, 0, 0, 0, 0, 0x46]
            outer.add(
                0x0006_9005,
                TNEFWriter.properties([
                    TNEFWriter.property(0x3705, 3, [UInt32(5).little]),
                    TNEFWriter.property(0x3001, 0x1E, [Array("level \(level - 1)\0".utf8)]),
                    TNEFWriter.property(0x3701, 0x0D, [interface + inner.octets]),
                ]), level: 2)
            inner = outer
        }
        let parsed = TNEF.parse(inner.octets)
        let tnef = try #require(parsed.value)
        #expect(tnef.messages.count == 16)
        #expect(parsed.defects.map(\.limit) == ["tnefDepth"])
        #expect(tnef.messages.prefix(2).map(\.subject) == ["level 40", "level 39"])
        #expect(tnef.messages.prefix(3).map(\.parent) == [nil, 0, 1])
        #expect(tnef.files.prefix(2).map(\.kind) == [.message(index: 1), .message(index: 2)])
        #expect(tnef.files.last?.kind == .unreadMessage)
        var limits = MIMELimits()
        limits.tnefDepth = 100
        let all = try #require(TNEF.parse(inner.octets, limits: limits).value)
        #expect(all.messages.count == 41)
        #expect(all.files.last.map { all.octets(of: $0) } == [1, 2, 3])
    }

    @Test("is read up to where it is damaged")
    func damage() throws {
        var writer = TNEFWriter()
        writer.addFile("a.txt", Array("aaa".utf8))
        writer.add(0x0001_8004, Array("subject\0".utf8), checksum: 1)
        let good = writer.octets
        #expect(TNEF.parse(good).defects.map(\.kind) == [.wrongChecksum])
        let garbage = TNEF.parse(good + [0, 0, 0])
        #expect(garbage.value?.files.count == 1)
        #expect(garbage.defects.map(\.kind) == [.wrongChecksum, .invalidTNEF])
        #expect(TNEF.parse(Array("no TNEF".utf8)).value == nil)
        #expect(TNEF.parse([]).value == nil)
        for count in good.indices { _ = TNEF.parse(Array(good.prefix(count))) }
    }

    @Test("has no more files than the limit")
    func fileLimit() throws {
        var writer = TNEFWriter()
        for _ in 0..<1_500 { writer.addFile("a", [1]) }
        let parsed = TNEF.parse(writer.octets)
        #expect(parsed.value?.files.count == 1_000)
        #expect(parsed.defects.map(\.limit) == ["embeddedFileCount"])
    }

    @Test("may be any octets")
    func garbage() {
        var writer = TNEFWriter()
        writer.add(
            0x0006_9003,
            TNEFWriter.properties([
                TNEFWriter.named("Keywords", 0x101E, [Array("one\0".utf8)]),
                TNEFWriter.property(0x0037, 0x1F, [Self.utf16("x")]),
                TNEFWriter.property(0x1009, 0x102, [Array(repeating: 3, count: 40)]),
            ]))
        writer.addFile("a.txt", Array("aaa".utf8))
        for seed in 0..<3_000 as Range<UInt64> {
            var random = SeededGenerator(seed: seed)
            var octets = writer.octets
            for _ in 0..<Int.random(in: 1...6, using: &random) {
                octets[Int.random(in: 6..<octets.count, using: &random)] = UInt8.random(
                    in: 0...255, using: &random)
            }
            let tnef = TNEF.parse(octets).value
            for file in tnef?.files ?? [] { #expect(file.range.upperBound <= octets.count) }
        }
    }

    @Test("with a false count of values ends with the octets")
    func falseCount() {
        var property = TNEFWriter.property(0x6001, 0x101E, [])
        property.replaceSubrange(4..<8, with: UInt32.max.little)
        var writer = TNEFWriter()
        writer.add(0x0006_9003, UInt32.max.little + property)
        #expect(TNEF.parse(writer.octets).defects.map(\.kind) == [.invalidTNEF])
    }

    @Test("in a message is unpacked to attached files, and its text is read")
    func inMessage() {
        var writer = TNEFWriter()
        writer.add(0x0002_800C, Array("Hello from Outlook\0".utf8))
        writer.addFile("a.txt", Array("aaa".utf8))
        writer.addFile("../b.txt", Array("b".utf8))
        let head =
            "Content-Type: application/ms-tnef; name=winmail.dat\nContent-Transfer-Encoding: base64\n\n"
        let message = Message(parsing: Array(head.utf8) + Base64.encode(writer.octets))
        #expect(message.attachedFiles.map(\.safeName) == ["a.txt", "b.txt"])
        #expect(message.attachedFiles.map(\.octets) == [Array("aaa".utf8), Array("b".utf8)])
        #expect(message.root.attachedFiles(unpacking: false).map(\.safeName) == ["winmail.dat"])
        #expect(message.readableText == "Hello from Outlook")
        let broken = Message(parsing: Array((head + "AAAA").utf8))
        #expect(broken.attachedFiles.map(\.safeName) == ["winmail.dat"])
    }
}
