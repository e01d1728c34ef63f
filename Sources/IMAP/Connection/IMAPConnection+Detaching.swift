import MartletIMAPCore
import MartletTransport

extension IMAPConnection {
    /// Gives the channel to somebody who talks by hand; for everybody else the connection is over, and not closed.
    ///
    /// To be called between commands: an answer that is under way is lost. Not after compression has begun.
    package func detach() async throws(IMAPError) -> ByteChannel {
        if let failure { throw failure }
        guard !session.isBusy, inflater == nil else {
            throw IMAPError(kind: .outOfOrder("a connection is given away while it is used"))
        }
        failure = IMAPError(
            kind: .outOfOrder("the connection was given away"), server: server.host)
        let ended = stop()
        subscribers.finish(failure ?? IMAPError(kind: .cancelled))
        for task in ended { await task.value }
        return channel
    }
}

extension IMAPClient {
    /// Connects, logs in if there are credentials, and gives the channel away; see `IMAPConnection.detach()`.
    package func detach(
        steps: AsyncStream<IMAPConnectionStep>.Continuation? = nil
    ) async throws(IMAPError) -> ByteChannel {
        defer { steps?.finish() }
        return try await (try ready(steps)).detach()
    }
}
