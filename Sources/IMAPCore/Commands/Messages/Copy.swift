extension IMAP {
    /// `COPY` and `UID COPY`: copies messages to the end of another mailbox: all of them or none. RFC 9051 §6.4.7.
    ///
    ///     C: M4 UID COPY 304,319:320 Archive
    ///     S: M4 OK [COPYUID 38505 304,319:320 3956:3958] done
    ///
    /// - Throws: `.invalidInput` for an empty set; `.refused` by the server, with `[TRYCREATE]` where the mailbox has to be
    ///   made first.
    public struct Copy<Number: MessageNumber>: IMAPCommand, Hashable {
        /// Which messages.
        public var messages: MessageSelection<Number>
        /// Where to.
        public var mailbox: MailboxName

        /// Its words.
        public var name: String { Number.isUID ? "UID COPY" : "COPY" }
        /// Whether it does no harm twice.
        public var isRepeatable: Bool { false }
        /// When it may be sent.
        public var scope: CommandScope { .selected }
        /// What may be under way beside it.
        public var order: CommandOrder { .naming(Number.self, keeps: false) }

        /// Makes one.
        public init(_ messages: MessageSelection<Number>, to mailbox: MailboxName) {
            self.messages = messages
            self.mailbox = mailbox
        }

        /// Makes one for the messages of a set.
        public init(_ numbers: MessageNumberSet<Number>, to mailbox: MailboxName) {
            self.init(.numbers(numbers), to: mailbox)
        }

        /// Writes it; see `IMAPCommand.encode(into:)`.
        public func encode(into encoder: inout CommandEncoder) throws(IMAPError) {
            try encoder.verb("COPY ", Number.self)
            try encoder.messages(messages)
            encoder.space()
            encoder.mailbox(mailbox)
        }
        /// Something empty to gather its answers in.
        public func makeCollector() -> CopyCollector {
            CopyCollector(asked: messages.closedSet?.count)
        }
    }
}

/// What COPY or MOVE gave. RFC 9051 §6.4.7, §6.4.8.
public struct CopyResult: Hashable, Sendable {
    /// Of the mailbox that they were copied to; `nil` where the server does not tell UIDs (UIDPLUS), or what it told cannot
    /// be.
    public var uidValidity: UIDValidity?
    /// Which UIDs the copies got; `nil` as above. Empty where there was nothing to copy.
    public var uids: UIDMap?
    /// The code of OK, such as `.messageLimit`.
    public var code: ResponseCode?

    /// Makes one that knows nothing.
    public init() {}
}

/// Listens for COPYUID, which stands in OK or, for MOVE, before it. RFC 6851 §4.3.
public struct CopyCollector: ResponseCollector {
    // How many messages the command names; `nil` where it does not say.
    private let asked: Int?
    private var codes: [CopiedUIDs] = []
    private var budget = GatheringBudget()

    init(asked: Int?) { self.asked = asked }

    /// Takes a response, if it is an answer.
    public mutating func receive(_ response: IMAPResponse) -> Disposition {
        guard case .condition(let condition) = response, condition.kind == .ok,
            case .copyUID(let uids) = condition.text.code
        else { return .unclaimed }
        keep(uids)
        return .consumed
    }

    private mutating func keep(_ uids: CopiedUIDs) {
        let size = uids.source.roughSizeInOctets + uids.destination.roughSizeInOctets
        if budget.take(size) { codes.append(uids) }
    }

    /// Set once too much came; see `ResponseCollector.excess`.
    public var excess: IMAPError? { budget.excess }

    /// What the command gives; see `ResponseCollector.finish(_:)`.
    public consuming func finish(_ text: ResponseText) throws(IMAPError) -> CopyResult {
        if case .copyUID(let uids) = text.code { keep(uids) }
        try budget.check()
        var result = CopyResult()
        result.code = text.code
        guard let validity = codes.first?.uidValidity,
            codes.allSatisfy({ $0.uidValidity == validity })
        else { return result }
        let source = MessageNumberList(runs: codes.flatMap(\.source.runs))
        let destination = MessageNumberList(runs: codes.flatMap(\.destination.runs))
        // A few octets name billions of messages that nobody asked for.
        guard source.count <= asked ?? .max, let map = UIDMap(from: source, to: destination) else {
            return result
        }
        result.uidValidity = validity
        result.uids = map
        return result
    }
}
