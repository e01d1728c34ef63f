import MartletIMAPCore
import MartletTransport

extension IMAPClient {
    /// What happens in a mailbox, for as long as somebody asks: with IDLE, which is renewed, or by asking from time to time.
    ///
    ///     for try await event in imap.watch(.inbox) { … }
    ///
    /// A lost connection is made anew, with longer and longer pauses; `opened` then says that the mailbox has to be compared
    /// with what is known. The client can be used for other commands meanwhile: IDLE ends for them and goes on after.
    public nonisolated func watch(_ mailbox: MailboxName, readOnly: Bool = true) -> MailboxWatch {
        MailboxWatch(client: self, mailbox: mailbox, isReadOnly: readOnly)
    }

    /// What the server tells without being asked, for as long as the connection lives; see `IMAP.Notify`.
    public func events() async throws(IMAPError) -> AsyncThrowingStream<MailboxEvent, any Error> {
        await (try ready()).events(idles: false)
    }
}

/// What happens in a mailbox. It ends by an error that no new connection mends, or when its task is cancelled.
public struct MailboxWatch: AsyncSequence, Sendable {
    /// Something that happened.
    public enum Element: Sendable {
        /// The mailbox is open: at first, and again after the connection was lost.
        case opened(SelectedMailbox)
        /// The server tells.
        case event(MailboxEvent)
        /// The connection is lost; a new one is tried after the pause.
        case lost(IMAPError, pause: Duration)
    }

    let client: IMAPClient
    let mailbox: MailboxName
    let isReadOnly: Bool

    /// Begins to watch.
    public func makeAsyncIterator() -> Iterator { Iterator(self) }

    /// Gives what happens.
    public struct Iterator: AsyncIteratorProtocol {
        private let watch: MailboxWatch
        private var events: AsyncThrowingStream<MailboxEvent, any Error>.Iterator?
        private var pauses = WatchPauses()
        private var pause: Duration?

        init(_ watch: MailboxWatch) { self.watch = watch }

        /// The next thing that happens.
        ///
        /// - Throws: `IMAPError`, such as for credentials that no longer hold, or a mailbox that is gone.
        public mutating func next() async throws -> Element? {
            if let pause {
                self.pause = nil
                try await Task.sleep(for: pause)
            }
            do {
                try Task.checkCancellation()
                guard events != nil else { return try await open() }
                if let event = try await events?.next() { return .event(event) }
                try Task.checkCancellation()
                throw IMAPError(kind: .unexpectedClose, server: watch.client.server.host)
            } catch let error as IMAPError {
                guard !Task.isCancelled, let wait = pauses.next(after: error) else { throw error }
                events = nil
                pause = wait
                return .lost(error, pause: wait)
            }
        }

        private mutating func open() async throws(IMAPError) -> Element {
            let client = watch.client
            let opened = try await client.select(watch.mailbox, readOnly: watch.isReadOnly)
            let stream = await (try client.selected()).events(idles: true)
            events = stream.makeAsyncIterator()
            pauses.began()
            return .opened(opened.mailbox)
        }
    }
}
