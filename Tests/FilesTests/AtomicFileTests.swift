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
