import MartletBytes
import MartletPOP3Core

/// What is in the maildrop.
extension POP3Client {
    /// How many messages there are, and what they take together.
    public func status() async throws(POP3Error) -> MaildropStatus {
        try await takeTurn("STAT")
        defer { giveTurn() }
        try await open()
        return try await exchange(POP3.Stat())
    }

    /// All messages with their sizes and unique IDs, in the order of their numbers.
    ///
    /// - Parameter substitutingIDs: whether to make IDs for messages that the server has none for, from a digest of their
    ///   headers. That fetches those headers.
    public nonisolated(nonsending) func messages(
        substitutingIDs: Bool = false
    ) async throws(POP3Error) -> [MaildropMessage] {
        var messages = try await list()
        guard substitutingIDs else { return messages }
        let places = messages.indices.filter { messages[$0].uniqueID == nil }
        guard !places.isEmpty else { return messages }
        var placeOfNumber: [Int: Int] = [:]
        for place in places { placeOfNumber[messages[place].number] = place }
        try await retrieve(places.map { messages[$0].number }, bodyLines: 0) {
            (header) async throws in
            guard let place = placeOfNumber[header.number] else { return }
            messages[place].uniqueID = UniqueID(substituteForHeader: header.octets)
        }
        return messages
    }

    /// LIST and UIDL, in one go where the server takes that.
    private func list() async throws(POP3Error) -> [MaildropMessage] {
        try await takeTurn("LIST")
        defer { giveTurn() }
        try await open()
        do throws(POP3Error) {
            guard let connection else { throw POP3Error(kind: .unexpectedClose) }
            let (list, uidl) = (POP3.List(), POP3.Uidl())
            try connection.session.submit(list, into: &connection.output)
            let isPipelined = connection.session.accepts(uidl)
            if isPipelined { try connection.session.submit(uidl, into: &connection.output) }
            try await flush(connection)
            let sizes = try await nextReply(connection)
            if !isPipelined {
                try connection.session.submit(uidl, into: &connection.output)
                try await flush(connection)
            }
            let identities = try await nextReply(connection)
            let listed = try list.interpret(sizes)
            // A server without UIDL refuses it. RFC 1939 §7.
            return MaildropMessage.merge(
                sizes: listed, identities: identities.isOK ? try uidl.interpret(identities) : [])
        } catch {
            throw await settled(error.doing("LIST"))
        }
    }

    /// The languages that the server can speak to people; empty where it knows nothing of that. RFC 6856 §3.
    public func languages() async throws(POP3Error) -> [POP3.Languages.Language] {
        try await takeTurn("LANG")
        defer { giveTurn() }
        try await openForNumbers("LANG")
        guard capabilities.has(.lang) else { return [] }
        return try await exchange(POP3.Languages())
    }
}
