public import MartletBytes

#if canImport(Darwin)
    import Darwin
#elseif canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#endif

/// Writes a file piece by piece under a temporary name beside it; `commit()` puts it in place.
///
///     var file = try AtomicFileWriter(path: "part.pdf")
///     try file.write(piece)
///     try file.commit()
///
/// Whoever opens the path sees the old file or the whole new one, even after a crash. A writer that goes
/// away without `commit()`, also by an error, leaves nothing behind and the old file as it was.
public struct AtomicFileWriter: ~Copyable {
    /// Where it shall be.
    public let path: String
    private let folder: String
    private let temporary: String
    private let mode: UInt16
    private let replaces: Bool
    private let descriptor: FileDescriptor
    private var isCommitted = false
    /// The octets written so far.
    public private(set) var sizeInOctets = 0

    /// Starts a file.
    ///
    /// - Parameters:
    ///   - path: where it shall be. A symbolic link there is replaced, not followed.
    ///   - mode: the permissions, exactly, whatever the umask; 0600 unless told.
    ///   - replaces: whether it takes the place of what is there, if something is.
    /// - Throws: `FileError`, when no file can be made in the folder; `.exists` where something is there that must not be
    ///   replaced.
    public init(path: String, mode: UInt16 = 0o600, replaces: Bool = true) throws(FileError) {
        try FileDescriptor.checkPath(path, operation: .create)
        if !replaces, Self.exists(path) {
            throw FileError(operation: .create, path: path, code: EEXIST)
        }
        // Everything up to the last slash: empty for a name in the current folder.
        let folder = path.lastIndex(of: "/").map { String(path[...$0]) } ?? ""
        var generator = SystemRandomNumberGenerator()
        let temporary = folder + ".martlet-" + String(generator.next() as UInt64, radix: 36)
        let number = open(
            temporary, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0o600)
        guard number >= 0 else { throw FileError(operation: .create, path: path, code: errno) }
        self.path = path
        self.folder = folder
        self.temporary = temporary
        self.mode = mode
        self.replaces = replaces
        descriptor = FileDescriptor(taking: number)
    }

    deinit {
        if !isCommitted { unlink(temporary) }
    }

    /// Writes the next octets.
    ///
    /// - Throws: `FileError`, `.noSpace` when the disk is full.
    public mutating func write(_ octets: some Collection<UInt8>) throws(FileError) {
        let octets = [UInt8](octets)
        try FileDescriptor.write(octets, to: descriptor.number, path: path)
        sizeInOctets += octets.count
    }

    /// Writes the next octets, without a copy of them.
    ///
    /// - Throws: `FileError`, `.noSpace` when the disk is full.
    public mutating func write(_ octets: Octets) throws(FileError) {
        try octets.withUnsafeBytes { octets throws(FileError) in
            try FileDescriptor.write(octets, to: descriptor.number, path: path)
        }
        sizeInOctets += octets.count
    }

    /// Writes all of a source, in pieces.
    ///
    /// - Throws: `FileError`, or what the source's reader throws.
    public mutating func write(contentsOf source: any OctetSource) async throws {
        try await source.forEachPiece(atMost: FileSource.pieceInOctets) { try write($0) }
    }

    /// Whether a path names anything.
    package static func exists(_ path: String) -> Bool {
        var status = stat()
        // Also a link to nothing.
        return lstat(path, &status) == 0
    }

    private func putInPlace() throws(FileError) {
        if !replaces {
            if link(temporary, path) == 0 {
                unlink(temporary)
                return
            }
            let code = errno
            // Some file systems have no links.
            guard code != EEXIST, !Self.exists(path) else {
                throw FileError(operation: .rename, path: path, code: EEXIST)
            }
        }
        guard rename(temporary, path) == 0 else {
            throw FileError(operation: .rename, path: path, code: errno)
        }
    }

    /// Forces the octets to the disk and puts the file in place.
    ///
    /// - Throws: `FileError`; the old file is then untouched and the temporary one gone.
    public consuming func commit() throws(FileError) {
        guard fchmod(descriptor.number, mode_t(mode)) == 0, fsync(descriptor.number) == 0 else {
            throw FileError(operation: .write, path: path, code: errno)
        }
        try putInPlace()
        isCommitted = true
        // The name itself is on the disk only when its folder is.
        let number = open(folder.isEmpty ? "." : folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        guard number >= 0 else { return }
        defer { close(number) }
        // Some file systems cannot sync a folder and say EINVAL: there is nothing left to do then.
        guard fsync(number) == 0 || errno == EINVAL else {
            throw FileError(operation: .write, path: path, code: errno)
        }
    }
}
