import MartletIMAPCore
import MartletTransport

/// Patience, IDLE and its renewal.
extension IMAPConnection {
    /// Whether an answer is due: then the server may not be silent for long.
    private var answerIsDue: Bool {
        guard failure == nil, !tlsIsDue else { return false }
        // IDLE has to be answered, too; then the server may be silent.
        let isSilentByRight = session.isIdling && idleBegan != nil
        return greeting == nil || (session.isBusy && !isSilentByRight && !readerIsWaiting)
    }

    private var readerIsWaiting: Bool { readerWaiter != nil }

    /// Sets the timer to when something could be late, if there is such a time.
    func watchTime() {
        guard failure == nil, let next = nextDeadline else { return }
        if let timer, timer <= next { return }
        timer = next
        server.loop.schedule(at: next, Timer(connection: self, time: next))
    }

    private var nextDeadline: MonotonicTime? {
        if answerIsDue { return lastHeard.advanced(by: patience) }
        if session.isIdling, let idleBegan {
            return min(
                lastHeard.advanced(by: server.timeouts.idleRenewal),
                idleBegan.advanced(by: idleLimit))
        }
        guard watchers > 0 else { return nil }
        if !canIdle { return lastHeard.advanced(by: server.timeouts.polling) }
        return session.isBusy ? nil : idling.notBefore
    }

    /// How long IDLE goes on in any case.
    private var idleLimit: Duration {
        let usual = server.timeouts.idleLimit
        return profile?.idleRenewalInSeconds.map { min(usual, .seconds($0)) } ?? usual
    }

    // MARK: Total limits

    /// Ends the connection after a time, unless something is done by then.
    func endUnlessDone(
        within limit: Duration, _ isDone: @escaping @Sendable (isolated IMAPConnection) -> Bool
    ) {
        server.loop.schedule(
            at: .now.advanced(by: limit), TotalTimer(connection: self, isDone: isDone))
    }

    private struct TotalTimer: TimerHandler {
        weak var connection: IMAPConnection?
        var isDone: @Sendable (isolated IMAPConnection) -> Bool

        func timeCame() {
            connection?.assumeIsolated { connection in
                guard connection.failure == nil, !isDone(connection) else { return }
                connection.end(
                    IMAPError(kind: .timeout, command: connection.session.activity))
            }
        }
    }

    private struct Timer: TimerHandler {
        weak var connection: IMAPConnection?
        var time: MonotonicTime

        func timeCame() { connection?.assumeIsolated { $0.timeCame(set: time) } }
    }

    private func timeCame(set time: MonotonicTime) {
        guard timer == time else { return }
        timer = nil
        if let deadline = nextDeadline, deadline <= .now { deadlineCame() }
        watchTime()
    }

    private func deadlineCame() {
        if answerIsDue {
            lastHeard = .now
            if let error = session.deadlinePassed() { end(error) } else { settle() }
        } else if session.isIdling {
            // Its end must be answered soon: a dead peer is found so.
            lastHeard = .now
            session.endIdle()
            settle()
        } else if watchers > 0, !canIdle {
            lastHeard = .now
            _ = session.submit(IMAP.Noop())
            settle()
        } else {
            settle()
        }
    }

    // MARK: Watching

    /// Asks the server to tell what happens, as long as somebody listens and nothing else is to be done.
    func idleIfWanted() {
        guard watchers > 0, !session.isBusy, session.state == .selected, canIdle,
            idling.mayBegin
        else { return }
        idleBegan = nil
        lastHeard = .now
        idling.id = session.submit(IMAP.Idle())
    }

    private var canIdle: Bool { !idling.isRefused && session.capabilities.has(.idle) }

    /// IDLE came to its end, if that is what ended.
    func noteEndOfIdle(_ id: CommandID, _ end: TaggedResponse) {
        guard id == idling.id else { return }
        idling.ended(
            end.condition, after: idleBegan.map { MonotonicTime.now - $0 },
            forOthers: session.isBusy)
    }

    /// What the server tells without being asked, from now on.
    ///
    /// - Parameter idles: whether to ask for it with IDLE (or NOOP, where there is no IDLE) when nothing else is done.
    public func events(idles: Bool) -> AsyncThrowingStream<MailboxEvent, any Error> {
        if idles {
            watchers += 1
            settle()
        }
        let loop = server.loop
        return subscribers.listen { [weak self] id in
            let connection = self
            loop.execute { connection?.assumeIsolated { $0.stopListening(id, idles: idles) } }
        }
    }

    private func stopListening(_ id: Int, idles: Bool) {
        subscribers.remove(id)
        guard idles else { return }
        watchers -= 1
        if watchers == 0 {
            session.endIdle()
            settle()
        }
    }
}
