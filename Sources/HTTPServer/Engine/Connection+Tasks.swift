import CMartletMicrohttpd
import MartletBytes
import Synchronization

/// What handlers' tasks say, from anywhere.
extension Connection {
    /// The handler has its response.
    ///
    /// - Returns: whether it is still wanted.
    func answer(_ exchange: Exchange, _ response: HTTPResponse, isStreamed: Bool) -> Bool {
        state.withLock { state in
            guard case .handling(let current, let task) = state.stage, current === exchange
            else { return false }
            if isStreamed { state.stream = StreamBuffer() }
            // Without a stream, the task has nothing left to do that could be cancelled.
            state.stage = .answering(exchange, isStreamed ? task : nil, response)
            state.deadline = nil
            MHD_resume_connection(handle)
            return true
        }
    }

    /// A piece of the stream; `writer` goes on when there is room for more, or the client is gone.
    func write(_ piece: [UInt8], _ exchange: Exchange, _ writer: UnsafeContinuation<Bool, Never>) {
        state.withLock { state in
            guard state.stage.exchange === exchange, state.stream != nil else {
                return writer.resume(returning: false)
            }
            state.stream?.append(piece, limit: core.limits.streamBufferSizeInOctets, writer)
            feed(&state)
        }
    }

    /// The stream is at its end.
    func finishStream(_ exchange: Exchange, broken: Bool) {
        state.withLock { state in
            guard state.stage.exchange === exchange else { return }
            state.stream?.finish(broken: broken)
            feed(&state)
        }
    }

    /// There is something to send, or an end to tell.
    func feed(_ state: inout State) {
        guard case .starving(let exchange, let task) = state.stage, let stream = state.stream,
            stream.count > 0 || stream.isFinished
        else { return }
        state.stage = .sending(exchange, task)
        state.deadline = .now + core.limits.writeTime
        MHD_resume_connection(handle)
    }
}
