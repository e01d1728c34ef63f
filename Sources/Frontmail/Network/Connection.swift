import Foundation

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// Makes attempts in a session that follows no redirects.
final class Connection: Sendable {
    private let session: URLSession
    private let isOwn: Bool
    private let deadlines: Deadlines
    /// Stops a task that its attempt needs no more.
    private let cancel: @Sendable (URLSessionTask) -> Void

    /// - Parameters:
    ///   - session: makes the requests, or gives its configuration.
    ///   - timeout: the seconds that an attempt may take.
    init(session: URLSession, timeout: TimeInterval) {
        deadlines = Deadlines(after: timeout)
        #if canImport(FoundationNetworking)
            // Here a session asks its own delegate only, and one without a delegate follows redirects with all fields: the
            // key would go to another origin.
            let relay = SessionRelay(
                challenges: session.delegate as? any URLSessionTaskDelegate & Sendable)
            let configuration = session.configuration
            // A task that is cancelled while the cache is looked into, or while its end is being told, traps: so there is no
            // cache, and tasks are cancelled in turn with what their delegate is told.
            configuration.urlCache = nil
            let queue = OperationQueue()
            queue.maxConcurrentOperationCount = 1
            self.session = URLSession(
                configuration: configuration, delegate: relay, delegateQueue: queue)
            cancel = { task in queue.addOperation { task.cancel() } }
            isOwn = true
        #else
            self.session = session
            cancel = { $0.cancel() }
            isOwn = false
        #endif
    }

    deinit {
        deadlines.stop()
        if isOwn { session.finishTasksAndInvalidate() }
    }

    /// Makes one attempt.
    ///
    /// - Throws: ``FrontmailError`` with the code `network_error`, `timeout` or `aborted`.
    func attempt(_ request: URLRequest) async throws -> Reply {
        let attempt = Attempt()
        deadlines.add(attempt)
        return try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { continuation in
                attempt.start(
                    session.dataTask(with: request), continuation, cancelling: cancel)
            }
        } onCancel: {
            attempt.end(.failure(.aborted))
        }
    }
}

extension FrontmailError {
    static func timeout(after seconds: TimeInterval) -> FrontmailError {
        FrontmailError(
            .timeout,
            "The service did not answer within \(String(format: "%g", seconds)) seconds.")
    }
}
