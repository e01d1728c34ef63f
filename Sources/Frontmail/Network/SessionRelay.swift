#if canImport(FoundationNetworking)
    import Foundation
    import FoundationNetworking

    /// Hands what a session tells its delegate to the delegate of the task, as other systems do by themselves, and challenges
    /// to the delegate of the session that the client was given.
    final class SessionRelay: NSObject, URLSessionDataDelegate {
        private let challenges: (any URLSessionTaskDelegate & Sendable)?

        init(challenges: (any URLSessionTaskDelegate & Sendable)?) {
            self.challenges = challenges
        }

        private func attempt(_ task: URLSessionTask) -> Attempt? { task.delegate as? Attempt }

        func urlSession(
            _ session: URLSession, task: URLSessionTask,
            willPerformHTTPRedirection response: HTTPURLResponse, newRequest request: URLRequest,
            completionHandler: @escaping @Sendable (URLRequest?) -> Void
        ) {
            guard let attempt = attempt(task) else { return }
            attempt.urlSession(
                session, task: task, willPerformHTTPRedirection: response, newRequest: request,
                completionHandler: completionHandler)
        }

        func urlSession(
            _ session: URLSession, dataTask: URLSessionDataTask, didReceive data: Data
        ) {
            attempt(dataTask)?.urlSession(session, dataTask: dataTask, didReceive: data)
        }

        func urlSession(
            _ session: URLSession, task: URLSessionTask, didCompleteWithError error: (any Error)?
        ) {
            attempt(task)?.urlSession(session, task: task, didCompleteWithError: error)
        }

        func urlSession(
            _ session: URLSession, task: URLSessionTask,
            didReceive challenge: URLAuthenticationChallenge,
            completionHandler:
                @escaping @Sendable (URLSession.AuthChallengeDisposition, URLCredential?) -> Void
        ) {
            let attempt = attempt(task)
            let answer = challenge.failureResponse
            // Here a session that has no credential to use never ends the task: the answer that asks for one is the answer.
            let decide: @Sendable (URLSession.AuthChallengeDisposition, URLCredential?) -> Void = {
                if answer != nil, $0 == .performDefaultHandling || $1 == nil {
                    attempt?.end(with: answer)
                } else {
                    completionHandler($0, $1)
                }
            }
            guard let challenges else { return decide(.performDefaultHandling, nil) }
            challenges.urlSession(
                session, task: task, didReceive: challenge, completionHandler: decide)
        }
    }
#endif
