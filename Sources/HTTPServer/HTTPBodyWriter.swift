/// Where a streamed response's pieces go.
public struct HTTPBodyWriter: Sendable {
    let connection: Connection
    let exchange: Exchange

    /// Hands a piece to the server; returns when there is room for more. One caller at a time.
    ///
    /// - Throws: `HTTPClientGone` when nobody takes the response any more: the client went away or was too slow, the
    ///   server stops, or the task was cancelled.
    public func write(_ piece: [UInt8]) async throws(HTTPClientGone) {
        let goesOn = await withTaskCancellationHandler {
            await withUnsafeContinuation { connection.write(piece, exchange, $0) }
        } onCancel: {
            connection.finishStream(exchange, broken: true)
        }
        if !goesOn { throw HTTPClientGone() }
    }

    /// Hands a text over, as UTF-8.
    public func write(_ text: String) async throws(HTTPClientGone) {
        try await write([UInt8](text.utf8))
    }
}

/// Nobody takes the response any more. Stop making it: there is nothing to mend.
public struct HTTPClientGone: Error, Sendable, Hashable, CustomStringConvertible {
    /// One sentence for a person.
    public var description: String { "the client does not take the response any more." }
}
