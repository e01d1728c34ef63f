extension IMAP {
    /// `NOTIFY`: asks to be told of changes, in other mailboxes, too, from now on. RFC 5465.
    ///
    ///     C: M4 NOTIFY SET STATUS (SELECTED (MessageNew (UID FLAGS) MessageExpunge FlagChange))
    ///            (PERSONAL (MessageNew MessageExpunge MailboxName))
    ///     S: * STATUS Archive (MESSAGES 231 UIDNEXT 44292 UNSEEN 0)
    ///     S: M4 OK done
    ///
    /// What comes later are events of the session. `init()` makes `NOTIFY NONE`: no more.
    ///
    /// - Throws: `.unsupported` where the server does not offer it, `.invalidInput` for events that RFC 5465 does not let
    ///   stand together.
    public struct Notify: IMAPCommand, Hashable {
        /// What to tell of which mailboxes. The first that fits a mailbox counts. Up to `groupLimit`.
        public var groups: [Group]
        /// Whether the numbers of all those mailboxes are told at once.
        public var status: Bool

        /// How many groups there may be.
        public static let groupLimit = 1_000

        /// Its words.
        public var name: String { "NOTIFY" }
        /// What may be under way beside it.
        public var order: CommandOrder { .exclusive }

        /// `NOTIFY NONE`: ends all notifications.
        public init() {
            groups = []
            status = false
        }

        /// `NOTIFY SET`.
        public init(_ groups: [Group], status: Bool = false) {
            self.groups = groups
            self.status = status
        }

        /// Writes it; see `IMAPCommand.encode(into:)`.
        public func encode(into encoder: inout CommandEncoder) throws(IMAPError) {
            try encoder.require(.notify)
            guard !groups.isEmpty else {
                guard !status else { throw .invalidInput("STATUS needs mailboxes to tell of") }
                return encoder.text("NOTIFY NONE")
            }
            guard groups.count <= Self.groupLimit else {
                throw .invalidInput("NOTIFY takes up to \(Self.groupLimit) groups")
            }
            guard groups.count(where: \.filter.isSelected) < 2 else {
                throw .invalidInput("only one group can be for the selected mailbox")
            }
            encoder.text(status ? "NOTIFY SET STATUS " : "NOTIFY SET ")
            try encoder.words(groups) { encoder, group throws(IMAPError) in
                try group.encode(into: &encoder)
            }
        }
        /// Something empty to gather its answers in.
        public func makeCollector() -> Collector { Collector(isAsking: status) }

        /// Gathers the numbers that are told at once.
        public struct Collector: ResponseCollector {
            /// A mailbox and its numbers.
            public struct Entry: Hashable, Sendable {
                /// The mailbox.
                public var mailbox: MailboxName
                /// Its numbers.
                public var status: MailboxStatus
            }

            let isAsking: Bool
            private var entries: [Entry] = []
            private var budget = GatheringBudget()

            init(isAsking: Bool) { self.isAsking = isAsking }

            /// Takes a response, if it is an answer.
            public mutating func receive(_ response: IMAPResponse) -> Disposition {
                guard isAsking, case .mailboxStatus(let name, let status) = response else {
                    return .unclaimed
                }
                if budget.take(200 + name.encoded.count) {
                    entries.append(Entry(mailbox: name, status: status))
                }
                return .consumed
            }

            /// Set once too much came; see `ResponseCollector.excess`.
            public var excess: IMAPError? { budget.excess }

            /// What the command gives; see `ResponseCollector.finish(_:)`.
            public consuming func finish(_ text: ResponseText) throws(IMAPError) -> [Entry] {
                try budget.check()
                return entries
            }
        }
    }
}

extension IMAP.Notify {
    /// What to tell of some mailboxes.
    public struct Group: Hashable, Sendable {
        /// Which mailboxes.
        public var filter: MailboxFilter
        /// What to tell of them; nothing: they are left out of later groups.
        public var events: [Event]

        /// Makes one.
        public init(_ filter: MailboxFilter, _ events: [Event]) {
            self.filter = filter
            self.events = events
        }

        fileprivate func encode(into encoder: inout CommandEncoder) throws(IMAPError) {
            try check()
            encoder.text("(")
            try filter.encode(into: &encoder)
            encoder.space()
            if events.isEmpty {
                encoder.text("NONE")
            } else {
                try encoder.list(events) { encoder, event throws(IMAPError) in
                    try event.encode(into: &encoder)
                }
            }
            encoder.text(")")
        }

        // RFC 5465 §5, §6.1.
        private func check() throws(IMAPError) {
            if case .subtreeOne = filter { throw .invalidInput("SUBTREE-ONE is for searches") }
            guard Set(events.map(\.word)).count == events.count else {
                throw .invalidInput("an event is named twice")
            }
            let words = Set(events.map(\.word))
            guard words.contains("MessageNew") == words.contains("MessageExpunge") else {
                throw .invalidInput("MessageNew and MessageExpunge go together")
            }
            if words.contains("FlagChange") || words.contains("AnnotationChange"),
                !words.contains("MessageNew")
            {
                throw .invalidInput(
                    "changes of flags need MessageNew and MessageExpunge beside them")
            }
            if filter.isSelected {
                guard events.allSatisfy(\.isAboutMessages) else {
                    throw .invalidInput("of the selected mailbox only messages are told")
                }
            } else {
                for case .messageNew(let attributes) in events where !attributes.isEmpty {
                    throw .invalidInput("new messages are shown of the selected mailbox alone")
                }
            }
        }
    }

    /// Something that happens. RFC 5465 §5.
    public enum Event: Hashable, Sendable {
        /// A message came. Of the selected mailbox: what to show of it, else nothing.
        case messageNew([FetchAttribute] = [])
        /// A message is gone.
        case messageExpunge
        /// Flags changed.
        case flagChange
        /// Annotations of a message changed.
        case annotationChange
        /// A mailbox was made, deleted or renamed.
        case mailboxName
        /// A mailbox was subscribed, or no longer is.
        case subscriptionChange
        /// Annotations of a mailbox changed.
        case mailboxMetadataChange
        /// Annotations of the server changed.
        case serverMetadataChange

        var word: String {
            switch self {
            case .messageNew: "MessageNew"
            case .messageExpunge: "MessageExpunge"
            case .flagChange: "FlagChange"
            case .annotationChange: "AnnotationChange"
            case .mailboxName: "MailboxName"
            case .subscriptionChange: "SubscriptionChange"
            case .mailboxMetadataChange: "MailboxMetadataChange"
            case .serverMetadataChange: "ServerMetadataChange"
            }
        }

        var isAboutMessages: Bool {
            switch self {
            case .messageNew, .messageExpunge, .flagChange, .annotationChange: true
            default: false
            }
        }

        fileprivate func encode(into encoder: inout CommandEncoder) throws(IMAPError) {
            encoder.raw(word.utf8)
            guard case .messageNew(let attributes) = self, !attributes.isEmpty else { return }
            encoder.space()
            try encoder.attributes(attributes)
        }
    }
}
