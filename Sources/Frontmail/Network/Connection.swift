import Foundation

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// Makes attempts in a session that follows no redirects.
final class Connection: Sendable {
    private let session: URLSession
    private let isOwn: Bool

    init(session: URLSession) {
        #if canImport(FoundationNetworking)
            // Here a session asks its own delegate only, and one without a delegate follows redirects with all fields: the
            // key would go to another origin.
            let relay = SessionRelay(
                challenges: session.delegate as? any URLSessionTaskDelegate & Sendable)
            self.session = URLSession(
                configuration: session.configuration, delegate: relay, delegateQueue: nil)
            isOwn = true
        #else
            self.session = session
            isOwn = false
        #endif
    }

    deinit {
        if isOwn { session.finishTasksAndInvalidate() }
    }

    /// Makes one attempt.
    ///
    /// - Throws: ``FrontmailError`` with the code `network_error`, `timeout` or `aborted`.
    func attempt(_ request: URLRequest, timeout: TimeInterval) async throws -> Reply {
        let attempt = Attempt()
        let timer =
            timeout.isFinite
            ? Task {
                try await Surroundings.system.sleep(timeout)
                attempt.end(.failure(.timeout(after: timeout)))
            } : nil
        defer { timer?.cancel() }
        return try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { continuation in
                attempt.start(session.dataTask(with: request), continuation)
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
