#if canImport(Darwin)
    import Darwin
#elseif canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#endif

/// Files that are either wholly there or not at all.
public enum AtomicFile {
    /// Writes `octets` under a temporary name beside `path`, forces them to the disk, then renames.
    ///
    /// Whoever opens `path` sees the old file or the whole new one, even after a crash. A symbolic
    /// link at `path` is replaced, not followed.
    ///
    /// - Parameter mode: the permissions, exactly, whatever the umask; 0600 unless told.
    /// - Throws: `FileError`; the old file is then untouched and the temporary one gone.
    public static func write(
        _ octets: some Collection<UInt8>, to path: String, mode: UInt16 = 0o600
    ) throws(FileError) {
        try FileDescriptor.checkPath(path, operation: .create)
        let folder = folder(of: path)
        let temporary = folder + ".martlet-" + randomName()
        let number = open(
            temporary, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0o600)
        guard number >= 0 else { throw FileError(operation: .create, path: path, code: errno) }
        do throws(FileError) {
            defer { close(number) }
            try FileDescriptor.write(octets, to: number, path: path)
            guard fchmod(number, mode_t(mode)) == 0, fsync(number) == 0 else {
                throw FileError(operation: .write, path: path, code: errno)
            }
        } catch {
            unlink(temporary)
            throw error
        }
        guard rename(temporary, path) == 0 else {
            let code = errno
            unlink(temporary)
            throw FileError(operation: .rename, path: path, code: code)
        }
        // The name itself is on the disk only when its folder is.
        let folderNumber = open(folder.isEmpty ? "." : folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        guard folderNumber >= 0 else { return }
        defer { close(folderNumber) }
        // Some file systems cannot sync a folder and say EINVAL: there is nothing left to do then.
        guard fsync(folderNumber) == 0 || errno == EINVAL else {
            throw FileError(operation: .write, path: path, code: errno)
        }
    }

    /// Everything up to the last slash: empty for a name in the current folder.
    private static func folder(of path: String) -> String {
        path.lastIndex(of: "/").map { String(path[...$0]) } ?? ""
    }

    private static func randomName() -> String {
        var generator = SystemRandomNumberGenerator()
        return String(generator.next(), radix: 36)
    }
}
