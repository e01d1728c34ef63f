#if canImport(Darwin)
    import Darwin
#elseif canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#endif

/// An open descriptor, closed when the last user lets it go.
final class FileDescriptor: Sendable {
    let number: Int32

    init(taking number: Int32) { self.number = number }

    deinit { close(number) }

    /// Opens `path`, telling its size and kind. A pipe without a writer does not block.
    static func opened(
        _ path: String, allowing isAllowed: (FileType) -> Bool
    ) throws(FileError) -> (descriptor: FileDescriptor, sizeInOctets: Int) {
        try checkPath(path, operation: .open)
        // Looked at before it is opened, since opening a device can already do something.
        var status = stat()
        guard stat(path, &status) == 0 else {
            throw FileError(operation: .open, path: path, code: errno)
        }
        try check(status, path: path, isAllowed: isAllowed)
        let isPipe = FileType(mode: status.st_mode) == .pipe
        let number = open(path, O_RDONLY | O_CLOEXEC | O_NOCTTY | (isPipe ? 0 : O_NONBLOCK))
        guard number >= 0 else { throw FileError(operation: .open, path: path, code: errno) }
        let descriptor = FileDescriptor(taking: number)
        // And again, since the path may lead elsewhere by now.
        guard fstat(number, &status) == 0 else {
            throw FileError(operation: .open, path: path, code: errno)
        }
        try check(status, path: path, isAllowed: isAllowed)
        return (descriptor, Int(status.st_size))
    }

    private static func check(
        _ status: stat, path: String, isAllowed: (FileType) -> Bool
    ) throws(FileError) {
        let type = FileType(mode: status.st_mode)
        guard isAllowed(type) else {
            throw FileError(kind: .notARegularFile(type), operation: .open, path: path)
        }
    }

    static func checkPath(_ path: String, operation: FileError.Operation) throws(FileError) {
        guard !path.isEmpty, !path.utf8.contains(0) else {
            throw FileError(kind: .unusablePath, operation: operation, path: path)
        }
    }

    /// Reads what is there, up to `limit` octets; none at the end. `position` nil: from where it is.
    static func read(
        _ number: Int32, atMost limit: Int, at position: Int? = nil, path: String
    ) throws(FileError) -> [UInt8] {
        var failure: Int32 = 0
        let octets = [UInt8](unsafeUninitializedCapacity: limit) { buffer, count in
            while true {
                let got =
                    if let position {
                        pread(number, buffer.baseAddress, limit, off_t(position))
                    } else {
                        systemRead(number, buffer.baseAddress, limit)
                    }
                if got >= 0 {
                    count = got
                    return
                }
                if errno == EINTR { continue }
                if errno == EAGAIN {
                    var waiting = pollfd(fd: number, events: Int16(POLLIN), revents: 0)
                    _ = poll(&waiting, 1, -1)
                    continue
                }
                failure = errno
                return
            }
        }
        guard failure == 0 else { throw FileError(operation: .read, path: path, code: failure) }
        return octets
    }

    /// Reads from where it is to the end, in one piece of memory where `size` is right. A size is a hint
    /// only: files under /proc say 0 and hold something, and others grow.
    static func readToEnd(
        _ number: Int32, expecting size: Int, limitInOctets limit: Int, path: String
    ) throws(FileError) -> [UInt8] {
        // One octet more than expected: the end is then seen without growing.
        var wanted = min(max(size, 4_095), Int.max - 1) + 1
        var octets: [UInt8] = []
        while true {
            let left = limit - octets.count
            let piece = try read(number, atMost: left < wanted ? left + 1 : wanted, path: path)
            if piece.isEmpty { return octets }
            if octets.isEmpty { octets = piece } else { octets += piece }
            guard octets.count <= limit else {
                throw FileError(
                    kind: .tooLarge(limitInOctets: limit), operation: .read, path: path)
            }
            wanted = 64 * 1024
        }
    }

    /// Writes all of `octets`.
    static func write(_ octets: [UInt8], to number: Int32, path: String) throws(FileError) {
        try octets.span.withUnsafeBytes { octets throws(FileError) in
            try write(octets, to: number, path: path)
        }
    }

    /// Writes all of `octets`.
    static func write(
        _ octets: UnsafeRawBufferPointer, to number: Int32, path: String
    ) throws(FileError) {
        var offset = 0
        while offset < octets.count {
            let written = systemWrite(number, octets.baseAddress! + offset, octets.count - offset)
            if written >= 0 {
                offset += written
            } else if errno != EINTR {
                throw FileError(operation: .write, path: path, code: errno)
            }
        }
    }
}

// The members named `read` and `write` hide the system's functions inside the class.
private func systemRead(_ number: Int32, _ buffer: UnsafeMutableRawPointer?, _ count: Int) -> Int {
    read(number, buffer, count)
}

private func systemWrite(_ number: Int32, _ buffer: UnsafeRawPointer, _ count: Int) -> Int {
    write(number, buffer, count)
}
