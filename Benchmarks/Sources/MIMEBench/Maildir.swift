#if canImport(Glibc)
    import Glibc
#else
    import Darwin
#endif

/// The files of a Maildir in the order of their names.
struct Maildir {
    let paths: [String]

    init(_ path: String) throws {
        var paths: [String] = []
        for folder in ["cur", "new"] {
            guard let directory = opendir(path + "/" + folder) else { continue }
            defer { closedir(directory) }
            while let entry = readdir(directory) {
                let name = withUnsafePointer(to: &entry.pointee.d_name) {
                    $0.withMemoryRebound(to: CChar.self, capacity: 1) { String(cString: $0) }
                }
                if !name.hasPrefix(".") { paths.append("\(path)/\(folder)/\(name)") }
            }
        }
        guard !paths.isEmpty else {
            throw Options.Mistake(description: "there are no messages in \(path).")
        }
        self.paths = paths.sorted()
    }

    static func read(_ path: String) throws -> [UInt8] {
        let descriptor = open(path, O_RDONLY)
        guard descriptor >= 0 else {
            throw Options.Mistake(description: "\(path) cannot be opened.")
        }
        defer { close(descriptor) }
        var status = stat()
        fstat(descriptor, &status)
        return [UInt8](unsafeUninitializedCapacity: Int(status.st_size)) { buffer, count in
            while count < buffer.count, let base = buffer.baseAddress {
                let got = systemRead(descriptor, base + count, buffer.count - count)
                if got <= 0 { break }
                count += got
            }
        }
    }
}

// The method named `read` hides the system's function inside the type.
private func systemRead(_ number: Int32, _ buffer: UnsafeMutableRawPointer, _ count: Int) -> Int {
    read(number, buffer, count)
}
