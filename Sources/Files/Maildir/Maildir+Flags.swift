#if canImport(Darwin)
    import Darwin
#elseif canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#endif

extension Maildir {
    /// Adds flags and takes flags away. A message in `new` moves to `cur`, where flags belong.
    ///
    ///     let seen = try maildir.change(message, adding: .seen)
    ///
    /// If another program changed the flags since the message was listed, its change stays and this one is
    /// made to it.
    ///
    /// - Returns: the message under its present name.
    /// - Throws: `FileError`, `.notFound` when it is gone.
    @discardableResult
    public func change(
        _ message: MaildirMessage, adding added: MaildirFlags = [],
        removing removed: MaildirFlags = []
    ) throws(FileError) -> MaildirMessage {
        try rename(message) { $0.union(added).subtracting(removed) }
    }

    /// Sets exactly these flags. Otherwise as `change`.
    @discardableResult
    public func set(
        _ flags: MaildirFlags, of message: MaildirMessage
    ) throws(FileError) -> MaildirMessage {
        try rename(message) { _ in flags }
    }

    /// Moves a message from `new` to `cur`, as a mail program does with what it has listed.
    @discardableResult
    public func moveToCur(_ message: MaildirMessage) throws(FileError) -> MaildirMessage {
        try rename(message) { $0 }
    }

    /// Removes a message for good.
    ///
    /// - Throws: `FileError`, `.notFound` when it is gone already.
    public func remove(_ message: MaildirMessage) throws(FileError) {
        try withPresentName(of: message, operation: .remove) { message, folder in
            withFileName(message.name.octets) { unlinkat(folder.number, $0, 0) } == 0 ? () : nil
        }
    }

    private func rename(
        _ message: MaildirMessage, _ change: (MaildirFlags) -> MaildirFlags
    ) throws(FileError) -> MaildirMessage {
        let cur = try descriptor(of: .cur)
        return try withPresentName(of: message, operation: .rename) { old, folder in
            guard let name = MaildirName(old.name.with(change(old.flags))) else {
                errno = ENAMETOOLONG
                return nil
            }
            let renamed = MaildirMessage(place: .cur, name: name)
            if renamed == old { return exists(name, in: cur) ? old : nil }
            // Never in place of another message: a copied Maildir may have the same name twice.
            guard !exists(name, in: cur) else {
                errno = EEXIST
                return nil
            }
            let result = withFileName(old.name.octets) { from in
                withFileName(name.octets) { to in
                    renameat(folder.number, from, cur.number, to)
                }
            }
            return result == 0 ? renamed : nil
        }
    }

    /// Does something to a message, and once more under its present name if it is not where it was.
    ///
    /// - Parameter body: gives `nil` and leaves the reason in `errno` when it fails.
    private func withPresentName<Result>(
        of message: MaildirMessage, operation: FileError.Operation,
        _ body: (MaildirMessage, FileDescriptor) -> Result?
    ) throws(FileError) -> Result {
        if let result = try body(message, descriptor(of: message.place)) { return result }
        let failure = FileError(operation: operation, path: path(of: message), code: errno)
        guard failure.kind == .notFound, let present = try current(message) else { throw failure }
        if let result = try body(present, descriptor(of: present.place)) { return result }
        throw FileError(operation: operation, path: path(of: present), code: errno)
    }

    private func exists(_ name: MaildirName, in folder: FileDescriptor) -> Bool {
        withFileName(name.octets) { faccessat(folder.number, $0, F_OK, AT_SYMLINK_NOFOLLOW) == 0 }
    }
}
