public import MartletBytes
import Synchronization

#if canImport(Darwin)
    import Darwin
#elseif canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#endif

extension Maildir {
    /// How old a file in `tmp` is when it is left over from a crash: 36 hours.
    public static let leftoverAge = Duration.seconds(36 * 3_600)

    /// Puts a message into the Maildir: written to `tmp`, forced to the disk, then given its name, so that
    /// others see it whole or not at all, also after a crash.
    ///
    ///     let message = try await maildir.deliver(source)
    ///
    /// The octets are stored as they are. The name is one that no other program on any host makes, and
    /// says the size.
    ///
    /// - Parameters:
    ///   - source: the message.
    ///   - flags: `nil` delivers to `new`, as mail that arrives; others, also none, to `cur`.
    ///   - isForced: without it, a crash of the machine may lose the message: for copies that can be made
    ///     again.
    /// - Returns: where it is.
    /// - Throws: `FileError`, or what the source's reader throws; nothing is left behind then.
    @discardableResult
    public func deliver(
        _ source: any OctetSource, flags: MaildirFlags? = nil, forcingToDisk isForced: Bool = true
    ) async throws -> MaildirMessage {
        var draft = try MaildirDraft(in: self)
        try await source.forEachPiece(atMost: FileSource.pieceInOctets) { try draft.write($0) }
        return try draft.deliver(to: self, flags: flags, forcingToDisk: isForced)
    }

    /// Removes what crashes have left in `tmp`: files that nobody changed for 36 hours.
    ///
    /// - Returns: how many it were.
    /// - Throws: `FileError` when the folder cannot be read.
    @discardableResult
    public func removeLeftovers(olderThan age: Duration = leftoverAge) throws(FileError) -> Int {
        let tmp = try draftFolder()
        let names = try FolderListing(tmp, path: path + "/tmp")
        let limit = time(nil) - Int(age.components.seconds)
        var count = 0
        while let entry = try names.next() {
            let isRemoved = withFileName(entry.name) { name in
                var status = stat()
                guard fstatat(tmp.number, name, &status, AT_SYMLINK_NOFOLLOW) == 0,
                    FileType(mode: status.st_mode) == .regular
                else { return false }
                #if canImport(Darwin)
                    let changed = status.st_mtimespec.tv_sec
                #else
                    let changed = status.st_mtim.tv_sec
                #endif
                return changed < limit && unlinkat(tmp.number, name, 0) == 0
            }
            if isRemoved { count += 1 }
        }
        return count
    }
}

/// A message on its way into a Maildir. What is not delivered goes away with it.
private struct MaildirDraft: ~Copyable {
    private let folder: FileDescriptor
    private let file: FileDescriptor
    private let unique: String
    private let path: String
    private var sizeInOctets = 0

    init(in maildir: Maildir) throws(FileError) {
        let folder = try maildir.draftFolder()
        let unique = UniqueName.next()
        let path = maildir.path + "/tmp/" + unique
        let number = openat(
            folder.number, unique, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0o600)
        guard number >= 0 else { throw FileError(operation: .create, path: path, code: errno) }
        self.folder = folder
        self.unique = unique
        self.path = path
        file = FileDescriptor(taking: number)
    }

    // Also where it was delivered: there it has a second name.
    deinit { unlinkat(folder.number, unique, 0) }

    mutating func write(_ octets: [UInt8]) throws(FileError) {
        try FileDescriptor.write(octets, to: file.number, path: path)
        sizeInOctets += octets.count
    }

    consuming func deliver(
        to maildir: Maildir, flags: MaildirFlags?, forcingToDisk isForced: Bool
    ) throws(FileError) -> MaildirMessage {
        guard !isForced || fsync(file.number) == 0 else {
            throw FileError(operation: .write, path: path, code: errno)
        }
        let place: MaildirMessage.Place = flags == nil ? .new : .cur
        let text = unique + ",S=\(sizeInOctets)" + (flags.map { ":2," + $0.text } ?? "")
        let message = MaildirMessage(place: place, name: MaildirName(text)!)
        let target = try maildir.descriptor(of: place)
        // A link never replaces a file. Some file systems have none, and only there it is a rename.
        if linkat(folder.number, unique, target.number, text, 0) != 0 {
            let hasNoLinks = [EPERM, ENOTSUP, EOPNOTSUPP, EMLINK, ENOSYS].contains(errno)
            guard hasNoLinks, renameat(folder.number, unique, target.number, text) == 0 else {
                throw FileError(
                    operation: .rename, path: maildir.path(of: message), code: errno)
            }
        }
        // Some file systems cannot sync a folder and say EINVAL: there is nothing left to do then.
        guard !isForced || fsync(target.number) == 0 || errno == EINVAL else {
            let failure = FileError(
                operation: .write, path: maildir.path(of: message), code: errno)
            unlinkat(target.number, text, 0)
            throw failure
        }
        return message
    }
}

/// Names that no two deliveries share: the time, the process, a number that counts up in it, a random
/// number for hosts and processes that look alike, and the host.
private enum UniqueName {
    private static let count = Atomic<UInt64>(0)

    static func next() -> String {
        var now = timespec()
        clock_gettime(CLOCK_REALTIME, &now)
        let number = count.wrappingAdd(1, ordering: .relaxed).newValue
        var generator = SystemRandomNumberGenerator()
        let random = String(generator.next() as UInt64, radix: 36)
        return "\(now.tv_sec).M\(now.tv_nsec / 1_000)P\(getpid())Q\(number)R\(random)." + host
    }

    /// The host's name, of which only letters, digits, `-`, `_` and dots are left.
    private static let host: String = {
        var name = [UInt8](repeating: 0, count: 256)
        let isKnown = name.withUnsafeMutableBytes {
            gethostname($0.baseAddress!.assumingMemoryBound(to: CChar.self), 255) == 0
        }
        let letters = name.prefix { $0 != 0 }.prefix(64).map { octet in
            octet.isLetter || octet.isDigit || [0x2D, 0x2E, 0x5F].contains(octet) ? octet : 0x5F
        }
        return isKnown && !letters.isEmpty ? String(decoding: letters, as: UTF8.self) : "localhost"
    }()
}
