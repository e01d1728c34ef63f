import MartletBytes
import MartletIMAPCore
import MartletMIME

extension IMAPClient {
    // MARK: Flags

    /// Changes flags or labels of messages in the selected mailbox.
    ///
    ///     try await imap.store(uids, .add([.seen]))
    ///
    /// - Parameters:
    ///   - unchangedSince: only of messages that nobody has changed since then (RFC 7162); the others are in `modified`.
    ///   - isSilent: the server does not tell the flags that result.
    @discardableResult
    public func store(
        _ uids: UIDSet, _ change: StoreChange, unchangedSince: ModSequence? = nil,
        isSilent: Bool = false
    ) async throws(IMAPError) -> StoreResult<UID> {
        try await store(
            uids, change, unchangedSince: unchangedSince, isSilent: isSilent,
            within: selectionNumber)
    }

    @discardableResult
    private func store(
        _ uids: UIDSet, _ change: StoreChange, unchangedSince: ModSequence? = nil, isSilent: Bool,
        within number: Int
    ) async throws(IMAPError) -> StoreResult<UID> {
        var result = StoreResult<UID>()
        try await forEachPiece(of: uids) { piece throws(IMAPError) in
            let command = IMAP.Store(
                piece, change, isSilent: isSilent, unchangedSince: unchangedSince)
            result.add(try await run(command, within: number))
        }
        return result
    }

    /// Does something with a set in pieces. An error tells which were done before.
    private func forEachPiece(
        of uids: UIDSet, _ body: (UIDSet) async throws(IMAPError) -> Void
    ) async throws(IMAPError) {
        var done = UIDSet()
        for piece in await pieces(of: uids) {
            do throws(IMAPError) {
                try await body(piece)
            } catch {
                var error = error
                if !done.isEmpty { error.progress = .uids(done) }
                throw error
            }
            done.formUnion(piece)
        }
    }

    // MARK: Copies

    /// Copies messages of the selected mailbox to another.
    ///
    /// - Returns: which UIDs the copies have; `nil` where the server does not say.
    /// - Throws: `.refused` with the code `.tryCreate` where there is no such mailbox.
    @discardableResult
    public func copy(
        _ uids: UIDSet, to mailbox: MailboxName
    ) async throws(IMAPError) -> [CopyResult] {
        let number = selectionNumber
        var results: [CopyResult] = []
        try await forEachPiece(of: uids) { piece throws(IMAPError) in
            results.append(try await run(IMAP.Copy(piece, to: mailbox), within: number))
        }
        return results
    }

    /// Moves messages of the selected mailbox to another.
    ///
    /// A server without MOVE (RFC 6851) gets a copy, and then the originals are removed.
    /// - Returns: which UIDs the messages have there; `nil` where the server does not say.
    @discardableResult
    public func move(
        _ uids: UIDSet, to mailbox: MailboxName
    ) async throws(IMAPError) -> [CopyResult] {
        let number = selectionNumber
        _ = try await ready()
        let canMove = await capabilities.has(.move)
        var results: [CopyResult] = []
        try await forEachPiece(of: uids) { piece throws(IMAPError) in
            if canMove {
                results.append(try await run(IMAP.Move(piece, to: mailbox), within: number))
            } else {
                // What was not copied is not removed.
                results.append(try await run(IMAP.Copy(piece, to: mailbox), within: number))
                try await remove(piece, within: number)
            }
        }
        return results
    }

    // MARK: Removal

    /// Removes all messages of the selected mailbox that are marked as deleted, for good.
    @discardableResult
    public func expunge() async throws(IMAPError) -> ExpungeResult { try await run(IMAP.Expunge()) }

    /// Removes those of the named messages that are marked as deleted, for good, and no others.
    ///
    /// A server without UIDPLUS (RFC 4315) removes all that are marked: marks of others are taken off before and put on
    /// again. What somebody marks just then is removed with them.
    /// - Throws: `IMAPError`. Nothing was removed where the server does not say which messages are marked.
    public func expunge(_ uids: UIDSet) async throws(IMAPError) {
        guard !uids.isEmpty else { return }
        try await expunge(uids, areMarked: false, within: selectionNumber)
    }

    /// Marks messages as deleted and removes them for good.
    private func remove(_ uids: UIDSet, within number: Int) async throws(IMAPError) {
        try await store(uids, .add([.deleted]), isSilent: true, within: number)
        try await expunge(uids, areMarked: true, within: number)
    }

    private func expunge(
        _ uids: UIDSet, areMarked: Bool, within number: Int
    ) async throws(IMAPError) {
        _ = try await ready()
        if await capabilities.has(.uidPlus) {
            for piece in await pieces(of: uids) {
                _ = try await run(IMAP.UIDExpunge(piece), within: number)
            }
            return
        }
        guard let marked = try await marked(among: uids, areMarked, within: number) else { return }
        let others = marked.subtracting(uids)
        guard !others.isEmpty else {
            _ = try await run(IMAP.Expunge(), within: number)
            return
        }
        do throws(IMAPError) {
            try await store(others, .remove([.deleted]), isSilent: true, within: number)
            _ = try await run(IMAP.Expunge(), within: number)
        } catch {
            _ = try? await putBack(others, within: number)
            throw error
        }
        try await putBack(others, within: number)
    }

    /// All messages that are marked as deleted; `nil` where none of the named ones is.
    ///
    /// QUIRK(busy-server): servers say OK and nothing else. What was just marked must be among what is marked; where it is not,
    /// nobody knows what EXPUNGE would remove.
    private func marked(
        among uids: UIDSet, _ areMarked: Bool, within number: Int
    ) async throws(IMAPError) -> UIDSet? {
        for _ in 0..<2 {
            let marked = try await run(IMAP.Search<UID>(.deleted), within: number).numbers
            if let marked, !marked.intersection(uids).isEmpty { return marked }
        }
        guard areMarked else { return nil }
        throw IMAPError(
            kind: .missingResponse("which messages are marked as deleted; none was removed"),
            command: "UID SEARCH", server: server.host)
    }

    /// Marks messages of others again, also when the caller is cancelled meanwhile: its task must not take that along.
    private func putBack(_ uids: UIDSet, within number: Int) async throws(IMAPError) {
        let task = Task { () -> IMAPError? in
            do throws(IMAPError) {
                try await store(uids, .add([.deleted]), isSilent: true, within: number)
                return nil
            } catch {
                return error
            }
        }
        if let error = await task.value { throw error }
    }

    // MARK: New messages

    /// Puts a message into a mailbox.
    ///
    /// - Parameters:
    ///   - message: its octets as they are to be stored; pulled while they are sent.
    ///   - flags: such as `.seen`.
    ///   - date: when it arrived; `nil`: now.
    /// - Returns: the UID that it got; none where the server does not say (no UIDPLUS).
    /// - Throws: `.refused` with `.tryCreate` where there is no such mailbox; `.invalidInput` where it is larger than the
    ///   server takes. After a lost connection nobody knows whether the message is there: look for its Message-ID.
    @discardableResult
    public func append(
        _ message: any OctetSource, to mailbox: MailboxName, flags: [MessageFlag] = [],
        date: MailDate? = nil
    ) async throws(IMAPError) -> AppendResult {
        try await append([AppendMessage(message, flags: flags, date: date)], to: mailbox)
    }

    /// Puts several messages into a mailbox: with MULTIAPPEND (RFC 3502) in one command, so that all or none are there.
    ///
    /// - Throws: as above. Without MULTIAPPEND the error's `progress` tells how many are there.
    @discardableResult
    public func append(
        _ messages: [AppendMessage], to mailbox: MailboxName
    ) async throws(IMAPError) -> AppendResult {
        _ = try await ready()
        let capabilities = await capabilities
        let limit = try await appendLimit(of: mailbox, capabilities)
        if messages.count == 1 || capabilities.has(.multiAppend) {
            return try await run(IMAP.Append(messages, to: mailbox, limitInOctets: limit))
        }
        var result = AppendResult()
        for (index, message) in messages.enumerated() {
            do throws(IMAPError) {
                let one = try await run(IMAP.Append(message, to: mailbox, limitInOctets: limit))
                result.uidValidity = one.uidValidity
                result.uids += one.uids
            } catch {
                var error = error
                if index > 0 { error.progress = .messages(index) }
                throw error
            }
        }
        if result.uids.count != messages.count { result = AppendResult() }
        return result
    }

    /// RFC 7889 §3: without a number in the capability each mailbox has its own limit.
    private func appendLimit(
        of mailbox: MailboxName, _ capabilities: Capabilities
    ) async throws(IMAPError) -> UInt64? {
        guard capabilities.has(.appendLimit), capabilities.appendLimitInOctets == nil else {
            return nil
        }
        guard
            case .octets(let limit)? = try await statuses(of: [mailbox], [.appendLimit]).first??
                .appendLimit
        else { return nil }
        return limit
    }

    /// Puts a message in the place of another one of the selected mailbox, such as a draft.
    ///
    /// A server without REPLACE (RFC 8508) gets the new one first; then the old one is removed.
    @discardableResult
    public func replace(
        _ uid: UID, with message: AppendMessage, in mailbox: MailboxName
    ) async throws(IMAPError) -> AppendResult {
        let number = selectionNumber
        _ = try await ready()
        if await capabilities.has(.replace) {
            return try await run(IMAP.Replace(uid, with: message, in: mailbox), within: number)
        }
        let result = try await append([message], to: mailbox)
        try await remove(UIDSet(uid), within: number)
        return result
    }
}

extension StoreResult {
    mutating func add(_ other: StoreResult) {
        rows += other.rows
        modified.formUnion(other.modified)
        code = other.code ?? code
    }
}
