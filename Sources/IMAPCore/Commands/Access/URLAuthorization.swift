import MartletBytes

extension IMAP {
    /// `GENURLAUTH`: makes URLs by which others can fetch. RFC 4467 §7.
    ///
    ///     C: M4 GENURLAUTH "imap://joe@example.com/INBOX/;uid=20/;section=1.2;urlauth=submit+fred" INTERNAL
    ///     S: * GENURLAUTH "imap://joe@example.com/INBOX/;uid=20/;section=1.2;urlauth=submit+fred:internal:91354a47"
    ///
    /// - Throws: `.unsupported` where the server does not offer it, `.invalidInput` for none, or for what is no URL.
    public struct GenerateURLs: IMAPCommand, Hashable {
        /// A URL, and how it is authorized.
        public struct Request: Hashable, Sendable {
            /// The URL up to its `;urlauth=`.
            public var url: String
            /// How; `INTERNAL` is what every server knows.
            public var mechanism: String

            /// Makes one.
            public init(_ url: String, mechanism: String = "INTERNAL") {
                self.url = url
                self.mechanism = mechanism
            }
        }

        /// The URLs. Up to `urlLimit`.
        public var requests: [Request]

        /// How many URLs there may be.
        public static let urlLimit = 1_000

        /// Its words.
        public var name: String { "GENURLAUTH" }

        /// Makes one.
        public init(_ requests: [Request]) { self.requests = requests }

        /// Writes it; see `IMAPCommand.encode(into:)`.
        public func encode(into encoder: inout CommandEncoder) throws(IMAPError) {
            try encoder.require(.urlAuth)
            guard !requests.isEmpty, requests.count <= Self.urlLimit else {
                throw .invalidInput("GENURLAUTH takes 1 to \(Self.urlLimit) URLs")
            }
            encoder.text("GENURLAUTH ")
            try encoder.words(requests) { encoder, request throws(IMAPError) in
                try encoder.checkedURL(request.url)
                encoder.space()
                try encoder.checkedAtom(request.mechanism, "mechanism")
            }
        }
        /// Something empty to gather its answers in.
        public func makeCollector() -> Collector { Collector() }

        /// Gathers URLs in the order asked for.
        public struct Collector: ResponseCollector {
            private var urls: [String] = []
            private var budget = GatheringBudget()

            /// Takes a response, if it is an answer.
            public mutating func receive(_ response: IMAPResponse) -> Disposition {
                guard case .generatedURLs(let more) = response else { return .unclaimed }
                if budget.take(more.reduce(0) { $0 + 16 + $1.utf8.count }) { urls += more }
                return .consumed
            }

            /// Set once too much came; see `ResponseCollector.excess`.
            public var excess: IMAPError? { budget.excess }

            /// What the command gives; see `ResponseCollector.finish(_:)`.
            public consuming func finish(_ text: ResponseText) throws(IMAPError) -> [String] {
                try budget.check()
                return urls
            }
        }
    }

    /// `RESETKEY`: makes URLs void that were made for a mailbox, or for all. RFC 4467 §7.
    ///
    ///     C: M4 RESETKEY INBOX INTERNAL
    ///
    /// - Throws: `.unsupported` where the server does not offer it, `.invalidInput` for what is no mechanism.
    public struct ResetKey: IMAPCommand, Hashable {
        /// The mailbox; `nil`: all of them.
        public var mailbox: MailboxName?
        /// Those of which mechanisms; none: all. Only with a mailbox.
        public var mechanisms: [String]

        /// Its words.
        public var name: String { "RESETKEY" }

        /// Makes one.
        public init(_ mailbox: MailboxName? = nil, mechanisms: [String] = []) {
            self.mailbox = mailbox
            self.mechanisms = mechanisms
        }

        /// Writes it; see `IMAPCommand.encode(into:)`.
        public func encode(into encoder: inout CommandEncoder) throws(IMAPError) {
            try encoder.require(.urlAuth)
            encoder.text("RESETKEY")
            guard let mailbox else {
                guard mechanisms.isEmpty else {
                    throw .invalidInput("mechanisms are named for a mailbox")
                }
                return
            }
            encoder.space()
            encoder.mailbox(mailbox)
            for mechanism in mechanisms {
                encoder.space()
                try encoder.checkedAtom(mechanism, "mechanism")
            }
        }
        /// Something empty to gather its answers in.
        public func makeCollector() -> NoResponses { NoResponses() }
    }

    /// `URLFETCH`: fetches what URLs name. RFC 4467 §7, RFC 5524.
    ///
    ///     C: M4 URLFETCH "imap://joe@example.com/INBOX/;uid=20/;section=1.2;urlauth=…"
    ///     S: * URLFETCH "imap://…" {28}
    ///
    /// - Throws: `.unsupported` where the server does not offer it, `.invalidInput` for none, or for what is no URL.
    public struct FetchURLs: IMAPCommand, Hashable {
        /// How the octets come. RFC 5524 §3.
        public enum Form: String, Hashable, Sendable, CaseIterable {
            /// As they are, asked for in the words of RFC 5524.
            case body = "BODY"
            /// Decoded.
            case binary = "BINARY"
        }

        /// A URL.
        public struct Request: Hashable, Sendable {
            /// The URL, with its authorization.
            public var url: String
            /// How its octets come; `nil`: as they are, asked for in the words of RFC 4467.
            public var form: Form?

            /// Makes one.
            public init(_ url: String, form: Form? = nil) {
                self.url = url
                self.form = form
            }
        }

        /// The URLs. Up to `urlLimit`.
        public var requests: [Request]

        /// How many URLs there may be.
        public static let urlLimit = 1_000

        /// Its words.
        public var name: String { "URLFETCH" }

        /// Makes one.
        public init(_ requests: [Request]) { self.requests = requests }

        /// Writes it; see `IMAPCommand.encode(into:)`.
        public func encode(into encoder: inout CommandEncoder) throws(IMAPError) {
            try encoder.require(.urlAuth)
            guard !requests.isEmpty, requests.count <= Self.urlLimit else {
                throw .invalidInput("URLFETCH takes 1 to \(Self.urlLimit) URLs")
            }
            encoder.text("URLFETCH ")
            try encoder.words(requests) { encoder, request throws(IMAPError) in
                guard let form = request.form else { return try encoder.checkedURL(request.url) }
                try encoder.require(.urlAuthBinary)
                encoder.text("(")
                try encoder.checkedURL(request.url)
                encoder.space()
                encoder.raw(form.rawValue.utf8)
                encoder.text(")")
            }
        }
        /// Something empty to gather its answers in.
        public func makeCollector() -> Collector { Collector() }

        /// Gathers what URLs named.
        public struct Collector: ResponseCollector {
            private var found: [FetchedURL] = []
            private var literals = LiteralGatherer()
            private var budget = GatheringBudget()

            /// Takes a response, if it is an answer.
            public mutating func receive(_ response: IMAPResponse) -> Disposition {
                guard case .fetchedURLs(let more) = response else { return .unclaimed }
                for var url in more {
                    url.data = literals.settle(url.data)
                    let size = 64 + url.url.utf8.count
                    if budget.take(size + (url.data.octets?.count ?? 0)) { found.append(url) }
                }
                literals.clear()
                return .consumed
            }

            /// Takes large data, if they belong to an answer.
            public mutating func claims(_ literal: DetachedLiteral) -> Bool {
                literal.isInResponse("URLFETCH") && literals.begin(literal, &budget)
            }

            /// Takes the next octets of large data.
            public mutating func receiveLiteral(_ octets: ArraySlice<UInt8>) {
                literals.append(octets)
            }

            /// Set once too much came; see `ResponseCollector.excess`.
            public var excess: IMAPError? { budget.excess }

            /// What the command gives; see `ResponseCollector.finish(_:)`.
            public consuming func finish(_ text: ResponseText) throws(IMAPError) -> [FetchedURL] {
                try budget.check()
                return found
            }
        }
    }
}
