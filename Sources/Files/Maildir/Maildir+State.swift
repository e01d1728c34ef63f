#if canImport(Darwin)
    import Darwin
#elseif canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#endif

/// What tells whether messages came, went or got other flags since somebody looked.
public struct MaildirState: Hashable, Sendable {
    /// When `new` and `cur` changed last, in nanoseconds since 1970; 0 for one that is missing.
    let changes: [Int64]

    /// When the last change was, in nanoseconds since 1970.
    public var lastChange: Int64 { changes.max() ?? 0 }
}

extension Maildir {
    /// The state of the folders, at the cost of two system calls. File systems count time in steps of some milliseconds:
    /// a change right behind another one may not show.
    public func state() -> MaildirState {
        MaildirState(
            changes: MaildirMessage.Place.allCases.map { place in
                var status = stat()
                guard let folder = try? descriptor(of: place), fstat(folder.number, &status) == 0
                else { return 0 }
                return status.changedInNanoseconds
            })
    }

    /// When a message's file was written, in seconds since 1970: mostly when the message came.
    ///
    /// - Throws: `FileError`; `.notFound` when it is gone.
    public func arrival(of message: MaildirMessage) throws(FileError) -> Int64 {
        let folder = try descriptor(of: message.place)
        var status = stat()
        let result = withFileName(message.name.octets) {
            fstatat(folder.number, $0, &status, AT_SYMLINK_NOFOLLOW)
        }
        guard result == 0 else {
            throw FileError(operation: .open, path: path(of: message), code: errno)
        }
        return status.changedInNanoseconds / 1_000_000_000
    }
}

extension stat {
    /// When the content changed last.
    fileprivate var changedInNanoseconds: Int64 {
        #if canImport(Darwin)
            let time = st_mtimespec
        #else
            let time = st_mtim
        #endif
        return Int64(time.tv_sec) * 1_000_000_000 + Int64(time.tv_nsec)
    }
}
