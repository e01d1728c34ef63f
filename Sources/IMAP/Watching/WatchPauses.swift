import MartletIMAPCore

/// How long to wait between attempts to open a lost connection: longer and longer while they fail.
struct WatchPauses {
    private var failures = 0

    /// The longest pause between attempts.
    static let longest = Duration.seconds(300)

    /// How long a connection has to stand for its loss to be the first one: a server that tells something and closes must not
    /// be asked again and again without a pause.
    static let steadiness = Duration.seconds(60)
    private var opened: ContinuousClock.Instant?

    /// A connection stands.
    mutating func began() { opened = .now }

    /// At once, then 2, 4 … seconds, or as long as the server asks for; `nil` where trying again does not help.
    mutating func next(after error: IMAPError) -> Duration? {
        if let opened, ContinuousClock.now - opened >= Self.steadiness { failures = 0 }
        opened = nil
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
