extension IMAP {
    /// A `Fetch` whose answers are handed on while they come, so that any amount goes through little memory.
    ///
    ///     let id = session.submit(IMAP.FetchStream(fetch))
    ///     // whenever octets came:
    ///     let pieces = session.withCollector(of: id, IMAP.FetchStream<UID>.Collector.self) {
    ///         $0.takePieces()
    ///     }
    ///
    /// What is not taken while the command runs is in the collector of its `completed` event.
    public struct FetchStream<Number: MessageNumber>: IMAPCommand, Hashable {
        /// What is asked for; its memory limit means nothing here.
        public var fetch: Fetch<Number>

        /// Its words.
        public var name: String { fetch.name }
        /// When it may be sent.
        public var scope: CommandScope { fetch.scope }
        /// What may be under way beside it.
        public var order: CommandOrder { fetch.order }

        /// Makes one.
        public init(_ fetch: Fetch<Number>) { self.fetch = fetch }

        /// Writes it; see `IMAPCommand.encode(into:)`.
        public func encode(into encoder: inout CommandEncoder) throws(IMAPError) {
            try fetch.encode(into: &encoder)
        }
        /// Something empty to gather its answers in.
        public func makeCollector() -> Collector { Collector(fetch) }
    }
}

/// Something that came in answer to FETCH, in the order in which it came.
public enum FetchPiece: Hashable, Sendable {
    /// A row. Large data of it came before it; they are `.detached` in it.
    case row(FetchResponse)
    /// A row that could not be read.
    indirect case damaged(DamagedResponse)
    /// UIDs that are gone, where they were asked for.
    case vanished(UIDSet)
    /// Large data begin, of this message and item, so many octets. `data` as often as needed and `dataEnds` follow.
    indirect case dataBegins(LiteralOwner, index: Int, sizeInOctets: UInt64)
    /// The next of those octets.
    case data(ArraySlice<UInt8>)
    /// The data end. There may have been fewer octets than announced: the row says so.
    case dataEnds
}

extension IMAP.FetchStream {
    /// What is left to say at the end.
    public struct Summary: Hashable, Sendable {
        /// See `FetchResult.missing`.
        public var missing: MessageNumberSet<Number>?
        /// The code of OK, such as `.messageLimit`.
        public var code: ResponseCode?
    }

    /// Keeps pieces until they are taken.
    public struct Collector: ResponseCollector {
        private var claim: FetchClaim
        private let takesVanished: Bool
        private var pieces: [FetchPiece] = []

        init(_ command: IMAP.Fetch<Number>) {
            claim = FetchClaim(command)
            takesVanished = command.vanished
        }

        /// What came since this was called last.
        public mutating func takePieces() -> [FetchPiece] {
            defer { pieces = [] }
            return pieces
        }

        /// Takes a response, if it is an answer.
        public mutating func receive(_ response: IMAPResponse) -> Disposition {
            switch response {
            case .fetch(let row) where claim.claims(row): pieces.append(.row(row))
            case .damaged(let row) where claim.claims(row): pieces.append(.damaged(row))
            case .vanished(true, let uids) where takesVanished: pieces.append(.vanished(uids))
            default: return .unclaimed
            }
            return .consumed
        }

        /// Takes large data, if they belong to an answer.
        public mutating func claims(_ literal: DetachedLiteral) -> Bool {
            claims(literal.owner, literal)
        }

        mutating func claims(_ owner: LiteralOwner, _ literal: DetachedLiteral) -> Bool {
            guard claim.claims(owner) else { return false }
            pieces.append(.dataBegins(owner, index: literal.index, sizeInOctets: literal.size))
            return true
        }

        /// Takes the next octets of large data.
        public mutating func receiveLiteral(_ octets: ArraySlice<UInt8>) {
            pieces.append(.data(octets))
        }

        /// The large data are over.
        public mutating func endLiteral() { pieces.append(.dataEnds) }

        /// Set once too much came; see `ResponseCollector.excess`.
        public var excess: IMAPError? { claim.excess }

        /// What the command gives; see `ResponseCollector.finish(_:)`.
        public consuming func finish(_ text: ResponseText) throws(IMAPError) -> Summary {
            Summary(missing: claim.missing(), code: text.code)
        }
    }
}
