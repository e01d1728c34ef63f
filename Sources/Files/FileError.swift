#if canImport(Darwin)
    import Darwin
#elseif canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#endif

/// What went wrong with a file, and which one.
public struct FileError: Error, Sendable, CustomStringConvertible {
    /// What happened.
    public enum Kind: Equatable, Sendable {
        /// There is no such file, or a folder on the way is missing.
        case notFound
        /// The system does not let this user have it.
        case permissionDenied
        /// It is a folder, a pipe or a device where a regular file is needed.
        case notARegularFile(FileType)
        /// It holds more than the named limit.
        case tooLarge(limitInOctets: Int)
        /// It became shorter while it was read.
        case shrank(expectedOctets: Int, foundOctets: Int)
        /// The path is empty or holds a NUL.
        case unusablePath
        /// The disk is full, or the user's share of it is.
        case noSpace
        /// Another program holds a lock on it, and held it as long as this one was told to wait.
        case locked
        /// Something is there already, and must not be replaced.
        case exists
        /// It holds something, but not what is expected there.
        case unexpectedContent(expected: String)
        /// Any other failure: `code` says it.
        case system
    }

    /// What the program was doing.
    public enum Operation: String, Sendable {
        /// Opening a file to read it.
        case open
        /// Reading.
        case read
        /// Making a file.
        case create
        /// Writing, or forcing the octets to the disk.
        case write
        /// Giving the finished file its name.
        case rename
        /// Locking it against other programs.
        case lock
        /// Taking its name away.
        case remove
    }

    /// What a caller can do about it.
    public enum Recovery: Equatable, Sendable {
        /// Name another file, or mend its permissions.
        case fixInput
        /// Free some space or wait, then do it again.
        case retry
        /// Nothing in this program helps.
        case giveUp
    }

    /// What happened.
    public var kind: Kind
    /// What the program was doing.
    public var operation: Operation
    /// The file as the caller named it.
    public var path: String
    /// The system's number for the reason (`errno`), or 0 where it gave none.
    public var code: Int32

    /// Makes an error.
    public init(kind: Kind, operation: Operation, path: String, code: Int32 = 0) {
        self.kind = kind
        self.operation = operation
        self.path = path
        self.code = code
    }

    /// The error that `errno` stands for.
    public init(operation: Operation, path: String, code: Int32) {
        let kind: Kind =
            switch code {
            case ENOENT, ENOTDIR: .notFound
            case EACCES, EPERM, EROFS: .permissionDenied
            case EISDIR: .notARegularFile(.directory)
            case ENOSPC, EDQUOT: .noSpace
            case EEXIST: .exists
            default: .system
            }
        self.init(kind: kind, operation: operation, path: path, code: code)
    }

    /// What a caller can do about it.
    public var recovery: Recovery {
        switch kind {
        case .noSpace, .locked: .retry
        case .notFound, .permissionDenied, .notARegularFile, .tooLarge, .shrank, .unusablePath,
            .unexpectedContent, .exists:
            .fixInput
        case .system: code == EMFILE || code == ENFILE ? .retry : .giveUp
        }
    }

    /// One sentence for a person.
    public var description: String {
        let name = "\"\(Self.printable(path))\""
        return switch kind {
        case .notARegularFile(let type):
            "\(name) is \(type.words); a regular file is needed here."
        case .tooLarge(let limit):
            "\(name) holds more than \(limit) octets, the limit here."
        case .shrank(let expected, let found):
            "\(name) became shorter while it was read: "
                + "\(found) of its \(expected) octets were left."
        case .unusablePath: "\(name) cannot be the name of a file."
        case .locked: "\(name) is locked by another program. Try again later."
        case .exists: "\(name) is there already."
        case .unexpectedContent(let expected): "\(name) is not \(expected)."
        case .notFound, .permissionDenied, .noSpace, .system:
            "\(name) could not be \(operation.participle): \(Self.text(of: code))."
        }
    }

    /// The system's words for an `errno`.
    private static func text(of code: Int32) -> String { String(cString: strerror(code)) }

    /// The path without control characters, which could play tricks on a terminal.
    private static func printable(_ path: String) -> String {
        String(
            String.UnicodeScalarView(
                path.unicodeScalars.map { $0.properties.generalCategory == .control ? "?" : $0 }))
    }
}

extension FileError.Operation {
    fileprivate var participle: String {
        switch self {
        case .open: "opened"
        case .read: "read"
        case .create: "created"
        case .write: "written"
        case .rename: "put in place"
        case .lock: "locked"
        case .remove: "removed"
        }
    }
}

/// What a path leads to.
public enum FileType: Equatable, Sendable {
    /// Octets with a size.
    case regular
    /// A folder.
    case directory
    /// A named or anonymous pipe.
    case pipe
    /// A terminal or another character device.
    case characterDevice
    /// A disk.
    case blockDevice
    /// A socket.
    case socket
    /// Something else.
    case other

    init(mode: mode_t) {
        self =
            switch mode & S_IFMT {
            case S_IFREG: .regular
            case S_IFDIR: .directory
            case S_IFIFO: .pipe
            case S_IFCHR: .characterDevice
            case S_IFBLK: .blockDevice
            case S_IFSOCK: .socket
            default: .other
            }
    }

    var words: String {
        switch self {
        case .regular: "a regular file"
        case .directory: "a folder"
        case .pipe: "a pipe"
        case .characterDevice, .blockDevice: "a device"
        case .socket: "a socket"
        case .other: "no file"
        }
    }
}
