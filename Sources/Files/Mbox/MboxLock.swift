#if canImport(Darwin)
    import Darwin
#elseif canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#endif

/// A lock on an mbox against other mail programs, held until it goes away.
///
/// To write, both usual ways are taken, in this order: `fcntl`, which ends with the process, and the file
/// `<mbox>.lock`, which also works where the first does not. In a folder where this user may make no file,
/// as in /var/mail, `fcntl` is all. A lock file that nobody touched for 5 minutes is left over from a crash
/// and is taken away. To read, `fcntl` is enough, so that several may.
public final class MboxLock: Sendable {
    /// What the lock is for.
    public enum Purpose: Sendable {
        /// Others may read too.
        case reading
        /// Nobody else may have a lock.
        case writing
    }

    /// How old a lock file is left over: 5 minutes.
    public static let staleAge = Duration.seconds(300)

    private let descriptor: FileDescriptor
    private let lockFile: LockFile?

    /// Locks the mbox at `path`, which must be there.
    ///
    /// - Parameters:
    ///   - purpose: reading or writing.
    ///   - wait: how long to try; the thread sleeps meanwhile.
    /// - Throws: `FileError`, with `.locked` when another program kept it.
    public convenience init(
        _ path: String, for purpose: Purpose, waiting wait: Duration = .seconds(30)
    ) throws(FileError) {
        try FileDescriptor.checkPath(path, operation: .lock)
        let flags = purpose == .writing ? O_RDWR : O_RDONLY
        let number = open(path, flags | O_CLOEXEC | O_NOCTTY | O_NONBLOCK)
        guard number >= 0 else { throw FileError(operation: .lock, path: path, code: errno) }
        try self.init(FileDescriptor(taking: number), path: path, for: purpose, waiting: wait)
    }

    /// Locks an open file. The lock is its descriptor's, and stays until that is closed.
    init(
        _ descriptor: FileDescriptor, path: String, for purpose: Purpose, waiting wait: Duration
    ) throws(FileError) {
        let deadline = ContinuousClock.now + wait
        while try !Self.lock(descriptor.number, path: path, for: purpose) {
            try Self.pause(until: deadline, path: path)
        }
        self.descriptor = descriptor
        lockFile =
            purpose == .reading ? nil : try Self.lockFile(beside: path, until: deadline)
    }

    /// `nil` where none may be made.
    private static func lockFile(
        beside path: String, until deadline: ContinuousClock.Instant
    ) throws(FileError) -> LockFile? {
        while true {
            switch try LockFile.make(beside: path) {
            case .made(let file): return file
            case .unwelcome: return nil
            case .taken: try pause(until: deadline, path: path)
            }
        }
    }

    private static func pause(
        until deadline: ContinuousClock.Instant, path: String
    ) throws(FileError) {
        guard ContinuousClock.now < deadline else {
            throw FileError(kind: .locked, operation: .lock, path: path)
        }
        _ = poll(nil, 0, 50)
    }

    #if canImport(Glibc) || canImport(Musl)
        // Locks of the open file, not of the process: they last when another descriptor of the same file
        // is closed, and exclude other threads. They and the older ones see each other. (F_OFD_SETLK)
        private static let setLock: Int32 = 37
    #else
        private static let setLock = F_SETLK
    #endif

    /// - Returns: false if another has it.
    private static func lock(
        _ number: Int32, path: String, for purpose: Purpose
    ) throws(FileError) -> Bool {
        var request = flock()
        request.l_type = Int16(purpose == .writing ? F_WRLCK : F_RDLCK)
        request.l_whence = Int16(SEEK_SET)
        while fcntl(number, setLock, &request) != 0 {
            switch errno {
            case EINTR: continue
            case EAGAIN, EACCES: return false
            // File systems without locks: the lock file is all there is.
            case ENOLCK, EINVAL, ENOTSUP: return true
            default: throw FileError(operation: .lock, path: path, code: errno)
            }
        }
        return true
    }
}

/// `<mbox>.lock`, there as long as this lives.
private final class LockFile: Sendable {
    enum Outcome {
        case made(LockFile)
        /// Another program has it.
        case taken
        /// No file may be made there.
        case unwelcome
    }

    private let path: String
    private let descriptor: FileDescriptor

    private init(_ path: String, _ descriptor: FileDescriptor) {
        self.path = path
        self.descriptor = descriptor
    }

    deinit {
        // Only if it is still this one.
        if Self.isSame(path, descriptor.number) { unlink(path) }
    }

    static func make(beside mbox: String) throws(FileError) -> Outcome {
        let path = mbox + ".lock"
        // Three times: a lock file that is left over is taken away, and another may come in between.
        for _ in 0..<3 {
            let number = open(path, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0o600)
            if number >= 0 {
                // Made first: it takes the file away again if its number cannot be written.
                let file = LockFile(path, FileDescriptor(taking: number))
                try FileDescriptor.write(Array("\(getpid())\n".utf8), to: number, path: path)
                return .made(file)
            }
            switch errno {
            case EEXIST: if !removeStale(path) { return .taken }
            case EACCES, EPERM, EROFS: return .unwelcome
            default: throw FileError(operation: .lock, path: path, code: errno)
            }
        }
        return .taken
    }

    private static func isSame(_ path: String, _ number: Int32) -> Bool {
        var named = stat()
        var open = stat()
        return lstat(path, &named) == 0 && fstat(number, &open) == 0
            && named.st_ino == open.st_ino && named.st_dev == open.st_dev
    }

    /// Takes a lock file away that a crash left behind.
    /// - Returns: whether it was one.
    private static func removeStale(_ path: String) -> Bool {
        var old = stat()
        guard lstat(path, &old) == 0 else { return errno == ENOENT }
        #if canImport(Darwin)
            let changed = old.st_mtimespec.tv_sec
        #else
            let changed = old.st_mtim.tv_sec
        #endif
        guard time(nil) - changed > Int(MboxLock.staleAge.components.seconds) else { return false }
        // Whoever else found it too may have made a new one by now: that is put back.
        var generator = SystemRandomNumberGenerator()
        let aside = path + "." + String(generator.next(), radix: 36)
        guard rename(path, aside) == 0 else { return errno == ENOENT }
        var taken = stat()
        let isOld = lstat(aside, &taken) == 0 && taken.st_ino == old.st_ino
        if !isOld { link(aside, path) }
        unlink(aside)
        return isOld
    }
}
