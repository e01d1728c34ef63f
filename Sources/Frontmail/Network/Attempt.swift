import Foundation

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// One attempt: gathers what the session tells its task, and ends once, with whatever comes first: an answer, a failure,
/// the end of its time, cancellation.
final class Attempt: NSObject, URLSessionDataDelegate, @unchecked Sendable {
    // All of it is guarded by the lock.
    private let lock = NSLock()
    private var request: URLRequest?
    private var task: URLSessionDataTask?
    private var continuation: CheckedContinuation<Reply, any Error>?
    private var outcome: Result<Reply, FrontmailError>?
    private var body = Data()
    private var cancel: (@Sendable (URLSessionTask) -> Void)?

    init(_ request: URLRequest) { self.request = request }

    /// Whether there is an outcome.
    var hasEnded: Bool {
        lock.lock()
        defer { lock.unlock() }
        return outcome != nil
    }

    /// Takes who waits for the outcome.
    ///
    /// - Returns: `false` if there is one already; it was told.
    func begin(_ continuation: CheckedContinuation<Reply, any Error>) -> Bool {
        lock.lock()
        guard let outcome else {
            self.continuation = continuation
            lock.unlock()
            return true
        }
        lock.unlock()
        continuation.resume(with: outcome.mapError { $0 })
        return false
    }

    /// Makes and starts the task, unless the attempt has ended before.
    ///
    /// - Parameters:
    ///   - make: makes a task for the request; may take its time.
    ///   - cancel: stops the task.
    func start(
        _ make: (URLRequest) -> URLSessionDataTask,
        cancelling cancel: @escaping @Sendable (URLSessionTask) -> Void
    ) {
        lock.lock()
        let request = self.request
        self.request = nil
        lock.unlock()
        guard let request else { return }
        let task = make(request)
        task.delegate = self
        lock.lock()
        guard outcome == nil else {
            lock.unlock()
            return cancel(task)
        }
        self.task = task
        self.cancel = cancel
        lock.unlock()
        task.resume()
    }

    /// Ends the attempt, unless it has ended before.
    func end(_ outcome: Result<Reply, FrontmailError>) {
        lock.lock()
        guard self.outcome == nil else { return lock.unlock() }
        self.outcome = outcome
        let (task, continuation, cancel) = (self.task, self.continuation, self.cancel)
        (self.task, self.continuation, self.cancel, self.body) = (nil, nil, nil, Data())
        request = nil
        lock.unlock()
        continuation?.resume(with: outcome.mapError { $0 })
        if let task { cancel?(task) }
    }

    /// A redirect is the answer; it is not followed.
    ///
    /// On Linux a session traps if its handler is called for a task that was cancelled. So a task that was is left alone here,
    /// and one that was not is not cancelled any more: it ends by itself.
    func urlSession(
        _ session: URLSession, task: URLSessionTask,
        willPerformHTTPRedirection response: HTTPURLResponse, newRequest request: URLRequest,
        completionHandler: @escaping @Sendable (URLRequest?) -> Void
    ) {
        lock.lock()
        let isFirst = outcome == nil
        let continuation = self.continuation
        let reply = Reply(response, body: Data())
        if isFirst {
            outcome = .success(reply)
            (self.task, self.continuation, self.cancel, self.body) = (nil, nil, nil, Data())
        }
        lock.unlock()
        guard isFirst else { return }
        continuation?.resume(returning: reply)
        completionHandler(nil)
    }

    func urlSession(
        _ session: URLSession, dataTask: URLSessionDataTask, didReceive data: Data
    ) {
        if let response = dataTask.response as? HTTPURLResponse,
            (300...399).contains(response.statusCode)
        {
            // Its body, which may have no end, is nobody's business.
            return end(.success(Reply(response, body: Data())))
        }
        lock.lock()
        let fits = body.count + data.count <= Reply.limitInOctets
        if fits && outcome == nil { body.append(data) }
        lock.unlock()
        if !fits { end(answer(dataTask.response, body: nil)) }
    }

    func urlSession(
        _ session: URLSession, task: URLSessionTask, didCompleteWithError error: (any Error)?
    ) {
        if let error {
            return end(.failure(.network(error)))
        }
        end(with: task.response)
    }

    /// Ends with an answer that the session would rather ask somebody about, and what has come of its body.
    func end(with response: URLResponse?) {
        lock.lock()
        let body = body
        lock.unlock()
        end(answer(response, body: body))
    }

    private func answer(_ response: URLResponse?, body: Data?) -> Result<Reply, FrontmailError> {
        guard let response = response as? HTTPURLResponse else {
            return .failure(FrontmailError(.invalidResponse, "The answer is not one of HTTP."))
        }
        return .success(Reply(response, body: body))
    }
}

extension Reply {
    fileprivate init(_ response: HTTPURLResponse, body: Data?) {
        self.init(
            status: response.statusCode,
            retryAfter: response.value(forHTTPHeaderField: "Retry-After"), body: body)
    }
}

extension FrontmailError {
    /// What a session says. Cancelled by nobody here means that the session was invalidated.
    fileprivate static func network(_ error: any Error) -> FrontmailError {
        let failure = error as NSError
        let code: Code = (error as? URLError)?.code == .timedOut ? .timeout : .networkError
        return FrontmailError(
            code, "There is no answer from the service: \(failure.localizedDescription)",
            details: ["domain": .string(failure.domain), "number": .int(failure.code)])
    }
}
