import MartletBytes
import MartletFiles
import Testing

#if canImport(Darwin)
    import Darwin
#elseif canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#endif

@Suite("Atomic file")
struct AtomicFileTests {
    private func mode(of path: String) -> mode_t {
        var status = stat()
        return lstat(path, &status) == 0 ? status.st_mode & 0o777 : 0
    }

    @Test("holds what was written, with the permissions asked for, and leaves nothing else")
    func writes() throws {
        let scratch = try Scratch()
        let path = scratch.file("ca.pem")
        try AtomicFile.write(Array("one".utf8), to: path)
        #expect(mode(of: path) == 0o600)
        try AtomicFile.write(Array("second".utf8), to: path, mode: 0o644)
        #expect(mode(of: path) == 0o644)
        #expect(try WholeFile.read(path, limitInOctets: 10) == Array("second".utf8))
        #expect(scratch.names == ["ca.pem"])
    }

    @Test("replaces a symbolic link and leaves its target alone")
    func link() throws {
        let scratch = try Scratch()
        try scratch.write(Array("target".utf8), "target")
        #expect(symlink(scratch.file("target"), scratch.file("link")) == 0)
        try AtomicFile.write(Array("new".utf8), to: scratch.file("link"))
        #expect(
            try WholeFile.read(scratch.file("target"), limitInOctets: 10) == Array("target".utf8))
        #expect(try WholeFile.read(scratch.file("link"), limitInOctets: 10) == Array("new".utf8))
    }

    @Test("that cannot be put in place leaves nothing behind")
    func fails() throws {
        let scratch = try Scratch()
        let folder = scratch.file("folder")
        #expect(mkdir(folder, 0o700) == 0)
        defer { rmdir(folder) }
        let error = #expect(throws: FileError.self) { try AtomicFile.write([1], to: folder) }
        #expect(
            error?.description == "\"\(folder)\" could not be put in place: Is a directory."
                || error?.kind == .notARegularFile(.directory))
        #expect(scratch.names == ["folder"])
        let missing = #expect(throws: FileError.self) {
            try AtomicFile.write([1], to: scratch.file("none/file"))
        }
        #expect(missing?.kind == .notFound)
        #expect(throws: FileError.self) { try AtomicFile.write([1], to: "") }
    }

    @Test("takes a source in pieces, and octets without a copy")
    func source() async throws {
        let scratch = try Scratch()
        let noise = FileSourceTests.noise(700_000)
        let source = try FileSource(path: scratch.write(noise, "noise"))
        let size = try await AtomicFile.write(
            contentsOf: source, to: scratch.file("copy"), mode: 0o640)
        #expect(size == 700_000 && mode(of: scratch.file("copy")) == 0o640)
        #expect(try WholeFile.read(scratch.file("copy"), limitInOctets: 1 << 20) == noise)
        var file = try AtomicFileWriter(path: scratch.file("both"))
        try file.write(Octets(try MappedFile(path: scratch.file("copy"))))
        try file.write([1, 2])
        #expect(file.sizeInOctets == 700_002)
        #expect(scratch.names.contains("both") == false)
        try file.commit()
        #expect(try WholeFile.read(scratch.file("both"), limitInOctets: 1 << 20) == noise + [1, 2])
        #expect(scratch.names == ["both", "copy", "noise"])
    }

    @Test("that is not finished leaves the old one as it was")
    func unfinished() async throws {
        let scratch = try Scratch()
        let path = try scratch.write([1], "file")
        do {
            var file = try AtomicFileWriter(path: path)
            try file.write([2, 3])
        }
        #expect(scratch.names == ["file"])
        let source = try FileSource(path: scratch.write(FileSourceTests.noise(5_000), "log"))
        truncate(scratch.file("log"), 100)
        await #expect(throws: FileError.self) {
            try await AtomicFile.write(contentsOf: source, to: path)
        }
        #expect(scratch.names == ["file", "log"])
        #expect(try WholeFile.read(path, limitInOctets: 10) == [1])
    }

    @Test("stays whole for a reader while it is replaced")
    func readers() async throws {
        let scratch = try Scratch()
        let path = scratch.file("file")
        try AtomicFile.write([UInt8](repeating: 0, count: 50_000), to: path)
        try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask {
                for round in 1...30 {
                    let octets = [UInt8](repeating: UInt8(round), count: 50_000)
                    try AtomicFile.write(octets, to: path)
                }
            }
            for _ in 1...100 {
                let octets = try WholeFile.read(path, limitInOctets: 100_000)
                #expect(octets.count == 50_000 && Set(octets).count == 1)
            }
            try await group.waitForAll()
        }
    }
}
