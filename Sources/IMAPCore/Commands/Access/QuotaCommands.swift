import MartletBytes

extension IMAP {
    /// `GETQUOTA`: asks what a quota root allows and what is used. RFC 9208 §4.1.2.
    ///
    ///     C: M4 GETQUOTA ""
    ///     S: * QUOTA "" (STORAGE 10 512)
    ///
    /// - Throws: `.unsupported` where the server does not offer it, `.invalidInput` for a name with control characters.
    public struct GetQuota: IMAPCommand, Hashable {
        /// The quota root's name, often empty.
        public var root: String

        /// Its words.
        public var name: String { "GETQUOTA" }

        /// Makes one.
        public init(root: String) { self.root = root }

        /// Writes it; see `IMAPCommand.encode(into:)`.
        public func encode(into encoder: inout CommandEncoder) throws(IMAPError) {
            try encoder.requireQuota()
            encoder.text("GETQUOTA ")
            try encoder.checkedName(root, "the name of a quota root", mayBeEmpty: true)
        }
        /// Something empty to gather its answers in.
        public func makeCollector() -> QuotaCollector { QuotaCollector() }
    }

    /// `SETQUOTA`: changes what a quota root allows; for administrators. RFC 9208 §4.1.4.
    ///
    ///     C: M4 SETQUOTA "" (STORAGE 512)
    ///
    /// What is not named has no limit any more.
    ///
    /// - Throws: `.unsupported` where the server does not offer it, `.invalidInput` for names that are none, or for numbers
    ///   beyond 63 bits.
    public struct SetQuota: IMAPCommand, Hashable {
        /// Something that is limited.
        public struct Resource: Hashable, Sendable {
            /// What it is, such as `STORAGE` (units of 1,024 octets) or `MESSAGE`.
            public var name: String
            /// How much of it may be used.
            public var limit: UInt64

            /// Makes one.
            public init(name: String, limit: UInt64) {
                self.name = name
                self.limit = limit
            }
        }

        /// The quota root's name, often empty.
        public var root: String
        /// What is limited. Up to `resourceLimit`.
        public var resources: [Resource]

        /// How many resources may be named.
        public static let resourceLimit = 100

        /// Its words.
        public var name: String { "SETQUOTA" }

        /// Makes one.
        public init(root: String, _ resources: [Resource]) {
            self.root = root
            self.resources = resources
        }

        /// Writes it; see `IMAPCommand.encode(into:)`.
        public func encode(into encoder: inout CommandEncoder) throws(IMAPError) {
            try encoder.requireQuota()
            guard resources.count <= Self.resourceLimit else {
                throw .invalidInput("SETQUOTA takes up to \(Self.resourceLimit) resources")
            }
            encoder.text("SETQUOTA ")
            try encoder.checkedName(root, "the name of a quota root", mayBeEmpty: true)
            encoder.space()
            try encoder.list(resources) { encoder, resource throws(IMAPError) in
                try encoder.checkedAtom(resource.name, "resource")
                guard resource.limit <= Int64.max else {
                    throw .invalidInput("a quota has at most 63 bits")
                }
                encoder.space()
                encoder.number(resource.limit)
            }
        }
        /// Something empty to gather its answers in.
        public func makeCollector() -> QuotaCollector { QuotaCollector() }
    }

    /// `GETQUOTAROOT`: asks which quota roots count for a mailbox, and for each of them. RFC 9208 §4.1.3.
    ///
    ///     C: M4 GETQUOTAROOT INBOX
    ///     S: * QUOTAROOT INBOX ""
    ///     S: * QUOTA "" (STORAGE 10 512)
    ///
    /// - Throws: `.unsupported` where the server does not offer it.
    public struct GetQuotaRoot: IMAPCommand, Hashable {
        /// The mailbox.
        public var mailbox: MailboxName

        /// Its words.
        public var name: String { "GETQUOTAROOT" }

        /// Makes one.
        public init(_ mailbox: MailboxName) { self.mailbox = mailbox }

        /// Writes it; see `IMAPCommand.encode(into:)`.
        public func encode(into encoder: inout CommandEncoder) throws(IMAPError) {
            try encoder.requireQuota()
            encoder.text("GETQUOTAROOT ")
            encoder.mailbox(mailbox)
        }
        /// Something empty to gather its answers in.
        public func makeCollector() -> Collector { Collector(mailbox: mailbox) }

        /// Gathers roots and quotas.
        public struct Collector: ResponseCollector {
            let mailbox: MailboxName
            private var roots: [String] = []
            private var quotas = QuotaCollector()

            init(mailbox: MailboxName) { self.mailbox = mailbox }

            /// Takes a response, if it is an answer.
            public mutating func receive(_ response: IMAPResponse) -> Disposition {
                guard case .quotaRoot(let answer) = response, answer.mailbox.isMeant(by: mailbox)
                else { return quotas.receive(response) }
                let size = answer.roots.reduce(64) { $0 + 16 + $1.utf8.count }
                if quotas.budget.take(size) { roots += answer.roots }
                return .consumed
            }

            /// Set once too much came; see `ResponseCollector.excess`.
            public var excess: IMAPError? { quotas.excess }

            /// What the command gives; see `ResponseCollector.finish(_:)`.
            public consuming func finish(
                _ text: ResponseText
            ) throws(IMAPError) -> (roots: [String], quotas: [QuotaResponse]) {
                (roots, try quotas.finish(text))
            }
        }
    }
}

/// Gathers quotas.
public struct QuotaCollector: ResponseCollector {
    private var quotas: [QuotaResponse] = []
    fileprivate(set) var budget = GatheringBudget()

    init() {}

    /// Takes a response, if it is an answer.
    public mutating func receive(_ response: IMAPResponse) -> Disposition {
        guard case .quota(let quota) = response else { return .unclaimed }
        let size = quota.resources.reduce(64 + quota.root.utf8.count) {
            $0 + 48 + $1.name.utf8.count
        }
        if budget.take(size) { quotas.append(quota) }
        return .consumed
    }

    /// Set once too much came; see `ResponseCollector.excess`.
    public var excess: IMAPError? { budget.excess }

    /// What the command gives; see `ResponseCollector.finish(_:)`.
    public consuming func finish(_ text: ResponseText) throws(IMAPError) -> [QuotaResponse] {
        try budget.check()
        return quotas
    }
}

extension CommandEncoder {
    /// RFC 9208 names what is limited behind `QUOTA=`; RFC 2087 said `QUOTA` alone.
    fileprivate func requireQuota() throws(IMAPError) {
        if !capabilities.words.contains(where: { $0.name == "QUOTA" }) { try require(.quota) }
    }
}
