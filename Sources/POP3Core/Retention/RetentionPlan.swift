/// What to do with the messages of a maildrop.
public struct RetentionPlan: Hashable, Sendable {
    /// To be fetched: they were never met.
    public var fetch: [MaildropMessage] = []
    /// To be marked for deletion.
    public var delete: [MaildropMessage] = []
    /// They have no unique ID, so nobody can say whether they were met: neither fetched nor deleted. Ask for substitutes.
    public var unidentified: [MaildropMessage] = []
    /// Not one message that the server lists was met before, although messages were: it may name all of them otherwise than it
    /// used to. To fetch them is safe, and makes copies of copies.
    public var looksRenamed = false
}

extension RetentionPolicy {
    /// What to do with what a server lists.
    ///
    /// Only what was fetched is deleted. A clock that went back deletes nothing.
    ///
    ///     var seen = try SeenMessages(file)
    ///     let listed = try await pop.messages(substitutingIDs: true)
    ///     let plan = policy.plan(listed, seen: seen, at: now)
    ///     …fetch `plan.fetch`; for each: keep it safely, then seen.wasFetched(id, at: now)…
    ///     …delete `policy.plan(listed, seen: seen, at: now).delete`, disconnect…
    ///     seen.wereListed(listed, at: now, by: policy)
    ///     …write seen.file with AtomicFile…
    ///
    /// - Parameters:
    ///   - messages: all of them, with unique IDs or substitutes.
    ///   - now: seconds since 1 January 1970.
    public func plan(
        _ messages: [MaildropMessage], seen: SeenMessages, at now: Int64
    ) -> RetentionPlan {
        var plan = RetentionPlan()
        var known = 0
        for message in messages {
            guard let id = message.uniqueID else {
                plan.unidentified.append(message)
                continue
            }
            guard let entry = seen.entries[id] else {
                plan.fetch.append(message)
                continue
            }
            known += 1
            if deletes(entry, at: now) { plan.delete.append(message) }
        }
        plan.looksRenamed = known == 0 && !plan.fetch.isEmpty && !seen.entries.isEmpty
        return plan
    }

    /// Whether a message of this kind goes from the server.
    func deletes(_ entry: SeenMessages.Entry, at now: Int64) -> Bool {
        switch entry.state {
        case .adopted: return false
        case .deletedHere where deletesWithLocalCopy: return true
        case .fetched, .deletedHere: break
        }
        switch rule {
        case .keep: return false
        case .deleteAfterDownload: return true
        case .deleteAfter(let days):
            return now >= entry.since
                && now.subtractingSafely(entry.since) >= Self.seconds(days: days)
        }
    }
}
