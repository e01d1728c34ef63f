public import MartletBytes

/// A regular file as a source of octets, read in pieces while it is sent.
///
/// The size is taken when the file is opened and never changes. A file that grows later gives its
/// first octets only; one that shrinks fails with `FileError.Kind.shrank`, so that a message is
/// never sent short. The open file stays the same one if the path is renamed or removed.
public struct FileSource: OctetSource {
    /// Octets asked of the system at once, at most: 256 KiB.
    public static let pieceInOctets = 256 * 1024

    /// The path as the caller gave it.
    public let path: String
    /// The size when the file was opened.
    public let sizeInOctets: Int
    private let descriptor: FileDescriptor
    /// Where its first octet is in the file.
    private let start: Int

    /// Opens a regular file. Folders, pipes and devices are refused.
    ///
    /// - Throws: `FileError` naming the path and the reason.
    public init(path: String) throws(FileError) {
        (descriptor, sizeInOctets) = try FileDescriptor.opened(path) { $0 == .regular }
        self.path = path
        start = 0
    }

    /// Takes an open descriptor of a regular file; it is closed with the last copy.
    init(taking descriptor: FileDescriptor, sizeInOctets: Int, path: String) {
        self.descriptor = descriptor
        self.sizeInOctets = sizeInOctets
        self.path = path
        start = 0
    }

    /// Some of the octets of an open regular file.
    init(taking descriptor: FileDescriptor, range: Range<Int>, path: String) {
        self.descriptor = descriptor
        sizeInOctets = range.count
        self.path = path
        start = range.lowerBound
    }

    /// Starts reading from the first octet. Readers do not disturb each other.
    public func makeReader() -> any OctetReader {
        Reader(descriptor: descriptor, path: path, start: start, sizeInOctets: sizeInOctets)
    }

    private struct Reader: OctetReader {
        let descriptor: FileDescriptor
        let path: String
        let start: Int
        let sizeInOctets: Int
        var offset = 0

        mutating func read(atMost limit: Int) throws(FileError) -> [UInt8] {
            let wanted = min(limit, FileSource.pieceInOctets, sizeInOctets - offset)
            guard wanted > 0 else { return [] }
            let octets = try FileDescriptor.read(
                descriptor.number, atMost: wanted, at: start + offset, path: path)
            guard !octets.isEmpty else {
                throw FileError(
                    kind: .shrank(
                        expectedOctets: start + sizeInOctets, foundOctets: start + offset),
                    operation: .read, path: path)
            }
            offset += octets.count
            return octets
        }
    }
}
