public import MartletBytes

#if canImport(Darwin)
    import Darwin
#elseif canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#endif

/// A Maildir: a folder with a file for each message, which needs no locks.
///
///     let maildir = try Maildir(path: "Mail")
///     var messages = maildir.messages()
///     while let message = try messages.next() {
///         let octets = try maildir.octets(of: message)
///     }
///
/// Files are never changed once they are there; only their names change, with the flags. Everything is done
/// relative to the opened folder: it stays the same one when it is renamed, and no name leads out of it.
public struct Maildir: Sendable {
    /// The path as the caller gave it.
    public let path: String

    let root: FileDescriptor
    private let new: FileDescriptor?
    private let cur: FileDescriptor?
    private let tmp: FileDescriptor?
    private let followsLinks: Bool

    /// Opens a Maildir.
    ///
    /// - Parameters:
    ///   - path: the folder that holds `cur`, `new` and `tmp`. To read it, one of the first two is enough:
    ///     archives and version control leave empty folders out.
    ///   - followsLinks: whether messages may be symbolic links, as programs for searching make them. Not
    ///     for folders into which other users can write.
    /// - Throws: `FileError`; `.unexpectedContent` if both `cur` and `new` are missing.
    public init(path: String, followingLinks followsLinks: Bool = false) throws(FileError) {
        try FileDescriptor.checkPath(path, operation: .open)
        let number = openat(AT_FDCWD, path, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        guard number >= 0 else { throw FileError(operation: .open, path: path, code: errno) }
        try self.init(
            FileDescriptor(taking: number), path: path, followingLinks: followsLinks)
    }

    private init(
        _ root: FileDescriptor, path: String, followingLinks followsLinks: Bool
    ) throws(FileError) {
        func folder(_ name: String) throws(FileError) -> FileDescriptor? {
            let number = openat(root.number, name, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
            if number >= 0 { return FileDescriptor(taking: number) }
            if errno == ENOENT || errno == ENOTDIR { return nil }
            throw FileError(operation: .open, path: path + "/" + name, code: errno)
        }
        self.root = root
        self.path = path
        self.followsLinks = followsLinks
        new = try folder("new")
        cur = try folder("cur")
        tmp = try folder("tmp")
        guard new != nil || cur != nil else {
            throw FileError(
                kind: .unexpectedContent(expected: "a Maildir"), operation: .open, path: path)
        }
    }

    /// Makes a Maildir, or what is missing of one, and opens it. Folders get mode 0700.
    ///
    /// - Throws: `FileError`; the folder around it must be there.
    public static func create(path: String) throws(FileError) -> Maildir {
        try FileDescriptor.checkPath(path, operation: .create)
        guard mkdir(path, 0o700) == 0 || errno == EEXIST else {
            throw FileError(operation: .create, path: path, code: errno)
        }
        let number = openat(AT_FDCWD, path, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        guard number >= 0 else { throw FileError(operation: .open, path: path, code: errno) }
        let root = FileDescriptor(taking: number)
        try makeFolders(in: root, path: path)
        return try Maildir(root, path: path, followingLinks: false)
    }

    private static func makeFolders(in root: FileDescriptor, path: String) throws(FileError) {
        for name in ["tmp", "new", "cur"] {
            guard mkdirat(root.number, name, 0o700) == 0 || errno == EEXIST else {
                throw FileError(operation: .create, path: path + "/" + name, code: errno)
            }
        }
    }

    /// The folder for messages.
    /// - Throws: `.notFound` without it.
    func descriptor(of place: MaildirMessage.Place) throws(FileError) -> FileDescriptor {
        guard let folder = place == .new ? new : cur else { throw missing(place.rawValue) }
        return folder
    }

    /// The folder for messages on their way.
    /// - Throws: `.notFound` without it.
    func draftFolder() throws(FileError) -> FileDescriptor {
        guard let tmp else { throw missing("tmp") }
        return tmp
    }

    private func missing(_ name: String) -> FileError {
        FileError(operation: .open, path: path + "/" + name, code: ENOENT)
    }

    func path(of message: MaildirMessage) -> String {
        path + "/" + message.place.rawValue + "/" + message.name.text
    }

    // MARK: Reading

    /// The messages, those in `new` first unless told otherwise.
    public func messages(
        in places: [MaildirMessage.Place] = [.new, .cur]
    ) -> MaildirListing {
        MaildirListing(self, places: places)
    }

    /// The names in a folder; `nil` without it.
    func names(in place: MaildirMessage.Place) throws(FileError) -> FolderListing? {
        guard let folder = place == .new ? new : cur else { return nil }
        return try FolderListing(folder, path: path + "/" + place.rawValue)
    }

    /// Where a message is now and which flags it has: another program may have moved or renamed it. Looks
    /// through both folders.
    ///
    /// - Returns: `nil` if it is gone.
    public func current(_ message: MaildirMessage) throws(FileError) -> MaildirMessage? {
        var listing = messages(in: [.cur, .new])
        while let candidate = try listing.next() {
            if candidate.name.unique == message.name.unique { return candidate }
        }
        return nil
    }

    /// The octets of a message: a mapping from 1 MiB on (`MappedFile`).
    ///
    /// A message that was renamed since it was listed is found again.
    /// - Throws: `FileError`: `.notFound` when it is gone, `.tooLarge` beyond the limit.
    public func octets(
        of message: MaildirMessage, limitInOctets limit: Int = MappedFile.defaultLimitInOctets
    ) throws(FileError) -> Octets {
        let file = try opened(message)
        return Octets(
            try MappedFile(
                file.descriptor, sizeInOctets: file.sizeInOctets, limitInOctets: limit,
                path: path(of: message)))
    }

    /// The octets of a message, to be read in pieces.
    ///
    /// - Throws: `FileError`, as `octets(of:)`.
    public func source(of message: MaildirMessage) throws(FileError) -> FileSource {
        let file = try opened(message)
        return FileSource(
            taking: file.descriptor, sizeInOctets: file.sizeInOctets, path: path(of: message))
    }

    private func opened(
        _ message: MaildirMessage
    ) throws(FileError) -> (descriptor: FileDescriptor, sizeInOctets: Int) {
        do throws(FileError) {
            return try openFile(message)
        } catch {
            guard error.kind == .notFound, let present = try current(message) else { throw error }
            return try openFile(present)
        }
    }

    private func openFile(
        _ message: MaildirMessage
    ) throws(FileError) -> (descriptor: FileDescriptor, sizeInOctets: Int) {
        let flags =
            O_RDONLY | O_CLOEXEC | O_NOCTTY | O_NONBLOCK | (followsLinks ? 0 : O_NOFOLLOW)
        let folder = try descriptor(of: message.place)
        let number = withFileName(message.name.octets) { openat(folder.number, $0, flags) }
        guard number >= 0 else {
            throw FileError(operation: .open, path: path(of: message), code: errno)
        }
        let file = FileDescriptor(taking: number)
        var status = stat()
        guard fstat(number, &status) == 0 else {
            throw FileError(operation: .open, path: path(of: message), code: errno)
        }
        let type = FileType(mode: status.st_mode)
        guard type == .regular else {
            throw FileError(
                kind: .notARegularFile(type), operation: .open, path: path(of: message))
        }
        return (file, Int(status.st_size))
    }

    // MARK: Subfolders

    /// The subfolders in the layout of Maildir++, in the order of the file system. They all lie beside each
    /// other; a folder `.A.B` may be there without `.A`.
    ///
    /// - Throws: `FileError`.
    public func subfolders() throws(FileError) -> [MaildirFolderName] {
        let names = try FolderListing(root, path: path)
        var folders: [MaildirFolderName] = []
        while let entry = try names.next() {
            guard let name = MaildirFolderName(entry.name) else { continue }
            let isMaildir = ["/cur", "/new"].contains { folder in
                withFileName(entry.name + Array(folder.utf8)) {
                    faccessat(root.number, $0, F_OK, 0) == 0
                }
            }
            if isMaildir { folders.append(name) }
        }
        return folders
    }

    /// Opens a subfolder.
    ///
    /// - Throws: `FileError`, `.notFound` without it.
    public func subfolder(_ name: MaildirFolderName) throws(FileError) -> Maildir {
        let path = path + "/" + name.text
        let number = withFileName(name.octets) {
            openat(root.number, $0, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        }
        guard number >= 0 else { throw FileError(operation: .open, path: path, code: errno) }
        return try Maildir(
            FileDescriptor(taking: number), path: path, followingLinks: followsLinks)
    }

    /// Makes a subfolder, or what is missing of it, and opens it.
    ///
    /// - Throws: `FileError`.
    public func createSubfolder(_ name: MaildirFolderName) throws(FileError) -> Maildir {
        let path = path + "/" + name.text
        let number = withFileName(name.octets) { text in
            guard mkdirat(root.number, text, 0o700) == 0 || errno == EEXIST else {
                return Int32(-1)
            }
            return openat(root.number, text, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        }
        guard number >= 0 else { throw FileError(operation: .create, path: path, code: errno) }
        let folder = FileDescriptor(taking: number)
        try Self.makeFolders(in: folder, path: path)
        // By this file, delivery programs know that it is not a Maildir of its own.
        let mark = openat(
            number, "maildirfolder", O_WRONLY | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0o600)
        guard mark >= 0 else {
            throw FileError(operation: .create, path: path + "/maildirfolder", code: errno)
        }
        close(mark)
        return try Maildir(folder, path: path, followingLinks: followsLinks)
    }
}
