import MartletIMAPCore

/// How long to wait between attempts to open a lost connection: longer and longer while they fail.
struct WatchPauses {
    private var failures = 0

    /// The longest pause between attempts.
    static let longest = Duration.seconds(300)

    /// Something was heard: the next loss is the first.
    mutating func reset() { failures = 0 }

    /// At once, then 2, 4 … seconds, or as long as the server asks for; `nil` where trying again does not help.
    mutating func next(after error: IMAPError) -> Duration? {
        let usual = min(.seconds(1 << min(failures, 9)), Self.longest)
        let isFirst = failures == 0
        failures += 1
        switch error.recovery {
        case .reconnect: return isFirst ? .zero : usual
        case .retry(let wait): return max(wait ?? .zero, usual)
        case .fixInput, .authenticate, .giveUp: return nil
        }
    }
}
