import MartletIMAPCore

/// Several connections of one account: work in several mailboxes at the same time, and urgent work before the rest.
///
///     let account = IMAPAccount(server, connections: 4)
///     let text = try await account.withClient(in: .inbox, urgency: .urgent) { imap in
///         try await imap.body(of: uid, part)
///     }
///
/// Connections are made when they are needed and kept. One that has the mailbox selected already is taken first. Where a
/// server refuses another connection, the account learns how many it may have, and callers wait for their turn.
public actor IMAPAccount {
    /// The server.
    public nonisolated let server: IMAPServer
    /// How many connections there may be.
    public private(set) var budget: ConnectionBudget

    /// Whose turn comes first.
    public enum Urgency: Int, Comparable, Sendable {
        /// Work that nobody looks at, such as a sync.
        case background
        /// A person waits for it: it goes before all background work.
        case urgent

        /// By rank.
        public static func < (left: Urgency, right: Urgency) -> Bool {
            left.rawValue < right.rawValue
        }
    }

    private struct Resting {
        let client: IMAPClient
        var mailbox: MailboxName?
    }

    private struct Waiter {
        let id: Int
        let urgency: Urgency
        let continuation: CheckedContinuation<Bool, Never>
    }

    private var resting: [Resting] = []
    private var busyCount = 0
    private var waiters: [Waiter] = []
    private var lastID = 0
    private var isClosed = false

    /// How many callers wait for a connection.
    public var waitingCount: Int { waiters.count }

    /// Prepares an account. Nothing is connected yet.
    ///
    /// - Parameter connections: how many connections there may be at most.
    public init(_ server: IMAPServer, connections: Int = 4) {
        self.server = server
        budget = ConnectionBudget(wanted: connections)
    }

    /// Runs `body` with a connection of its own, in which `mailbox` is selected.
    ///
    /// - Parameters:
    ///   - mailbox: the mailbox to work in; `nil`: any, or none.
    ///   - urgency: urgent callers go first.
    public func withClient<Result: Sendable>(
        in mailbox: MailboxName? = nil, urgency: Urgency = .background,
        _ body: sending (IMAPClient) async throws -> Result
    ) async throws -> Result {
        let client = try await take(mailbox, urgency)
        do {
            if let mailbox, await !client.hasSelected(mailbox) { try await client.select(mailbox) }
            let result = try await body(client)
            await putBack(client)
            return result
        } catch {
            await putBack(client)
            throw error
        }
    }

    /// Closes all connections that rest, and those that are in use as soon as they are given back.
    public func close() async {
        isClosed = true
        for waiter in waiters { waiter.continuation.resume(returning: false) }
        waiters = []
        let clients = resting.map(\.client)
        resting = []
        for client in clients { await client.close() }
    }

    // MARK: Turns

    private func take(_ mailbox: MailboxName?, _ urgency: Urgency) async throws -> IMAPClient {
        while true {
            guard !isClosed else {
                throw IMAPError(kind: .outOfOrder("the account was closed"), server: server.host)
            }
            try Task.checkCancellation()
            if let client = takeResting(mailbox) { return client }
            if busyCount < budget.limit {
                if let client = try await openAnother() { return client }
                continue
            }
            guard await waitForTurn(urgency) else {
                throw IMAPError(kind: .cancelled, server: server.host)
            }
        }
    }

    private func takeResting(_ mailbox: MailboxName?) -> IMAPClient? {
        guard !resting.isEmpty, busyCount < budget.limit else { return nil }
        let index = resting.firstIndex { $0.mailbox == mailbox } ?? 0
        // Rather another connection than closing a mailbox that somebody may come back to.
        if resting[index].mailbox != mailbox, resting[index].mailbox != nil,
            busyCount + resting.count < budget.limit
        {
            return nil
        }
        busyCount += 1
        return resting.remove(at: index).client
    }

    /// A new connection; `nil` where the server lets no more in, and one of the others has to be waited for.
    private func openAnother() async throws -> IMAPClient? {
        busyCount += 1
        let client = IMAPClient(server)
        do throws(IMAPError) {
            try await client.connect()
        } catch {
            busyCount -= 1
            // Counted now: several may have been opened at once, and the server chose among them.
            let isRefused = budget.refused(error, open: busyCount + resting.count)
            passOn()
            guard isRefused else { throw error }
            return nil
        }
        budget.succeeded()
        budget.know(await client.profile?.connectionLimit)
        return client
    }

    private func putBack(_ client: IMAPClient) async {
        let mailbox = await client.selection?.name
        busyCount -= 1
        if isClosed || busyCount + resting.count >= budget.limit {
            passOn()
            return await client.close()
        }
        resting.append(Resting(client: client, mailbox: mailbox))
        passOn()
    }

    private func waitForTurn(_ urgency: Urgency) async -> Bool {
        lastID += 1
        let id = lastID
        return await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                guard !Task.isCancelled, !isClosed else {
                    return continuation.resume(returning: false)
                }
                waiters.append(Waiter(id: id, urgency: urgency, continuation: continuation))
            }
        } onCancel: {
            Task { await self.cancel(id) }  // ends by itself
        }
    }

    private func cancel(_ id: Int) {
        guard let index = waiters.firstIndex(where: { $0.id == id }) else { return }
        waiters.remove(at: index).continuation.resume(returning: false)
    }

    /// Wakes who is next: urgent ones first, then in the order in which they came.
    private func passOn() {
        guard let urgency = waiters.map(\.urgency).max(),
            let index = waiters.firstIndex(where: { $0.urgency == urgency })
        else { return }
        waiters.remove(at: index).continuation.resume(returning: true)
    }
}
