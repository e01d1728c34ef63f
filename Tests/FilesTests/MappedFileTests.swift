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

@Suite("Mapped file")
struct MappedFileTests {
    private static let threshold = MappedFile.mappingThresholdInOctets

    @Test(
        "holds the octets of the file, mapped from 1 MiB on",
        arguments: [0, 1, 4_095, 4_096, threshold - 1, threshold, threshold + 1])
    func sizes(size: Int) throws {
        let scratch = try Scratch()
        let noise = FileSourceTests.noise(size)
        let file = try MappedFile(path: scratch.write(noise, "noise"))
        #expect(file.isMapped == (size >= Self.threshold))
        #expect(file.count == size)
        #expect(file.withUnsafeBytes { [UInt8]($0) } == noise)
        let octets = Octets(file)
        #expect(octets.count == size)
        #expect(octets[3..<90] == Array(noise.prefix(90).dropFirst(3)))
    }

    @Test("stays the same when its name goes", arguments: [100, 1_300_000])
    func unlinked(size: Int) throws {
        let scratch = try Scratch()
        let noise = FileSourceTests.noise(size)
        let path = try scratch.write(noise, "name")
        let octets = Octets(try MappedFile(path: path))
        try scratch.write([1, 2, 3], "name")
        #expect(octets[0..<size] == noise)
    }

    @Test("is read below 1 MiB, so that it may be cut")
    func cut() throws {
        let scratch = try Scratch()
        let noise = FileSourceTests.noise(Self.threshold - 1)
        let path = try scratch.write(noise, "noise")
        let file = try MappedFile(path: path)
        #expect(truncate(path, 0) == 0)
        #expect(file.withUnsafeBytes { [UInt8]($0) } == noise)
    }

    @Test("does not see what is appended", arguments: [1_000, 1_100_000])
    func appended(size: Int) throws {
        let scratch = try Scratch()
        let noise = FileSourceTests.noise(size)
        let path = try scratch.write(noise, "noise")
        let file = try MappedFile(path: path)
        let number = open(path, O_WRONLY | O_APPEND)
        #expect(write(number, "more", 4) == 4)
        close(number)
        #expect(file.withUnsafeBytes { [UInt8]($0) } == noise)
    }

    @Test("has a limit", arguments: [10, 5_000, 1_200_000])
    func limit(size: Int) throws {
        let scratch = try Scratch()
        let path = try scratch.write(FileSourceTests.noise(size), "noise")
        #expect(try MappedFile(path: path, limitInOctets: size).count == size)
        #expect(try MappedFile(path: path, limitInOctets: .max).count == size)
        let error = #expect(throws: FileError.self) {
            try MappedFile(path: path, limitInOctets: size - 1)
        }
        #expect(error?.kind == .tooLarge(limitInOctets: size - 1))
        #expect(error?.recovery == .fixInput)
    }

    @Test("may be a pipe, which is read up to the limit")
    func pipe() throws {
        let descriptor = pipeFed(with: FileSourceTests.noise(300_000))
        defer { close(descriptor) }
        let file = try MappedFile(path: "/dev/fd/\(descriptor)")
        #expect(!file.isMapped)
        #expect(file.withUnsafeBytes { [UInt8]($0) } == FileSourceTests.noise(300_000))
        let endless = pipeFed(with: FileSourceTests.noise(300_000))
        defer { close(endless) }
        let error = #expect(throws: FileError.self) {
            try MappedFile(path: "/dev/fd/\(endless)", limitInOctets: 1_000)
        }
        #expect(error?.kind == .tooLarge(limitInOctets: 1_000))
    }

    @Test(
        "that says it is empty is read all the same",
        .enabled(if: access("/proc/version", R_OK) == 0, "there is no /proc here"))
    func proc() throws { #expect(try MappedFile(path: "/proc/version").count > 10) }

    @Test("is no folder, no device and not missing")
    func refused() throws {
        let scratch = try Scratch()
        let cases: [(String, FileError.Kind)] = [
            (scratch.path, .notARegularFile(.directory)),
            ("/dev/zero", .notARegularFile(.characterDevice)),
            (scratch.file("none"), .notFound), ("", .unusablePath),
        ]
        for (path, kind) in cases {
            let error = #expect(throws: FileError.self) { try MappedFile(path: path) }
            #expect(error?.kind == kind)
        }
    }

    @Test("may be read by many tasks at once")
    func concurrent() async throws {
        let scratch = try Scratch()
        let noise = FileSourceTests.noise(1_200_000)
        let octets = Octets(try MappedFile(path: scratch.write(noise, "noise")))
        await withTaskGroup(of: Bool.self) { group in
            for start in 0..<8 {
                group.addTask {
                    octets[start * 50_000..<1_200_000] == Array(noise[(start * 50_000)...])
                }
            }
            for await isSame in group { #expect(isSame) }
        }
    }
}
