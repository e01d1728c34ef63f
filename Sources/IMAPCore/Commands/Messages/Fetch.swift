extension IMAP {
    /// `FETCH` and `UID FETCH`: asks for data of messages. RFC 9051 §6.4.5, §6.4.9, RFC 7162 §3.1.4, RFC 9394 §3.3.
    ///
    ///     C: M4 UID FETCH 17:20 (FLAGS BODY.PEEK[HEADER.FIELDS (Subject)])
    ///     S: * 3 FETCH (UID 17 FLAGS (\Seen) BODY[HEADER.FIELDS (Subject)] {18}
    ///     …
    ///
    /// All is kept until the end; `FetchStream` hands it on while it comes.
    ///
    /// - Throws: `.unsupported` for what the server does not offer, `.invalidInput` for an empty set or item list,
    ///   `.tooLarge` where more came than `memoryLimitInOctets`.
    public struct Fetch<Number: MessageNumber>: IMAPCommand, Hashable {
        /// Which messages.
        public var messages: MessageSelection<Number>
        /// What of each.
        public var attributes: [FetchAttribute]
        /// Only of messages that changed after this. RFC 7162 §3.1.4.1.
        public var changedSince: ModSequence?
        /// Whether to tell, too, which of the UIDs are gone since; with `changedSince` and QRESYNC enabled.
        /// RFC 7162 §3.2.6.
        public var vanished: Bool
        /// Only of some of those messages, counted within them; with UIDs. RFC 9394 §3.3.
        public var partial: PartialRange?
        /// How much is kept of the answers, in octets, counted roughly.
        public var memoryLimitInOctets = IMAP.gatheredLimitInOctets

        /// Its words.
        public var name: String { Number.isUID ? "UID FETCH" : "FETCH" }
        /// When it may be sent.
        public var scope: CommandScope { .selected }
        /// What may be under way beside it.
        public var order: CommandOrder { .naming(Number.self, keeps: true) }

        /// Makes one.
        public init(
            _ messages: MessageSelection<Number>, _ attributes: [FetchAttribute],
            changedSince: ModSequence? = nil, vanished: Bool = false, partial: PartialRange? = nil
        ) {
            self.messages = messages
            self.attributes = attributes
            self.changedSince = changedSince
            self.vanished = vanished
            self.partial = partial
        }

        /// Makes one for the messages of a set.
        public init(
            _ numbers: MessageNumberSet<Number>, _ attributes: [FetchAttribute],
            changedSince: ModSequence? = nil, vanished: Bool = false, partial: PartialRange? = nil
        ) {
            self.init(
                .numbers(numbers), attributes, changedSince: changedSince, vanished: vanished,
                partial: partial)
        }

        /// Writes it; see `IMAPCommand.encode(into:)`.
        public func encode(into encoder: inout CommandEncoder) throws(IMAPError) {
            try encoder.verb("FETCH ", Number.self)
            try encoder.messages(messages)
            encoder.space()
            try encoder.attributes(attributes)
            try encodeModifiers(into: &encoder)
        }

        private func encodeModifiers(into encoder: inout CommandEncoder) throws(IMAPError) {
            guard changedSince != nil || partial != nil || vanished else { return }
            encoder.text(" (")
            if let changedSince {
                try encoder.require(.condStore)
                encoder.text("CHANGEDSINCE ")
                encoder.number(changedSince.rawValue)
            }
            if vanished {
                guard changedSince != nil, Number.isUID else {
                    throw .invalidInput("VANISHED belongs to UID FETCH with CHANGEDSINCE")
                }
                guard encoder.enabled.contains(.qResync) else {
                    throw IMAPError(kind: .outOfOrder("QRESYNC has to be enabled first"))
                }
                encoder.text(" VANISHED")
            }
            if let partial {
                try encoder.require(.partial)
                guard Number.isUID else { throw .invalidInput("PARTIAL belongs to UID FETCH") }
                encoder.text(changedSince == nil ? "PARTIAL " : " PARTIAL ")
                encoder.range(partial)
            }
            encoder.text(")")
        }

        /// Something empty to gather its answers in.
        public func makeCollector() -> Collector { Collector(self) }
    }
}
