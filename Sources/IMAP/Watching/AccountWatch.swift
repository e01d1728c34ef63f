import MartletIMAPCore

extension IMAPClient {
    /// What happens in all mailboxes of the account, over one connection, for as long as somebody asks.
    ///
    ///     for try await change in imap.watchAccount() {
    ///         switch change {
    ///         case .opened(let numbers): …               // compare with what is known
    ///         case .numbers(let mailbox, let status): …  // such as a message that came to `mailbox`
    ///         default: …
    ///         }
    ///     }
    ///
    /// With NOTIFY (RFC 5465) the server tells it as it happens, and is asked for all numbers every `IMAPTimeouts.recount`,
    /// since some miss a message now and then. Without, it tells of `selecting` by IDLE, and the numbers of
    /// the others are asked for every `IMAPTimeouts.polling`: in one round trip with LIST-STATUS. A lost connection is made
    /// anew, with longer and longer pauses. Let the client be of its own: another mailbox must not be selected meanwhile.
    ///
    /// - Parameters:
    ///   - scope: which mailboxes.
    ///   - mailbox: the one that is opened, for reading only; its events come one by one.
    public nonisolated func watchAccount(
        _ scope: AccountWatch.Scope = .personal, selecting mailbox: MailboxName = .inbox
    ) -> AccountWatch {
        AccountWatch(client: self, scope: scope, selected: mailbox)
    }
}

/// What happens in the mailboxes of an account. It ends by an error that no new connection mends, or when its task is
/// cancelled.
public struct AccountWatch: AsyncSequence, Sendable {
    /// Which mailboxes to tell of, beside the one that is opened.
    public enum Scope: Hashable, Sendable {
        /// The user's own; new ones as they are made.
        case personal
        /// Those that are subscribed.
        case subscribed
        /// These.
        case named([MailboxName])
    }

    /// Something that happened.
    public enum Element: Sendable {
        /// All numbers: at first, and again where something may have been missed, such as after the connection was lost.
        case opened([MailboxName: MailboxStatus])
        /// The numbers of a mailbox changed; these are all that are known of it.
        case numbers(MailboxName, MailboxStatus)
        /// Something happened in the mailbox that is open.
        case event(MailboxName, MailboxEvent)
        /// A mailbox was made, renamed (`oldName`), deleted (`.nonExistent`) or subscribed.
        case mailbox(ListEntry)
        /// The connection is lost; a new one is tried after the pause.
        case lost(IMAPError, pause: Duration)
    }

    let client: IMAPClient
    let scope: Scope
    let selected: MailboxName

    /// What waits for a slow reader; beyond that it hears all numbers anew instead.
    public static let backlogLimit = 10_000

    /// Begins to watch.
    public func makeAsyncIterator() -> Iterator { Iterator(self) }

    /// Gives what happens.
    public struct Iterator: AsyncIteratorProtocol {
        private var elements: AsyncThrowingStream<Element, any Error>.Iterator

        init(_ watch: AccountWatch) {
            let (stream, continuation) = AsyncThrowingStream.makeStream(
                of: Element.self, bufferingPolicy: .bufferingOldest(AccountWatch.backlogLimit))
            // Cancelled when the iterator goes, or its task is.
            let task = Task {
                var watcher = AccountWatcher(watch, continuation)
                await watcher.run()
            }
            continuation.onTermination = { _ in task.cancel() }
            elements = stream.makeAsyncIterator()
        }

        /// The next thing that happens; `nil` when the task is cancelled.
        ///
        /// - Throws: `IMAPError`, such as for credentials that no longer hold.
        public mutating func next() async throws -> Element? { try await elements.next() }
    }
}
