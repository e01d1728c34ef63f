#if canImport(FoundationNetworking)
    import Dispatch
    import Foundation
    import FoundationNetworking

    /// A client's own session on Linux, like the one it was given.
    ///
    /// Here a session asks its own delegate only, and one without a delegate follows redirects with all fields: the key would
    /// go to another origin.
    ///
    /// And here all sessions of a process read from the network on one queue, which their functions wait for. An answer whose
    /// octets come faster than they are read, and without an end, keeps that queue: trailers, chunk extensions, the body
    /// of a redirect. Nothing but its peer can stop it then. So the functions are called on queues that are made for it,
    /// where nobody waits for them: attempts still end in time, and when they are cancelled, and the process goes on.
    final class OwnSession: Sendable {
        private let session: URLSession
        private let queue = DispatchQueue(label: "frontmail.session")
        private let delegateQueue = OperationQueue()

        /// - Parameter given: gives its configuration, and its delegate where that is asked for credentials.
        init(like given: URLSession) {
            // A copy: here a session hands out the configuration that it uses.
            let configuration = given.configuration.copy() as! URLSessionConfiguration
            // A task that is cancelled while the cache is looked into traps.
            configuration.urlCache = nil
            delegateQueue.maxConcurrentOperationCount = 1
            session = URLSession(
                configuration: configuration,
                delegate: SessionRelay(
                    challenges: given.delegate as? any URLSessionTaskDelegate & Sendable),
                delegateQueue: delegateQueue)
        }

        deinit {
            // Behind the tasks that are being started: a session that is at its end makes none.
            queue.async { [session] in session.finishTasksAndInvalidate() }
        }

        /// Makes and starts the task of an attempt, as soon as the session lets it.
        func start(_ attempt: Attempt) {
            queue.async { [session, delegateQueue] in
                attempt.start {
                    session.dataTask(with: $0)
                } cancelling: { task in
                    // In turn with what its delegate is told: a task that is cancelled while its end is being told traps.
                    delegateQueue.addOperation { task.cancel() }
                }
            }
        }
    }
#endif
