import MartletIMAPCore

extension IMAPClient {
    /// Finds messages of the selected mailbox.
    ///
    ///     let uids = try await imap.search(.from("ann") && .since(…) && !.seen).numbers
    ///
    /// - Parameters:
    ///   - key: what they must be like.
    ///   - returning: what to tell of them; a server without ESEARCH tells all, from which the rest is counted.
    /// - Throws: `.refused` with the code `.badCharset` where the server cannot search for such letters, in no charset that
    ///   it names.
    public func search(
        _ key: SearchKey, returning: SearchReturn = .all
    ) async throws(IMAPError) -> SearchResult<UID> {
        try await withCharset(for: key) { (charset) async throws(IMAPError) in
            try await self.run(IMAP.Search<UID>(key, returning: returning, charset: charset))
        }
    }

    /// Finds messages by sequence number; see the other form.
    public func searchNumbers(
        _ key: SearchKey, returning: SearchReturn = .all
    ) async throws(IMAPError) -> SearchResult<SequenceNumber> {
        try await withCharset(for: key) { (charset) async throws(IMAPError) in
            try await self.run(
                IMAP.Search<SequenceNumber>(key, returning: returning, charset: charset))
        }
    }

    /// Finds messages of the selected mailbox, in an order. Needs SORT. RFC 5256.
    public func sort(
        by criteria: [SortCriterion], _ key: SearchKey = .all
    ) async throws(IMAPError) -> SortResult<UID> {
        try await withCharset(for: key) { (charset) async throws(IMAPError) in
            try await self.run(IMAP.Sort<UID>(by: criteria, key, charset: charset))
        }
    }

    /// Finds messages of the selected mailbox with what they answer. Needs THREAD. RFC 5256.
    public func threads(
        by algorithm: ThreadAlgorithm = .references, _ key: SearchKey = .all
    ) async throws(IMAPError) -> [ThreadNode] {
        try await withCharset(for: key) { (charset) async throws(IMAPError) in
            try await self.run(IMAP.Thread<UID>(algorithm, key, charset: charset))
        }
    }

    /// Searches in UTF-8 where letters need it, and once more in what the server knows.
    private func withCharset<Result: Sendable>(
        for key: SearchKey, _ search: (SearchCharset) async throws(IMAPError) -> Result
    ) async throws(IMAPError) -> Result {
        do throws(IMAPError) {
            return try await search(.automatic)
        } catch {
            guard let other = SearchCharset.automatic.retry(after: error, for: key) else {
                throw error
            }
            return try await search(other)
        }
    }
}
