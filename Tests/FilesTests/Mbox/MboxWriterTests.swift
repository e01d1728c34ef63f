import MartletBytes
import MartletFiles
import MartletMIME
import MartletTestSupport
import Testing

#if canImport(Darwin)
    import Darwin
#elseif canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#endif

@Suite("Mbox writer")
struct MboxWriterTests {
    private static let date = MailDate(secondsSinceEpoch: 823_805_348, offsetInMinutes: 60)

    private static func text(_ path: String) throws -> String {
        String(decoding: try WholeFile.read(path, limitInOctets: 1 << 24), as: UTF8.self)
    }

    @Test(
        "writes each variant as it is known",
        arguments: [
            (
                MboxVariant.mboxrd,
                "A: b\r\nContent-Length: 7\r\n\r\nFrom x\r\n>From y\r\nz From \r\n",
                "A: b\nContent-Length: 7\n\n>From x\n>>From y\nz From \n\n"
            ),
            (.mboxo, "A: b\n\nFrom x\n>From y\n>>From z", "A: b\n\n>From x\n>From y\n>>From z\n\n"),
            (
                .mboxcl, "A: b\ncontent-length : 7\n 8\nC: d\n\nFrom x\n>From y\n",
                "A: b\nC: d\nContent-Length: 16\n\n>From x\n>From y\n\n"
            ),
            (.mboxcl2, "A: b\n\nFrom x", "A: b\nContent-Length: 6\n\nFrom x\n\n"),
            (.mboxcl2, "Content-Length: 1\r\nA: b", "A: b\nContent-Length: 0\n\n\n"),
            (.mboxcl2, "", "Content-Length: 0\n\n\n"),
            (.mboxcl2, "\nx", "Content-Length: 1\n\nx\n\n"),
            (.mboxrd, "", "\n"), (.mboxrd, "x\r", "x\r\n\n"), (.mboxrd, ">Fro", ">Fro\n\n"),
        ] as [(MboxVariant, String, String)])
    func written(variant: MboxVariant, message: String, expected: String) async throws {
        let scratch = try Scratch()
        let path = scratch.file("mbox")
        for seed in 1...8 as ClosedRange<UInt64> {
            unlink(path)
            var writer = try MboxWriter(path: path, variant: variant)
            try await writer.append(
                StreamedOctets(Array(message.utf8), seed: seed), sender: "jane@example.org",
                date: Self.date)
            try writer.close()
            #expect(
                try Self.text(path)
                    == "From jane@example.org Thu Feb  8 18:49:08 1996\n" + expected)
        }
    }

    @Test(
        "writes senders as one word",
        arguments: [
            (nil, "MAILER-DAEMON"), ("", "MAILER-DAEMON"), ("a b@c.test\nFrom", "a-b@c.test-From"),
            ("jürgen@example.org", "jürgen@example.org"),
        ] as [(String?, String)])
    func senders(sender: String?, expected: String) async throws {
        let scratch = try Scratch()
        let path = scratch.file("mbox")
        var writer = try MboxWriter(path: path)
        try await writer.append(
            OctetArray([]), sender: sender, date: MailDate(secondsSinceEpoch: 1_700_000_000))
        try writer.close()
        #expect(try Self.text(path) == "From \(expected) Tue Nov 14 22:13:20 2023\n\n")
    }

    private static func message(_ generator: inout SeededGenerator) -> [UInt8] {
        let pieces = [
            "From ", ">", ">From ", "\n", "\n", "\r\n", "\r", "x", "Subject: a\n", " ",
            "\n\nFrom a@b.test Thu Feb  8 18:49:08 1996\nSubject: b\n", "Fro", "\u{0}", "From - \n",
        ]
        let text = (0..<Int.random(in: 0...30, using: &generator)).map { _ in
            pieces.randomElement(using: &generator)!
        }
        return Array(text.joined().utf8)
    }

    @Test(
        "gives back what was written", arguments: [.mboxrd, .mboxo, .mboxcl2] as [MboxVariant],
        [1, 2, 3, 4, 5] as [UInt64])
    func law(variant: MboxVariant, seed: UInt64) async throws {
        let scratch = try Scratch()
        let path = scratch.file("mbox")
        var generator = SeededGenerator(seed: seed)
        var expected: [[UInt8]] = []
        for _ in 0..<4 {
            // opened anew: what is there stays, also without its last line end
            var writer = try MboxWriter(path: path, variant: variant, lineEnds: .unchanged)
            for _ in 0..<20 {
                var message = Self.message(&generator)
                if variant == .mboxcl2 { message = Array("A: b\n\n".utf8) + message }
                if variant == .mboxo {
                    message = message.filter { $0 != ASCII.greater }
                }
                try await writer.append(
                    StreamedOctets(message, seed: seed), sender: "a@b.test", date: Self.date)
                if variant == .mboxcl2 {
                    let field = "A: b\nContent-Length: \(message.count - 6)\n\n"
                    message = Array(field.utf8) + message.dropFirst(6)
                } else if message.last.map({ $0 != ASCII.lf }) ?? false {
                    message.append(ASCII.lf)
                }
                expected.append(message)
            }
            try writer.close()
        }
        let reader = try MboxReader(path: path, variant: variant)
        let found = try allMessages(reader).map { message in
            let octets = try reader.octets(of: message, unescaping: true)
            return octets[0..<octets.count]
        }
        #expect(found == expected)
        #expect(try allMessages(reader).allSatisfy { $0.date?.secondsSinceEpoch == 823_805_348 })
    }

    @Test(
        "ends the last message of the file first",
        arguments: [
            ("From a Thu Feb  8 18:49:08 1996\nA: b\n\nx", "\n\n"),
            ("From a Thu Feb  8 18:49:08 1996\nA: b\n\nx\n", "\n"),
            ("From a Thu Feb  8 18:49:08 1996\nA: b\n\nx\n\n", ""),
            ("From a Thu Feb  8 18:49:08 1996\r\nA: b\r\n\r\nx\r\n\r\n", ""),
            ("From a Thu Feb  8 18:49:08 1996\r\nA: b\r\n\r\nx\r\n", "\n"),
            ("\n", ""), ("", ""),
        ])
    func ends(start: String, added: String) async throws {
        let scratch = try Scratch()
        let path = try scratch.write(Array(start.utf8), "mbox")
        var writer = try MboxWriter(path: path)
        try await writer.append(OctetArray([0x78]), sender: nil, date: Self.date)
        try writer.close()
        let text = try Self.text(path)
        #expect(text.hasPrefix(start + added + "From MAILER"))
        #expect(try allMessages(MboxReader(path: path)).last?.range.count == 2)
    }

    @Test("takes a message away that could not be written whole")
    func broken() async throws {
        let scratch = try Scratch()
        let path = scratch.file("mbox")
        var writer = try MboxWriter(path: path, lineEnds: .unchanged)
        try await writer.append(OctetArray([0x78]), sender: nil, date: Self.date)
        let before = try Self.text(path)
        let long = [UInt8](repeating: 0x78, count: 1_000_000)
        do {
            try await writer.append(
                StreamedOctets(long, breaksAt: 700_000), sender: nil, date: Self.date)
            Issue.record("a broken source did not throw")
        } catch StreamedOctets.Failure.broken {}
        #expect(try Self.text(path) == before)
        try await writer.append(OctetArray([0x79]), sender: nil, date: Self.date)
        try writer.close()
        #expect(try allMessages(MboxReader(path: path)).map(\.range.count) == [2, 2])
    }

    @Test("refuses files that are no mbox, and what is no file")
    func refused() throws {
        let scratch = try Scratch()
        let path = try scratch.write(Array("Dear diary\n".utf8), "diary")
        func kind(_ path: String) -> FileError.Kind? {
            do throws(FileError) {
                _ = try MboxWriter(path: path, waiting: .zero)
                return nil
            } catch { return error.kind }
        }
        #expect(kind(path) == .unexpectedContent(expected: "an mbox"))
        #expect(kind(scratch.path) == .notARegularFile(.directory))
        mkfifo(scratch.file("fifo"), 0o600)
        #expect(kind(scratch.file("fifo")) == .notARegularFile(.pipe))
        #expect(kind("") == .unusablePath)
        #expect(kind(scratch.file("none/mbox")) == .notFound)
        #expect(try Self.text(path) == "Dear diary\n")
    }
}

@Suite("Mbox lock")
struct MboxLockTests {
    @Test("keeps other writers and readers out, and lets readers in together")
    func exclusive() throws {
        let scratch = try Scratch()
        let path = try scratch.write([], "mbox")
        func isLocked(_ purpose: MboxLock.Purpose) throws -> Bool {
            do throws(FileError) {
                _ = try MboxLock(path, for: purpose, waiting: .zero)
                return false
            } catch {
                guard error.kind == .locked else { throw error }
                #expect(error.recovery == .retry)
                return true
            }
        }
        var writing: MboxLock? = try MboxLock(path, for: .writing)
        #expect(scratch.names == ["mbox", "mbox.lock"])
        #expect(try isLocked(.writing) && isLocked(.reading))
        withExtendedLifetime(writing) {}
        writing = nil
        #expect(scratch.names == ["mbox"])
        var reading: MboxLock? = try MboxLock(path, for: .reading)
        #expect(try isLocked(.writing) && !isLocked(.reading))
        withExtendedLifetime(reading) {}
        reading = nil
        #expect(try !isLocked(.writing))
    }

    @Test("is held by a writer until it is closed")
    func writer() throws {
        let scratch = try Scratch()
        let path = scratch.file("mbox")
        let writer = try MboxWriter(path: path)
        #expect(throws: FileError.self) { try MboxLock(path, for: .reading, waiting: .zero) }
        try writer.close()
        #expect(scratch.names == ["mbox"])
        _ = try MboxLock(path, for: .writing, waiting: .zero)
    }

    @Test("respects a lock file, unless it was left over from a crash")
    func lockFile() throws {
        let scratch = try Scratch()
        let path = try scratch.write([], "mbox")
        try scratch.write([], "mbox.lock")
        let error = #expect(throws: FileError.self) {
            try MboxLock(path, for: .writing, waiting: .zero)
        }
        #expect(error?.kind == .locked)
        #expect(
            error?.description == "\"\(path)\" is locked by another program. Try again later.")
        #expect(scratch.names == ["mbox", "mbox.lock"])
        let old = timeval(tv_sec: time(nil) - 400, tv_usec: 0)
        #expect(utimes(path + ".lock", [old, old]) == 0)
        let lock = try MboxLock(path, for: .writing, waiting: .zero)
        #expect(scratch.names == ["mbox", "mbox.lock"])
        withExtendedLifetime(lock) {}
    }

    @Test("leaves a lock file alone that is not its own")
    func foreign() throws {
        let scratch = try Scratch()
        let path = try scratch.write([], "mbox")
        var lock: MboxLock? = try MboxLock(path, for: .writing, waiting: .zero)
        withExtendedLifetime(lock) { _ = unlink(path + ".lock") }
        try scratch.write([1], "mbox.lock")
        lock = nil
        #expect(scratch.names == ["mbox", "mbox.lock"])
    }

    @Test("needs an mbox that is there")
    func missing() throws {
        let scratch = try Scratch()
        let error = #expect(throws: FileError.self) {
            try MboxLock(scratch.file("none"), for: .writing)
        }
        #expect(error?.kind == .notFound)
        #expect(scratch.names.isEmpty)
    }
}
