#if canImport(Darwin)
    import Darwin
#elseif canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#endif

/// The names in a folder, one after the other, in the order of the file system.
final class FolderListing {
    #if canImport(Darwin)
        private typealias Stream = UnsafeMutablePointer<DIR>
    #else
        private typealias Stream = OpaquePointer
    #endif

    private let stream: Stream
    private let path: String

    /// - Parameter folder: an open folder, which stays as it is.
    init(_ folder: FileDescriptor, path: String) throws(FileError) {
        // An own descriptor: the place in the listing belongs to it.
        let number = openat(folder.number, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        guard number >= 0, let stream = fdopendir(number) else {
            let code = errno
            if number >= 0 { close(number) }
            throw FileError(operation: .read, path: path, code: code)
        }
        self.stream = stream
        self.path = path
    }

    deinit { closedir(stream) }

    /// The next name and whether it is surely a folder; `nil` at the end. `.` and `..` are left out.
    func next() throws(FileError) -> (name: [UInt8], isFolder: Bool)? {
        while true {
            errno = 0
            guard let entry = readdir(stream) else {
                guard errno == 0 else {
                    throw FileError(operation: .read, path: path, code: errno)
                }
                return nil
            }
            let name = withUnsafePointer(to: &entry.pointee.d_name) { name in
                // The name ends with a NUL inside of its array.
                UnsafeRawPointer(name).withMemoryRebound(to: CChar.self, capacity: 1) {
                    [UInt8](UnsafeRawBufferPointer(start: $0, count: strlen($0)))
                }
            }
            if name == [0x2E] || name == [0x2E, 0x2E] { continue }
            return (name, Int32(entry.pointee.d_type) == Int32(DT_DIR))
        }
    }
}

/// Calls `body` with a name as C wants it.
func withFileName<Result>(_ octets: [UInt8], _ body: (UnsafePointer<CChar>) -> Result) -> Result {
    let name = octets.map { CChar(bitPattern: $0) } + [0]
    return name.withUnsafeBufferPointer { body($0.baseAddress!) }
}
