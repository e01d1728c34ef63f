import MartletMIME

/// Waiting in tests, without sleeping.
extension Sandbox {
    /// The first message that matches, once it is there: one that has come counts, or else one that comes in time.
    ///
    ///     let mail = try await sandbox.waitForMessage(to: "bob") { $0.message.subject == "Welcome" }
    ///
    /// - Parameters:
    ///   - recipient: a name or whole address that the client gave to the server; `nil`: any.
    ///   - id: only messages after the one with that `StoredMessage.id`.
    ///   - limit: how long to wait.
    ///   - matches: what else has to be true of it.
    /// - Throws: `SandboxError` of kind `.timedOut`, whose description tells what did come, or `.stopped`;
    ///   `CancellationError`.
    public func waitForMessage(
        to recipient: String? = nil, after id: Int = 0, within limit: Duration = .seconds(5),
        where matches: @escaping @Sendable (StoredMessage) -> Bool = { _ in true }
    ) async throws -> StoredMessage {
        try await waitForMessages(
            count: 1, to: recipient, after: id, within: limit, where: matches)[0]
    }

    /// The first messages that match, oldest first, once there are so many.
    ///
    /// - Parameters:
    ///   - count: how many; one at least.
    ///   - recipient: a name or whole address that the client gave to the server; `nil`: any.
    ///   - id: only messages after the one with that `StoredMessage.id`.
    ///   - limit: how long to wait for all of them.
    ///   - matches: what else has to be true of each.
    /// - Throws: `SandboxError` of kind `.timedOut`, whose description tells what did come, or `.stopped`;
    ///   `CancellationError`.
    public func waitForMessages(
        count: Int, to recipient: String? = nil, after id: Int = 0,
        within limit: Duration = .seconds(5),
        where matches: @escaping @Sendable (StoredMessage) -> Bool = { _ in true }
    ) async throws -> [StoredMessage] {
        precondition(count > 0, "wait for one message at least")
        let search = MessageSearch(
            count: count, after: id, recipient: recipient.map { shared.mail.rules.address(of: $0) },
            matches: matches)
        if let found = try await shared.mail.wait(within: limit, for: { search.look(into: $0) }) {
            return found
        }
        try await throwIfStopped()
        let found = search.found.count
        let others = await shared.mail.delivered(after: id)
        let wanted = count == 1 ? "No such message" : "\(found) of \(count) such messages"
        throw SandboxError(
            .timedOut, "\(wanted) came within \(limit). " + Self.summary(of: others))
    }

    /// A mailbox once it is as a test expects it, such as when a client has marked a message as read.
    ///
    ///     try await sandbox.waitForMailbox(of: "bob") { $0.messages.first?.isSeen == true }
    ///
    /// - Parameters:
    ///   - name: its name.
    ///   - user: whose: a name or whole address.
    ///   - limit: how long to wait.
    ///   - matches: what has to be true of it.
    /// - Returns: the mailbox as it was then.
    /// - Throws: `SandboxError` of kind `.timedOut`, whose description tells how the mailbox is, or `.stopped`;
    ///   `CancellationError`.
    @discardableResult
    public func waitForMailbox(
        _ name: String = "INBOX", of user: String, within limit: Duration = .seconds(5),
        where matches: @escaping @Sendable (StoredMailbox) -> Bool
    ) async throws -> StoredMailbox {
        let (address, mailbox) = (shared.mail.rules.address(of: user), try Self.name(name))
        let found = try await shared.mail.wait(within: limit) { mail in
            mail.stored(mailbox, of: address).flatMap { matches($0) ? $0 : nil }
        }
        if let found { return found }
        try await throwIfStopped()
        let now = await shared.mail.stored(mailbox, of: address)
        throw SandboxError(
            .timedOut,
            "\(name) of \(address) did not become so within \(limit). "
                + (now.map { "It has " + $0.summary } ?? "It is not there."))
    }

    private func throwIfStopped() async throws {
        guard await shared.mail.waits.isStopped else { return }
        throw SandboxError(.stopped, "The sandbox was stopped while a test waited.")
    }

    /// Messages that are told of one by one.
    private static let summaryCount = 10

    private static func summary(of messages: [StoredMessage]) -> String {
        guard !messages.isEmpty else { return "Nothing came at all." }
        let told = messages.suffix(summaryCount).map { message in
            let subject = message.message.subject.map { " \"\($0.prefix(80))\"" } ?? ""
            let recipients = message.envelope.forwardPaths
            let more = recipients.count > 3 ? " and \(recipients.count - 3) more" : ""
            return "\(message.id) from <\(message.envelope.reversePath)> to "
                + recipients.prefix(3).map { "<\($0)>" }.joined(separator: ", ") + more + subject
        }
        let rest = messages.count - told.count
        return "What did: " + told.joined(separator: "; ") + (rest > 0 ? "; \(rest) before." : ".")
    }
}

/// Looks through deliveries, each once. Only the mail system's turns touch it, and whoever asked once it is done.
private final class MessageSearch: @unchecked Sendable {
    private let count: Int
    private let recipient: String?
    private let matches: @Sendable (StoredMessage) -> Bool
    private var lastID: Int
    private(set) var found: [StoredMessage] = []

    init(
        count: Int, after id: Int, recipient: String?,
        matches: @escaping @Sendable (StoredMessage) -> Bool
    ) {
        self.count = count
        lastID = id
        self.recipient = recipient
        self.matches = matches
    }

    func look(into mail: isolated MailSystem) -> [StoredMessage]? {
        for message in mail.delivered(after: lastID) {
            lastID = message.id
            let isForThem = recipient.map { wanted in
                message.envelope.forwardPaths.contains { $0.description.lowercased() == wanted }
            }
            if isForThem ?? true, matches(message) { found.append(message) }
            if found.count == count { return found }
        }
        return nil
    }
}
