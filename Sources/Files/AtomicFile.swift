public import MartletBytes

/// Files that are either wholly there or not at all. `AtomicFileWriter` takes one piece by piece.
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
        var file = try AtomicFileWriter(path: path, mode: mode)
        try file.write(octets)
        try file.commit()
    }

    /// Writes all octets of a source, which is read in pieces: no more than 256 KiB are in memory.
    ///
    /// - Returns: the number of octets.
    /// - Throws: `FileError`, or what the source's reader throws; as above.
    @discardableResult
    public static func write(
        contentsOf source: any OctetSource, to path: String, mode: UInt16 = 0o600
    ) async throws -> Int {
        var file = try AtomicFileWriter(path: path, mode: mode)
        try await file.write(contentsOf: source)
        let size = file.sizeInOctets
        try file.commit()
        return size
    }
}
