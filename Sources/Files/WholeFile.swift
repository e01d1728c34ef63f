/// Small files, read at once.
public enum WholeFile {
    /// Reads a file, or a pipe until its writer closes it, as `<(command)` in a shell makes one.
    ///
    /// - Parameter limit: the most octets it may hold; a larger file is not read to its end.
    /// - Throws: `FileError` naming the path and the reason; folders and devices are refused.
    public static func read(_ path: String, limitInOctets limit: Int) throws(FileError) -> [UInt8] {
        let (descriptor, size) = try FileDescriptor.opened(path) { $0 == .regular || $0 == .pipe }
        let tooLarge = FileError(
            kind: .tooLarge(limitInOctets: limit), operation: .read, path: path)
        guard size <= limit else { throw tooLarge }
        var octets: [UInt8] = []
        // The size is a hint only: files under /proc say 0 and hold something.
        while true {
            let piece = try FileDescriptor.read(
                descriptor.number, atMost: min(64 * 1024, limit - octets.count + 1), path: path)
            if piece.isEmpty { return octets }
            octets += piece
            guard octets.count <= limit else { throw tooLarge }
        }
    }
}
