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

@Suite("File source")
struct FileSourceTests {
    static func noise(_ count: Int) -> [UInt8] {
        var generator = SeededGenerator(seed: UInt64(count))
        return (0..<count).map { _ in UInt8.random(in: .min ... .max, using: &generator) }
    }

    @Test("gives a file's octets in pieces of any size", arguments: [1, 7, 4_096, 10_000_000])
    func pieces(limit: Int) async throws {
        let scratch = try Scratch()
        let noise = Self.noise(limit == 1 ? 3_000 : 600_000)
        let source = try FileSource(path: scratch.write(noise, "noise"))
        #expect(source.sizeInOctets == noise.count)
        #expect(source.octetsInMemory == nil)
        #expect(try await source.allOctets(limit: limit) == noise)
        #expect(try await source.allOctets(limit: limit) == noise)
    }

    @Test("never reads more than 256 KiB at once")
    func pieceLimit() async throws {
        let scratch = try Scratch()
        let source = try FileSource(path: scratch.write(Self.noise(600_000), "noise"))
        var reader = source.makeReader()
        #expect(try await reader.read(atMost: .max).count == FileSource.pieceInOctets)
    }

    @Test("of an empty file is empty")
    func empty() async throws {
        let scratch = try Scratch()
        let source = try FileSource(path: scratch.write([], "empty"))
        #expect(source.sizeInOctets == 0)
        #expect(try await source.allOctets().isEmpty)
    }

    @Test("of a file that shrinks while it is read fails, naming the file and both sizes")
    func shrinks() async throws {
        let scratch = try Scratch()
        let path = try scratch.write(Self.noise(10_000), "log.bin")
        let source = try FileSource(path: path)
        var reader = source.makeReader()
        #expect(try await reader.read(atMost: 100).count == 100)
        #expect(truncate(path, 4_000) == 0)
        #expect(try await reader.read(atMost: 10_000).count == 3_900)
        let error = try await #require(throws: FileError.self) {
            _ = try await reader.read(atMost: 10_000)
        }
        #expect(error.kind == .shrank(expectedOctets: 10_000, foundOctets: 4_000))
        #expect(
            error.description
                == "\"\(path)\" became shorter while it was read: 4000 of its 10000 octets were left."
        )
        #expect(error.recovery == .fixInput)
    }

    @Test("of a file that grows gives its first octets only")
    func grows() async throws {
        let scratch = try Scratch()
        let path = try scratch.write(Self.noise(1_000), "log")
        let source = try FileSource(path: path)
        let number = open(path, O_WRONLY | O_APPEND)
        #expect(write(number, "more", 4) == 4)
        close(number)
        #expect(source.sizeInOctets == 1_000)
        #expect(try await source.allOctets() == Self.noise(1_000))
    }

    @Test("stays the same file when its name goes")
    func renamed() async throws {
        let scratch = try Scratch()
        let path = try scratch.write(Array("first".utf8), "name")
        let source = try FileSource(path: path)
        try scratch.write(Array("second".utf8), "name")
        #expect(try await source.allOctets() == Array("first".utf8))
    }

    @Test("refuses what is not a regular file, without waiting for it")
    func refuses() throws {
        let scratch = try Scratch()
        mkfifo(scratch.file("fifo"), 0o600)
        let cases: [(String, FileError.Kind, String)] = [
            (scratch.path, .notARegularFile(.directory), "is a folder; a regular file is needed"),
            (scratch.file("fifo"), .notARegularFile(.pipe), "is a pipe; a regular file is needed"),
            ("/dev/null", .notARegularFile(.characterDevice), "is a device; a regular file"),
            (scratch.file("none"), .notFound, "could not be opened: No such file or directory."),
            ("", .unusablePath, "cannot be the name of a file."),
            ("a\u{0}b", .unusablePath, "\"a?b\" cannot be the name of a file."),
            (String(repeating: "x", count: 5_000), .system, "could not be opened: File name too"),
        ]
        for (path, kind, words) in cases {
            let error = #expect(throws: FileError.self) { try FileSource(path: path) }
            #expect(error?.kind == kind)
            #expect(error?.description.contains(words) == true, "\(error?.description ?? "")")
        }
    }

    @Test("needs the permission to read", .disabled(if: getuid() == 0, "root may read everything"))
    func permission() throws {
        let scratch = try Scratch()
        let path = try scratch.write([1], "secret")
        chmod(path, 0)
        let error = #expect(throws: FileError.self) { try FileSource(path: path) }
        #expect(error?.kind == .permissionDenied)
    }
}
