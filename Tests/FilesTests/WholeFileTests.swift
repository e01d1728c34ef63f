import MartletFiles
import Testing

#if canImport(Darwin)
    import Darwin
#elseif canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#endif

@Suite("Whole file")
struct WholeFileTests {
    @Test("is read up to its limit and not one octet beyond", arguments: [0, 1, 65_536, 200_000])
    func limit(size: Int) throws {
        let scratch = try Scratch()
        let octets = FileSourceTests.noise(size)
        let path = try scratch.write(octets, "file")
        #expect(try WholeFile.read(path, limitInOctets: size) == octets)
        #expect(try WholeFile.read(path, limitInOctets: size + 1) == octets)
        guard size > 0 else { return }
        let error = #expect(throws: FileError.self) {
            try WholeFile.read(path, limitInOctets: size - 1)
        }
        #expect(error?.kind == .tooLarge(limitInOctets: size - 1))
    }

    @Test("may be a pipe, as a shell's <(command) is")
    func pipe() throws {
        let descriptor = pipeFed(with: FileSourceTests.noise(300_000))
        defer { close(descriptor) }
        let path = "/dev/fd/\(descriptor)"
        #expect(try WholeFile.read(path, limitInOctets: 1 << 20) == FileSourceTests.noise(300_000))
    }

    @Test("that is an endless pipe is left at the limit")
    func endless() throws {
        let descriptor = pipeFed(with: FileSourceTests.noise(300_000))
        defer { close(descriptor) }
        let error = #expect(throws: FileError.self) {
            try WholeFile.read("/dev/fd/\(descriptor)", limitInOctets: 1_000)
        }
        #expect(error?.kind == .tooLarge(limitInOctets: 1_000))
    }

    @Test(
        "that says it is empty is read all the same",
        .enabled(if: access("/proc/version", R_OK) == 0))
    func proc() throws {
        #expect(try WholeFile.read("/proc/version", limitInOctets: 10_000).count > 10)
    }

    @Test("is no folder and no device", arguments: ["/", "/dev/zero"])
    func refused(path: String) {
        #expect(throws: FileError.self) { try WholeFile.read(path, limitInOctets: 10) }
    }
}
