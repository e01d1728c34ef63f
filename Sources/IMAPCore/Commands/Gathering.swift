extension IMAP {
    /// How much is kept of the answers to one command, in octets, counted roughly. Beyond that the connection ends with
    /// `.tooLarge`. `FETCH` has a form that hands its answers on instead.
    public static let gatheredLimitInOctets = 256 << 20
}

/// Counts what a collector keeps.
struct GatheringBudget: Sendable {
    let limit: Int
    private(set) var used = 0
    /// Whether something was dropped.
    private(set) var isExceeded = false

    init(limit: Int = IMAP.gatheredLimitInOctets) { self.limit = limit }

    /// Whether `octets` more may be kept.
    mutating func take(_ octets: Int) -> Bool {
        guard !isExceeded, octets <= limit - used else {
            isExceeded = true
            return false
        }
        used += octets
        return true
    }

    /// Set where something was dropped.
    var excess: IMAPError? {
        isExceeded ? IMAPError(kind: .tooLarge(limitInOctets: UInt64(max(limit, 0)))) : nil
    }

    /// Throws where something was dropped.
    func check() throws(IMAPError) {
        if let excess { throw excess }
    }
}

extension MailboxName {
    /// Whether a server means this mailbox. QUIRK(name-in-another-form): some answer with the name in UTF-8 where it was
    /// asked for in modified UTF-7, or the other way round.
    func isMeant(by other: MailboxName) -> Bool { self == other || text == other.text }
}
