import Foundation

extension Frontmail {
    /// Makes a request, and makes it again as ``RetryPolicy`` says, until it succeeds.
    ///
    /// - Returns: an answer with a status from 200 to 299.
    /// - Throws: ``FrontmailError``: that of the last attempt.
    func perform(_ request: Request) async throws -> Reply {
        let urlRequest = try request.urlRequest(timeout: timeout)
        var retries = 0
        while true {
            if Task.isCancelled { throw FrontmailError.aborted }
            let error: FrontmailError
            let isFinal: Bool
            do {
                let reply = try await connection.attempt(urlRequest)
                if reply.isSuccess { return reply }
                error = reply.error(now: surroundings.now())
                isFinal = !reply.isWorthRetrying
            } catch let failure as FrontmailError {
                error = failure
                isFinal = !failure.isNetwork
            }
            let asked = error.retryAfter
            if isFinal || retries == retry.maxRetries
                || asked.map({ $0 > RetryPolicy.longestWaitAsked }) ?? false
            {
                throw error
            }
            let delay =
                asked ?? retry.delay(beforeRetry: retries, random: surroundings.random())
            do { try await surroundings.sleep(delay) } catch { throw FrontmailError.aborted }
            retries += 1
        }
    }
}

extension FrontmailError {
    static var aborted: FrontmailError { FrontmailError(.aborted, "The task was cancelled.") }
}
