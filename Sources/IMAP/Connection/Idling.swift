import MartletIMAPCore
import MartletTransport

/// Whether and when to ask for IDLE again: a server that offers it and does not do it must not be asked all the time.
struct Idling {
    /// The IDLE that goes on.
    var id: CommandID?
    /// QUIRK(idle-refused): the server offers IDLE and refuses it. It is asked by NOOP instead.
    private(set) var isRefused = false
    /// Not again before then.
    private(set) var notBefore: MonotonicTime?
    private var shortOnes = 0

    /// An IDLE that a server ends sooner by itself is a short one.
    private static let short = Duration.seconds(10)
    /// The longest pause after short ones.
    private static let longestPause = Duration.seconds(300)

    var mayBegin: Bool { notBefore.map { $0 <= .now } ?? true }

    /// It ended.
    ///
    /// - Parameters:
    ///   - duration: how long the server was in it; `nil`: it never began.
    ///   - forOthers: whether it was ended for another command.
    mutating func ended(
        _ condition: StatusCondition, after duration: Duration?, forOthers: Bool
    ) {
        id = nil
        notBefore = nil
        guard condition == .ok else {
            isRefused = true
            return
        }
        guard !forOthers, duration ?? .zero < Self.short else {
            shortOnes = 0
            return
        }
        // QUIRK(idle-ended-at-once): 1, 2, 4 … seconds.
        notBefore = .now.advanced(by: min(.seconds(1 << min(shortOnes, 9)), Self.longestPause))
        shortOnes += 1
    }
}
