public import MartletBytes

#if canImport(Darwin)
    import Darwin
#elseif canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#endif

/// The octets of a pipe or terminal, taken in once so that they can be read again and have a size.
///
/// Up to 1 MiB stays in memory; what is larger goes to a temporary file that has no name, so that
/// nothing is left behind however the program ends.
public struct Spool: OctetSource {
    /// Octets kept in memory before a file is used: 1 MiB.
    public static let memoryLimitInOctets = 1 << 20
    /// The limit where a caller names none: 1 GiB, more than any mail server takes.
    public static let defaultLimitInOctets = 1 << 30

    private enum Storage: Sendable {
        case memory(OctetArray)
        case file(FileSource)
    }

    private let storage: Storage

    /// Reads `descriptor` to its end; it stays open. Blocks until the writer is done.
    ///
    /// - Parameters:
    ///   - descriptor: an open descriptor, such as 0 for standard input.
    ///   - name: what an error calls it.
    ///   - limit: the most octets taken.
    ///   - folder: where a temporary file may be; `nil` tries `TMPDIR`, /var/tmp and /tmp.
    /// - Throws: `FileError`: `.tooLarge` beyond the limit, or what the system said.
    public static func reading(
        descriptor: Int32, name: String = "standard input",
        limitInOctets limit: Int = defaultLimitInOctets, temporaryFolder folder: String? = nil
    ) throws(FileError) -> Spool {
        var octets: [UInt8] = []
        var file: FileDescriptor?
        var size = 0
        while true {
            let piece = try FileDescriptor.read(
                descriptor, atMost: min(FileSource.pieceInOctets, limit - size + 1), path: name)
            if piece.isEmpty { break }
            size += piece.count
            guard size <= limit else {
                throw FileError(
                    kind: .tooLarge(limitInOctets: limit), operation: .read, path: name)
            }
            if file == nil, size > memoryLimitInOctets {
                let opened = try temporaryFile(in: folder)
                try FileDescriptor.write(octets, to: opened.number, path: "temporary file")
                octets = []
                file = opened
            }
            if let file {
                try FileDescriptor.write(piece, to: file.number, path: "temporary file")
            } else {
                octets += piece
            }
        }
        guard let file else { return Spool(storage: .memory(OctetArray(octets))) }
        return Spool(storage: .file(FileSource(taking: file, sizeInOctets: size, path: name)))
    }

    private init(storage: Storage) { self.storage = storage }

    /// The number of octets that were taken in.
    public var sizeInOctets: Int {
        switch storage {
        case .memory(let octets): octets.sizeInOctets
        case .file(let file): file.sizeInOctets
        }
    }

    /// The octets, up to 1 MiB.
    public var octetsInMemory: [UInt8]? {
        switch storage {
        case .memory(let octets): octets.octets
        case .file: nil
        }
    }

    /// Starts reading from the first octet.
    public func makeReader() -> any OctetReader {
        switch storage {
        case .memory(let octets): octets.makeReader()
        case .file(let file): file.makeReader()
        }
    }

    /// A file that lost its name before anything was written to it.
    private static func temporaryFile(in folder: String?) throws(FileError) -> FileDescriptor {
        let folders = folder.map { [$0] } ?? standardFolders
        var failure: FileError?
        for folder in folders {
            var template = Array((folder + "/martlet-XXXXXX").utf8CString)
            let number = mkstemp(&template)
            if number < 0 {
                failure = FileError(operation: .create, path: folder, code: errno)
                continue
            }
            _ = fcntl(number, F_SETFD, FD_CLOEXEC)
            unlink(template)
            return FileDescriptor(taking: number)
        }
        throw failure!
    }

    private static var standardFolders: [String] {
        let named = getenv("TMPDIR").map { String(cString: $0) }
        return (named.map { $0.isEmpty ? [] : [$0] } ?? []) + ["/var/tmp", "/tmp"]
    }
}
