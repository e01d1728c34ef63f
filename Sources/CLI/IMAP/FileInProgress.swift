import MartletFiles
import Synchronization

/// A file that a stream of octets goes to; one that is not finished leaves nothing behind.
final class FileInProgress: Sendable {
    private let writer: Mutex<AtomicFileWriter?>

    /// - Parameter replaces: whether it takes the place of what is there; else that is a `CommandFailure`.
    init(path: String, replaces: Bool) throws {
        do {
            writer = Mutex(try AtomicFileWriter(path: path, replaces: replaces))
        } catch {
            throw Self.failure(error, path)
        }
    }

    /// Throws where something is there that would have to be replaced.
    static func refuseExisting(_ path: String) throws {
        guard AtomicFileWriter.exists(path) else { return }
        throw failure(FileError(kind: .exists, operation: .create, path: path), path)
    }

    private static func failure(_ error: FileError, _ path: String) -> any Error {
        guard error.kind == .exists else { return error }
        return CommandFailure(
            .badData, "\"\(path)\" is there already; --overwrite replaces it.", kind: "fileExists")
    }

    /// Appends.
    func write(_ octets: ArraySlice<UInt8>) throws(FileError) {
        try writer.withLock { writer throws(FileError) in try writer?.write(octets) }
    }

    /// Puts it in place, and gives its size in octets.
    func commit() throws -> Int {
        try writer.withLock { writer in
            guard let file = writer.take() else { return 0 }
            let (size, path) = (file.sizeInOctets, file.path)
            do throws(FileError) {
                try file.commit()
            } catch {
                throw Self.failure(error, path)
            }
            return size
        }
    }
}
