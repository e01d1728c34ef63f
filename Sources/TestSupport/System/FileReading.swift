#if canImport(Glibc)
    import Glibc
#elseif canImport(Darwin)
    import Darwin
#endif

/// The octets of a file.
public func octets(ofFile path: String) throws(SystemFailure) -> [UInt8] {
    let descriptor = open(path, O_RDONLY | O_CLOEXEC)
    guard descriptor >= 0 else { throw SystemFailure("\(path) cannot be read") }
    defer { close(descriptor) }
    var status = stat()
    fstat(descriptor, &status)
    var octets: [UInt8] = []
    octets.reserveCapacity(Int(status.st_size) + 1)
    var buffer = [UInt8](repeating: 0, count: 64 * 1024)
    while true {
        let count = read(descriptor, &buffer, buffer.count)
        if count < 0 && errno == EINTR { continue }
        guard count >= 0 else { throw SystemFailure("\(path) cannot be read") }
        guard count > 0 else { return octets }
        octets += buffer[..<count]
    }
}

/// Writes a file anew.
public func write(_ octets: [UInt8], toFile path: String) throws(SystemFailure) {
    let descriptor = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0o600)
    guard descriptor >= 0 else { throw SystemFailure("\(path) cannot be written") }
    defer { close(descriptor) }
    var rest = octets[...]
    while !rest.isEmpty {
        let count = rest.withUnsafeBytes { write(descriptor, $0.baseAddress, $0.count) }
        if count < 0 && errno == EINTR { continue }
        guard count > 0 else { throw SystemFailure("\(path) cannot be written") }
        rest.removeFirst(count)
    }
}

/// The names in a folder, sorted, without `.` and `..`.
public func namesInFolder(_ path: String) throws(SystemFailure) -> [String] {
    guard let folder = opendir(path) else { throw SystemFailure("\(path) cannot be listed") }
    defer { closedir(folder) }
    var names: [String] = []
    while let entry = readdir(folder) {
        let name = withUnsafeBytes(of: &entry.pointee.d_name) { bytes in
            String(decoding: bytes.prefix { $0 != 0 }, as: UTF8.self)
        }
        if name != "." && name != ".." { names.append(name) }
    }
    return names.sorted()
}
