extension IMAP {
    /// `APPEND`: puts messages into a mailbox: all of them or none. RFC 9051 §6.3.12, RFC 3502, RFC 4469.
    ///
    ///     C: M4 APPEND Sent (\Seen) "30-Nov-2026 03:22:55 +0100" {310}
    ///     S: + go on
    ///     C: Date: …
    ///     S: M4 OK [APPENDUID 38505 3955] done
    ///
    /// - Throws: `.unsupported` for what the server does not offer, such as several messages; `.invalidInput` for none, an
    ///   empty one, or one larger than the server or `limitInOctets` allows: nothing is sent then.
    public struct Append: IMAPCommand {
        /// The mailbox.
        public var mailbox: MailboxName
        /// The messages. More than one needs MULTIAPPEND.
        public var messages: [AppendMessage]
        /// The largest message that the mailbox takes, where its status told that. The server's own limit counts in any
        /// case. RFC 7889.
        public var limitInOctets: UInt64?

        /// How many messages may be put in at once.
        public static let messageLimit = 10_000

        /// Its words.
        public var name: String { "APPEND" }
        /// Whether it does no harm twice.
        public var isRepeatable: Bool { false }

        /// Makes one.
        public init(
            _ messages: [AppendMessage], to mailbox: MailboxName, limitInOctets: UInt64? = nil
        ) {
            self.messages = messages
            self.mailbox = mailbox
            self.limitInOctets = limitInOctets
        }

        /// Makes one for a single message.
        public init(
            _ message: AppendMessage, to mailbox: MailboxName, limitInOctets: UInt64? = nil
        ) {
            self.init([message], to: mailbox, limitInOctets: limitInOctets)
        }

        /// Writes it; see `IMAPCommand.encode(into:)`.
        public func encode(into encoder: inout CommandEncoder) throws(IMAPError) {
            guard !messages.isEmpty, messages.count <= Self.messageLimit else {
                throw .invalidInput("APPEND takes 1 to \(Self.messageLimit) messages")
            }
            if messages.count > 1 { try encoder.require(.multiAppend) }
            encoder.text("APPEND ")
            encoder.mailbox(mailbox)
            for message in messages {
                encoder.space()
                try encoder.appended(message, atMost: limitInOctets)
            }
        }
        /// Something empty to gather its answers in.
        public func makeCollector() -> AppendCollector { AppendCollector(count: messages.count) }
    }
}

/// What APPEND or REPLACE gave. RFC 9051 §7.1 `APPENDUID`.
public struct AppendResult: Hashable, Sendable {
    /// Of the mailbox; `nil` where the server does not tell UIDs (UIDPLUS), or what it told cannot be.
    public var uidValidity: UIDValidity?
    /// The messages' UIDs in their order; empty as above.
    public var uids: [UID] = []

    /// Makes one that knows nothing.
    public init() {}
}

/// Listens for APPENDUID, which stands in OK or, for REPLACE, before it.
public struct AppendCollector: ResponseCollector {
    let count: Int
    private var told: (UIDValidity, MessageNumberList)?

    init(count: Int) { self.count = count }

    /// Takes a response, if it is an answer.
    public mutating func receive(_ response: IMAPResponse) -> Disposition {
        guard case .condition(let condition) = response, condition.kind == .ok,
            case .appendUID(let validity, let uids) = condition.text.code
        else { return .unclaimed }
        told = (validity, uids)
        return .consumed
    }

    /// What the command gives; see `ResponseCollector.finish(_:)`.
    public consuming func finish(_ text: ResponseText) throws(IMAPError) -> AppendResult {
        if case .appendUID(let validity, let uids) = text.code { told = (validity, uids) }
        var result = AppendResult()
        // The number is looked at first: a few octets can name billions.
        guard let (validity, list) = told, list.count == count else { return result }
        let uids = list.numbers.compactMap { UID($0) }
        guard uids.count == count else { return result }
        result.uidValidity = validity
        result.uids = uids
        return result
    }
}
