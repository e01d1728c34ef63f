#if canImport(Darwin)
    import Darwin
#elseif canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#endif

/// A private folder for a program's short-lived files.
public enum TemporaryFolder {
    /// Makes a folder of mode 0700 with a name nobody can guess, in `TMPDIR` or /tmp.
    ///
    /// - Parameter prefix: how its name starts, such as `martlet-sandbox`.
    /// - Returns: the path, without a slash at the end. The caller removes the folder.
    /// - Throws: `FileError`.
    public static func make(prefix: String) throws(FileError) -> String {
        let named = getenv("TMPDIR").map { String(cString: $0) } ?? ""
        let parent = named.isEmpty ? "/tmp" : named
        var template = Array((parent + "/" + prefix + "-XXXXXX").utf8CString)
        guard mkdtemp(&template) != nil else {
            throw FileError(operation: .create, path: parent, code: errno)
        }
        return template.withUnsafeBufferPointer { String(cString: $0.baseAddress!) }
    }
}
