#if canImport(Glibc)
    import Glibc
#elseif canImport(Darwin)
    import Darwin
#endif

/// A folder of its own for a test, below `TMPDIR` or `/tmp`.
public struct TemporaryFolder: Sendable {
    /// Where it is; no slash at the end.
    public let path: String

    /// Makes the folder, readable by its owner only.
    public init(_ purpose: String = "test") throws(SystemFailure) {
        let parent = getenv("TMPDIR").map { String(cString: $0) } ?? "/tmp"
        var template = Array("\(parent)/martlet-\(purpose).XXXXXX".utf8CString)
        guard mkdtemp(&template) != nil else {
            throw SystemFailure("A temporary folder cannot be made in \(parent)")
        }
        path = template.withUnsafeBufferPointer { String(cString: $0.baseAddress!) }
    }

    /// Removes the folder with all that is in it, and nothing that a link in it points to.
    public func remove() { removeTree(path) }
}

private func removeTree(_ path: String) {
    var status = stat()
    guard lstat(path, &status) == 0 else { return }
    if status.st_mode & S_IFMT == S_IFDIR {
        for name in (try? namesInFolder(path)) ?? [] { removeTree(path + "/" + name) }
        rmdir(path)
    } else {
        unlink(path)
    }
}
