/// The messages of one maildrop that were met before, by their unique IDs.
///
/// Times are seconds since 1 January 1970, from the caller's clock.
public struct SeenMessages: Hashable, Sendable {
    /// Most messages of a file.
    public static let countLimit = 2_000_000

    /// What is known of a message.
    public struct Entry: Hashable, Sendable {
        /// How it came to be known.
        public enum State: UInt8, Hashable, Sendable {
            /// It was fetched, and there is a copy here.
            case fetched = 0x46  // F
            /// The copy here was deleted.
            case deletedHere = 0x44  // D
            /// It was there when the set was made anew. It is neither fetched nor deleted by any rule.
            case adopted = 0x41  // A
        }

        /// How it came to be known.
        public var state: State
        /// When it was fetched or adopted.
        public var since: Int64
        /// When the server listed it last.
        public var lastListed: Int64

        /// Describes a message.
        public init(_ state: State, since: Int64, lastListed: Int64) {
            self.state = state
            self.since = since
            self.lastListed = lastListed
        }
    }

    /// All that are known.
    public private(set) var entries: [UniqueID: Entry]

    /// Nothing was met: all that is on the server is new.
    public init() { entries = [:] }

    /// Takes all that is on the server for known, without a copy of it: nothing of it is fetched, nothing deleted.
    ///
    /// For a maildrop whose file was lost.
    public init(adopting messages: [MaildropMessage], at now: Int64) {
        self.init()
        for id in messages.compactMap(\.uniqueID) {
            entries[id] = Entry(.adopted, since: now, lastListed: now)
        }
    }

    init(_ entries: [UniqueID: Entry]) { self.entries = entries }

    /// Whether a message was met before.
    public func contains(_ id: UniqueID) -> Bool { entries[id] != nil }

    /// Says that a message was fetched, and that its copy is safe: on disk, not only in memory.
    public mutating func wasFetched(_ id: UniqueID, at now: Int64) {
        entries[id] = Entry(.fetched, since: now, lastListed: now)
    }

    /// Says that the copy here was deleted by its owner. Of messages that were never fetched it changes nothing.
    public mutating func wasDeletedHere(_ id: UniqueID) {
        guard entries[id]?.state == .fetched else { return }
        entries[id]?.state = .deletedHere
    }

    /// Takes note of what the server lists, and forgets what it has not listed for long.
    ///
    /// A message that is deleted from the server is no special case: it is not listed any more.
    public mutating func wereListed(
        _ messages: [MaildropMessage], at now: Int64, by policy: RetentionPolicy
    ) {
        for id in messages.compactMap(\.uniqueID) { entries[id]?.lastListed = now }
        let limit = RetentionPolicy.seconds(days: policy.remembersAbsentForDays)
        entries = entries.filter { $0.value.lastListed > now.subtractingSafely(limit) }
    }
}

extension RetentionPolicy {
    /// A number of days, negative ones being none, in seconds.
    static func seconds(days: Int) -> Int64 {
        let (seconds, overflows) = Int64(max(0, days)).multipliedReportingOverflow(by: 86_400)
        return overflows ? .max : seconds
    }
}

extension Int64 {
    /// The difference, or the least number where it is too small.
    func subtractingSafely(_ other: Int64) -> Int64 {
        let (difference, overflows) = subtractingReportingOverflow(other)
        return overflows ? .min : difference
    }
}
