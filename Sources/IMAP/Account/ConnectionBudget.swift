import MartletIMAPCore

/// How many connections a server lets one account have, as it is learned: servers say it by refusing one.
///
/// A pure value: the account asks it, and tells it what came of each connection.
public struct ConnectionBudget: Hashable, Sendable {
    /// How many the caller wants at most.
    public let wanted: Int
    /// How many may be open now.
    public private(set) var limit: Int
    /// How often it was refused since it grew.
    private var successes = 0

    /// After so many connections that were let in, one more is tried again: somebody else may have left.
    static let successesToGrow = 50

    /// Begins with what the caller wants.
    public init(wanted: Int) {
        self.wanted = max(1, wanted)
        limit = self.wanted
    }

    /// What is known of the server sets a lower limit.
    public mutating func know(_ limit: Int?) {
        guard let limit else { return }
        self.limit = min(self.limit, max(1, limit))
    }

    /// A connection was refused while `open` others were open. Returns whether that was why, so that waiting for one of
    /// them helps.
    public mutating func refused(_ error: IMAPError, open: Int) -> Bool {
        guard open > 0, Self.isAboutConnections(error) else { return false }
        limit = min(limit, open)
        successes = 0
        return true
    }

    /// A connection was let in.
    public mutating func succeeded() {
        successes += 1
        guard successes >= Self.successesToGrow, limit < wanted else { return }
        successes = 0
        limit += 1
    }

    /// Whether a refusal is about how many connections there are: by its code, or by words that mean "too many", or a
    /// connection that is closed before or right after its login without a word.
    static func isAboutConnections(_ error: IMAPError) -> Bool {
        switch error.kind {
        case .serviceClosing, .refused, .authenticationRefused:
            if case .retry = error.recovery { return true }
            return error.code == .limit
        case .unexpectedClose: return true
        default: return false
        }
    }
}
