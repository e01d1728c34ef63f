import CMartletMicrohttpd
import Synchronization

/// What ends a connection, or a request, from outside: the watch and the server's end.
extension Connection {
    /// Cuts a client that takes too long, and answers for a handler that does.
    func expire(_ now: ContinuousClock.Instant) {
        let task = state.withLock { state -> Task<Void, Never>? in
            guard let deadline = state.deadline, now >= deadline else { return nil }
            state.deadline = nil
            guard case .handling(let exchange, let task) = state.stage else {
                if case .closed = state.stage { return nil }
                SystemCalls.cut(socket)
                return nil
            }
            let response = HTTPResponse.refusal(
                .serviceUnavailable, "The answer took too long. Try again later.")
            state.stage = .answering(exchange, task, response)
            MHD_resume_connection(handle)
            return task
        }
        core.cancel(task)
    }

    /// Whether the connection rests, so that only a look at its socket shows a client that went away.
    var isResting: Bool {
        state.withLock { $0.stage.isResting }
    }

    /// Lets a resting connection end: its client went away.
    func abandon() {
        let task = state.withLock { state in
            let task = state.stage.task
            abandon(&state)
            return task
        }
        core.cancel(task)
    }

    private func abandon(_ state: inout State) {
        switch state.stage {
        case .handling(let exchange, let task):
            state.stage = .answering(exchange, task, nil)
            MHD_resume_connection(handle)
        case .starving:
            state.stream?.finish(broken: true)
            feed(&state)
        default: break
        }
    }

    /// Ends a connection on which nothing is under way.
    func endIfWaiting() {
        state.withLock { state in
            if case .waiting = state.stage { SystemCalls.cut(socket) }
        }
    }

    /// Ends the connection whatever is under way.
    func cut() {
        let task = state.withLock { state -> Task<Void, Never>? in
            state.isCut = true
            if case .closed = state.stage { return nil }
            let task = state.stage.task
            abandon(&state)
            state.stream?.finish(broken: true)
            SystemCalls.cut(socket)
            return task
        }
        core.cancel(task)
    }
}
