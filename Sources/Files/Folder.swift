#if canImport(Darwin)
    import Darwin
#elseif canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#endif

/// Folders as they are.
public enum Folder {
    /// How deep `remove` goes.
    public static let depthLimit = 32

    /// Makes a folder with mode 0700; one that is there is fine. The folder around it must be there.
    ///
    /// - Throws: `FileError`.
    public static func make(_ path: String) throws(FileError) {
        try FileDescriptor.checkPath(path, operation: .create)
        guard mkdir(path, 0o700) == 0 || errno == EEXIST && exists(path) else {
            throw FileError(operation: .create, path: path, code: errno)
        }
    }

    /// Whether there is a folder.
    public static func exists(_ path: String) -> Bool {
        var status = stat()
        return stat(path, &status) == 0 && FileType(mode: status.st_mode) == .directory
    }

    /// The names of what is in a folder, in the order of the file system; names that are not in UTF-8 are left out.
    ///
    /// - Throws: `FileError`.
    public static func names(in path: String) throws(FileError) -> [String] {
        let listing = try FolderListing(try opened(path), path: path)
        var names: [String] = []
        while let entry = try listing.next() {
            if let name = String(validating: entry.name, as: UTF8.self) { names.append(name) }
        }
        return names
    }

    /// Gives a file or folder another name on the same disk.
    ///
    /// - Throws: `FileError`; also where a folder that is not empty has that name.
    public static func rename(_ path: String, to newPath: String) throws(FileError) {
        try FileDescriptor.checkPath(path, operation: .rename)
        try FileDescriptor.checkPath(newPath, operation: .rename)
        guard systemRename(path, newPath) == 0 else {
            throw FileError(operation: .rename, path: newPath, code: errno)
        }
    }

    /// Removes a folder with all that is in it. Links are removed, not followed.
    ///
    /// - Throws: `FileError`; what was removed until then is gone. What is deeper than `depthLimit` stays.
    public static func remove(_ path: String) throws(FileError) {
        try empty(try opened(path), path, depth: 1)
        guard rmdir(path) == 0 else { throw FileError(operation: .remove, path: path, code: errno) }
    }

    private static func empty(
        _ folder: FileDescriptor, _ path: String, depth: Int
    ) throws(FileError) {
        let listing = try FolderListing(folder, path: path)
        var entries: [[UInt8]] = []
        while let entry = try listing.next() { entries.append(entry.name) }
        for name in entries {
            let isGone = withFileName(name) { unlinkat(folder.number, $0, 0) == 0 }
            if isGone { continue }
            let inner = withFileName(name) {
                openat(folder.number, $0, O_RDONLY | O_DIRECTORY | O_CLOEXEC | O_NOFOLLOW)
            }
            guard inner >= 0, depth < depthLimit else {
                if inner >= 0 { close(inner) }
                throw FileError(operation: .remove, path: path, code: errno)
            }
            try empty(FileDescriptor(taking: inner), path, depth: depth + 1)
            guard withFileName(name, { unlinkat(folder.number, $0, AT_REMOVEDIR) == 0 }) else {
                throw FileError(operation: .remove, path: path, code: errno)
            }
        }
    }

    private static func opened(_ path: String) throws(FileError) -> FileDescriptor {
        try FileDescriptor.checkPath(path, operation: .open)
        let number = open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        guard number >= 0 else { throw FileError(operation: .open, path: path, code: errno) }
        return FileDescriptor(taking: number)
    }
}

// The method named `rename` hides the system's function.
private func systemRename(_ path: String, _ newPath: String) -> Int32 { rename(path, newPath) }
