/// Small files, read at once.
public enum WholeFile {
    /// Reads a file, or a pipe until its writer closes it, as `<(command)` in a shell makes one.
    ///
    /// - Parameter limit: the most octets it may hold; a larger file is not read to its end.
    /// - Throws: `FileError` naming the path and the reason; folders and devices are refused.
    public static func read(_ path: String, limitInOctets limit: Int) throws(FileError) -> [UInt8] {
        let (descriptor, size) = try FileDescriptor.opened(path) { $0 == .regular || $0 == .pipe }
        guard size <= limit else {
            throw FileError(kind: .tooLarge(limitInOctets: limit), operation: .read, path: path)
        }
        return try FileDescriptor.readToEnd(
            descriptor.number, expecting: size, limitInOctets: limit, path: path)
    }
}
