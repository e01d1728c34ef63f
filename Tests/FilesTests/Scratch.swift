import MartletBytes
import MartletFiles

#if canImport(Darwin)
    import Darwin
#elseif canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#endif

/// A folder that goes away with the test.
final class Scratch {
    let path: String

    init() throws { path = try TemporaryFolder.make(prefix: "martlet-tests") }

    deinit { Self.remove(path) }

    private static func remove(_ path: String) {
        for name in names(in: path) where unlink(path + "/" + name) != 0 {
            remove(path + "/" + name)
        }
        rmdir(path)
    }

    func file(_ name: String) -> String { path + "/" + name }

    @discardableResult
    func write(_ octets: [UInt8], _ name: String) throws -> String {
        try AtomicFile.write(octets, to: file(name))
        return file(name)
    }

    var names: [String] { Self.names(in: path) }

    /// The sorted names in a folder inside.
    func names(in folder: String) -> [String] { Self.names(in: file(folder)) }

    private static func names(in path: String) -> [String] {
        guard let folder = opendir(path) else { return [] }
        defer { closedir(folder) }
        var names: [String] = []
        while let entry = readdir(folder) {
            let name = withUnsafePointer(to: &entry.pointee.d_name) {
                $0.withMemoryRebound(to: CChar.self, capacity: 256) { String(cString: $0) }
            }
            if name != ".", name != ".." { names.append(name) }
        }
        return names.sorted()
    }
}

/// A pipe whose other end is fed by a thread, so that a full pipe does not block the test.
func pipeFed(with octets: [UInt8]) -> Int32 {
    signal(SIGPIPE, SIG_IGN)  // readers that stop early are what some tests are about
    var ends: [Int32] = [0, 0]
    precondition(pipe(&ends) == 0)
    let feed = Feed(descriptor: ends[1], octets: octets)
    var thread = pthread_t()
    #if canImport(Darwin)
        var made: pthread_t?
        pthread_create(
            &made, nil,
            {
                Feed.run($0); return nil
            }, feed.retained)
        thread = made!
    #else
        pthread_create(
            &thread, nil,
            {
                Feed.run($0!); return nil
            }, feed.retained)
    #endif
    pthread_detach(thread)
    return ends[0]
}

private final class Feed: Sendable {
    let descriptor: Int32
    let octets: [UInt8]

    init(descriptor: Int32, octets: [UInt8]) {
        self.descriptor = descriptor
        self.octets = octets
    }

    var retained: UnsafeMutableRawPointer { Unmanaged.passRetained(self).toOpaque() }

    static func run(_ pointer: UnsafeMutableRawPointer) {
        let feed = Unmanaged<Feed>.fromOpaque(pointer).takeRetainedValue()
        var rest = feed.octets[...]
        while !rest.isEmpty {
            let written = rest.withUnsafeBytes { write(feed.descriptor, $0.baseAddress, $0.count) }
            guard written > 0 else { break }
            rest = rest.dropFirst(written)
        }
        close(feed.descriptor)
    }
}
