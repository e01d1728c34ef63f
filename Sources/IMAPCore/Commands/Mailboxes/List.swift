extension IMAP {
    /// `LIST`: asks for mailboxes, and for what is known of each. RFC 9051 §6.3.9, RFC 5258, RFC 5819, RFC 6154,
    /// RFC 8440, RFC 9590.
    ///
    ///     C: M4 LIST (SUBSCRIBED) "" (INBOX Archive/%) RETURN (CHILDREN STATUS (UNSEEN))
    ///     S: * LIST (\Subscribed \HasNoChildren) "/" INBOX
    ///     S: * STATUS INBOX (UNSEEN 3)
    ///
    /// With nothing but one pattern it is what every server knows: `LIST "" *`.
    ///
    /// - Throws: `.unsupported` for what the server does not offer, `.invalidInput` without a pattern.
    public struct List: IMAPCommand, Hashable {
        /// What the patterns go on from; `nil`: nothing.
        public var reference: MailboxName?
        /// Which names. Up to `patternLimit`.
        public var patterns: [MailboxPattern]
        /// Which of those mailboxes.
        public var selection: Selection
        /// What to tell of each.
        public var returning: Returning

        /// How many patterns a list may have.
        public static let patternLimit = 1_000

        /// Its words.
        public var name: String { "LIST" }

        /// Makes one.
        public init(
            _ patterns: [MailboxPattern] = [.all], reference: MailboxName? = nil,
            selection: Selection = [], returning: Returning = Returning()
        ) {
            self.patterns = patterns
            self.reference = reference
            self.selection = selection
            self.returning = returning
        }

        /// Whether it has what only LIST-EXTENDED offers.
        var isExtended: Bool {
            patterns.count != 1 || !selection.isEmpty || !returning.isEmpty
        }

        /// Writes it; see `IMAPCommand.encode(into:)`.
        public func encode(into encoder: inout CommandEncoder) throws(IMAPError) {
            guard let first = patterns.first, patterns.count <= Self.patternLimit else {
                throw .invalidInput("a list needs 1 to \(Self.patternLimit) patterns")
            }
            if isExtended { try encoder.require(.listExtended) }
            encoder.text("LIST ")
            if !selection.isEmpty {
                try selection.encode(into: &encoder)
                encoder.space()
            }
            encoder.reference(reference)
            encoder.space()
            if patterns.count == 1 {
                encoder.pattern(first)
            } else {
                encoder.list(patterns) { $0.pattern($1) }
            }
            guard !returning.isEmpty else { return }
            encoder.text(" RETURN ")
            try returning.encode(into: &encoder)
        }

        /// Something empty to gather its answers in.
        public func makeCollector() -> Collector { Collector(returning: returning) }
    }
}

extension IMAP.List {
    /// Which mailboxes of those whose names fit. RFC 5258 §3.1.
    public struct Selection: OptionSet, Hashable, Sendable {
        /// The options, a bit each.
        public let rawValue: UInt8

        /// Makes a set of options.
        public init(rawValue: UInt8) { self.rawValue = rawValue }

        /// Those that are subscribed, existing or not.
        public static let subscribed = Selection(rawValue: 1)
        /// Those on other servers, too.
        public static let remote = Selection(rawValue: 2)
        /// Those, too, that have others inside of them which the other options choose.
        public static let recursiveMatch = Selection(rawValue: 4)
        /// Those with a special use. RFC 6154 §2.
        public static let specialUse = Selection(rawValue: 8)

        static let words: [(Selection, StaticString)] = [
            (.subscribed, "SUBSCRIBED"), (.remote, "REMOTE"), (.recursiveMatch, "RECURSIVEMATCH"),
            (.specialUse, "SPECIAL-USE"),
        ]

        fileprivate func encode(into encoder: inout CommandEncoder) throws(IMAPError) {
            if contains(.specialUse) { try encoder.require(.specialUse) }
            if contains(.recursiveMatch), isDisjoint(with: [.subscribed, .specialUse]) {
                throw .invalidInput("RECURSIVEMATCH needs SUBSCRIBED or SPECIAL-USE beside it")
            }
            encoder.list(Self.words.filter { contains($0.0) }) { $0.text($1.1) }
        }
    }

    /// What a server tells of each mailbox. RFC 5258 §3.2.
    public struct Returning: Hashable, Sendable {
        /// Whether it is subscribed.
        public var subscribed = false
        /// Whether others are inside of it.
        public var children = false
        /// What it is for. RFC 6154 §2.
        public var specialUse = false
        /// Its numbers. RFC 5819.
        public var status: Set<StatusItem> = []
        /// What the user may do in it. RFC 8440.
        public var myRights = false
        /// Its annotations with these names. RFC 9590.
        public var metadata: [String] = []

        /// Nothing beyond what every list tells.
        public init() {}

        /// Makes one.
        public init(
            subscribed: Bool = false, children: Bool = false, specialUse: Bool = false,
            status: Set<StatusItem> = [], myRights: Bool = false, metadata: [String] = []
        ) {
            self.subscribed = subscribed
            self.children = children
            self.specialUse = specialUse
            self.status = status
            self.myRights = myRights
            self.metadata = metadata
        }

        var isEmpty: Bool { self == Returning() }

        fileprivate func encode(into encoder: inout CommandEncoder) throws(IMAPError) {
            var isFirst = true
            func option(_ word: StaticString) {
                if !isFirst { encoder.space() }
                isFirst = false
                encoder.text(word)
            }
            encoder.text("(")
            if subscribed { option("SUBSCRIBED") }
            if children { option("CHILDREN") }
            if specialUse {
                try encoder.require(.specialUse)
                option("SPECIAL-USE")
            }
            if !status.isEmpty {
                try encoder.require(.listStatus)
                option("STATUS ")
                try encoder.statusItems(status)
            }
            if myRights {
                try encoder.require(.listMyRights)
                option("MYRIGHTS")
            }
            if !metadata.isEmpty {
                try encoder.require(.listMetadata)
                option("METADATA ")
                try encoder.list(metadata) { encoder, name throws(IMAPError) in
                    try encoder.annotationName(name)
                }
            }
            encoder.text(")")
        }
    }
}
