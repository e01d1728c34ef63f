import MartletFiles
import Synchronization

/// A file that a stream of octets goes to; one that is not finished leaves nothing behind.
final class FileInProgress: Sendable {
    private let writer: Mutex<AtomicFileWriter?>

    init(path: String) throws(FileError) { writer = Mutex(try AtomicFileWriter(path: path)) }

    /// Appends.
    func write(_ octets: ArraySlice<UInt8>) throws(FileError) {
        try writer.withLock { writer throws(FileError) in try writer?.write(octets) }
    }

    /// Puts it in place, and gives its size in octets.
    func commit() throws(FileError) -> Int {
        try writer.withLock { writer throws(FileError) in
            guard let file = writer.take() else { return 0 }
            let size = file.sizeInOctets
            try file.commit()
            return size
        }
    }
}
