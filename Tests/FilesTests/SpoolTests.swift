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

@Suite("Spool")
struct SpoolTests {
    @Test(
        "takes in what a pipe gives, in memory up to 1 MiB and in a file beyond",
        arguments: [0, 1, 1 << 20, (1 << 20) + 1, 3_000_000])
    func sizes(size: Int) async throws {
        let scratch = try Scratch()
        let noise = FileSourceTests.noise(size)
        let descriptor = pipeFed(with: noise)
        defer { close(descriptor) }
        let spool = try Spool.reading(descriptor: descriptor, temporaryFolder: scratch.path)
        #expect(spool.sizeInOctets == size)
        #expect((spool.octetsInMemory != nil) == (size <= 1 << 20))
        #expect(try await spool.allOctets() == noise)
        #expect(try await spool.allOctets(limit: 77_777) == noise)
        #expect(scratch.names.isEmpty)
    }

    @Test("stops at its limit", arguments: [10, 2_000_000])
    func limit(limit: Int) throws {
        let descriptor = pipeFed(with: FileSourceTests.noise(2_500_000))
        defer { close(descriptor) }
        let error = #expect(throws: FileError.self) {
            try Spool.reading(descriptor: descriptor, limitInOctets: limit)
        }
        #expect(
            error?.description
                == "\"standard input\" holds more than \(limit) octets, the limit here.")
    }

    @Test("says which temporary folder it cannot use")
    func noFolder() throws {
        let descriptor = pipeFed(with: FileSourceTests.noise(2_500_000))
        defer { close(descriptor) }
        let error = #expect(throws: FileError.self) {
            try Spool.reading(descriptor: descriptor, temporaryFolder: "/nowhere")
        }
        #expect(
            error?.description == "\"/nowhere\" could not be created: No such file or directory.")
    }

    @Test("of a closed descriptor says what the system said")
    func closed() {
        let error = #expect(throws: FileError.self) { try Spool.reading(descriptor: 9_999) }
        #expect(
            error?.description == "\"standard input\" could not be read: Bad file descriptor.")
    }

    @Test("waits for a descriptor that does not block")
    func nonBlocking() throws {
        let descriptor = pipeFed(with: FileSourceTests.noise(500_000))
        defer { close(descriptor) }
        _ = fcntl(descriptor, F_SETFL, fcntl(descriptor, F_GETFL) | O_NONBLOCK)
        #expect(try Spool.reading(descriptor: descriptor).sizeInOctets == 500_000)
    }
}
