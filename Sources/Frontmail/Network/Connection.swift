import Foundation

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// Makes attempts in a session that follows no redirects.
final class Connection: Sendable {
    #if canImport(FoundationNetworking)
        private let session: OwnSession
    #else
        private let session: URLSession
    #endif
    private let deadlines: Deadlines

    /// - Parameters:
    ///   - session: makes the requests, or gives its configuration.
    ///   - timeout: the seconds that an attempt may take.
    init(session: URLSession, timeout: TimeInterval) {
        deadlines = Deadlines(after: timeout)
        #if canImport(FoundationNetworking)
            self.session = OwnSession(like: session)
        #else
            self.session = session
        #endif
    }

    /// Makes one attempt.
    ///
    /// - Throws: ``FrontmailError`` with the code `network_error`, `timeout` or `aborted`.
    func attempt(_ request: URLRequest) async throws -> Reply {
        let attempt = Attempt(request)
        return try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { continuation in
                // Nothing may block in here: it is a thread that all tasks share.
                guard attempt.begin(continuation) else { return }
                deadlines.add(attempt)
                #if canImport(FoundationNetworking)
                    session.start(attempt)
                #else
                    attempt.start {
                        session.dataTask(with: $0)
                    } cancelling: {
                        $0.cancel()
                    }
                #endif
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
