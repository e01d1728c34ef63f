#if canImport(Darwin)
    import Darwin
#elseif canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#endif

/// A file that only grows, a line at a time. A crash loses nothing but a last line that is not whole, which readers pass over.
public enum JournalFile {
    /// Appends lines in one write; makes the file, with mode 0600, where there is none.
    ///
    /// - Parameter octets: whole lines with their ends.
    /// - Throws: `FileError`, `.noSpace` when the disk is full.
    public static func append(_ octets: [UInt8], to path: String) throws(FileError) {
        try FileDescriptor.checkPath(path, operation: .write)
        let number = open(path, O_WRONLY | O_APPEND | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0o600)
        guard number >= 0 else { throw FileError(operation: .open, path: path, code: errno) }
        let file = FileDescriptor(taking: number)
        var rest = octets[...]
        while !rest.isEmpty {
            let count = rest.withUnsafeBytes { write(file.number, $0.baseAddress, $0.count) }
            if count < 0, errno == EINTR { continue }
            guard count > 0 else { throw FileError(operation: .write, path: path, code: errno) }
            rest = rest.dropFirst(count)
        }
    }
}
