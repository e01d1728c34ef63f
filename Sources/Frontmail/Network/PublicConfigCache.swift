import Foundation

/// The public configuration of each service, asked for once in the life of the process.
///
/// Who asks while a request is under way waits for it, if that has the same patience as its own would. The request does not belong
/// to any of them: one who gives up leaves it to the others, and the last one ends it.
actor PublicConfigCache {
    static let shared = PublicConfigCache()

    /// Who may share a request.
    struct Patience: Hashable, Sendable {
        var base: String
        var retry: RetryPolicy
        var timeout: TimeInterval
    }

    private var known: [String: PublicConfig] = [:]
    private var requests: [Patience: SharedRequest<PublicConfig>] = [:]

    /// The configuration of the service; asks by `fetch` if nobody has.
    func config(
        for patience: Patience, fetch: @escaping @Sendable () async throws -> PublicConfig
    ) async throws -> PublicConfig {
        if Task.isCancelled { throw FrontmailError.aborted }
        if let config = known[patience.base] { return config }
        let request: SharedRequest<PublicConfig>
        let place: Int
        // A place is taken before anybody else can leave: one who asks cannot be left with what all others gave up.
        if let current = requests[patience], let taken = current.join() {
            (request, place) = (current, taken)
        } else {
            (request, place) = (SharedRequest(fetch), SharedRequest<PublicConfig>.firstPlace)
            requests[patience] = request
        }
        do {
            let config = try await request.value(at: place)
            known[patience.base] = config
            if requests[patience] === request { requests[patience] = nil }
            return config
        } catch {
            if request.isOver, requests[patience] === request { requests[patience] = nil }
            throw error
        }
    }
}

/// One request that many wait for.
package final class SharedRequest<Value: Sendable>: @unchecked Sendable {
    /// The place of who began it.
    package static var firstPlace: Int { 1 }

    // All of it is guarded by the lock.
    private let lock = NSLock()
    private var result: Result<Value, any Error>?
    private var waiting: [Int: CheckedContinuation<Value, any Error>] = [:]
    private var isCancelled: Set<Int> = []
    private var lastPlace = SharedRequest.firstPlace
    private var placeCount = 1
    private var task: Task<Void, Never>?

    /// Begins a request, and takes the first place.
    package init(_ fetch: @escaping @Sendable () async throws -> Value) {
        let task = Task { [weak self] in
            let result: Result<Value, any Error>
            do { result = .success(try await fetch()) } catch { result = .failure(error) }
            self?.finish(result)
        }
        lock.withLock { self.task = task }
    }

    /// Whether it has come to an end, or will since nobody waits for it any more.
    var isOver: Bool { lock.withLock { result != nil || placeCount == 0 } }

    /// Takes a place among those who wait; it is left by the end of ``value(at:)``.
    ///
    /// - Returns: `nil` if the request has failed, or will since nobody waits for it any more: ask anew.
    package func join() -> Int? {
        lock.withLock {
            switch result {
            case .failure: return nil
            case nil where placeCount == 0: return nil
            case .success, nil:
                lastPlace += 1
                placeCount += 1
                return lastPlace
            }
        }
    }

    /// The value, when it is there. Once for each place.
    ///
    /// - Throws: what the request throws; ``FrontmailError`` with the code `aborted` when the caller's task is cancelled.
    package func value(at place: Int) async throws -> Value {
        try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { wait(place, $0) }
        } onCancel: {
            giveUp(place)
        }
    }

    private func wait(_ place: Int, _ continuation: CheckedContinuation<Value, any Error>) {
        let outcome: Result<Value, any Error>? = lock.withLock {
            if isCancelled.remove(place) != nil { return .failure(FrontmailError.aborted) }
            if let result { return result }
            waiting[place] = continuation
            return nil
        }
        if let outcome { continuation.resume(with: outcome) }
    }

    private func giveUp(_ place: Int) {
        let continuation = lock.withLock { () -> CheckedContinuation<Value, any Error>? in
            placeCount -= 1
            if placeCount == 0, result == nil { task?.cancel() }
            if let continuation = waiting.removeValue(forKey: place) { return continuation }
            if result == nil { isCancelled.insert(place) }
            return nil
        }
        continuation?.resume(throwing: FrontmailError.aborted)
    }

    private func finish(_ result: Result<Value, any Error>) {
        let waiting = lock.withLock { () -> [Int: CheckedContinuation<Value, any Error>] in
            self.result = result
            defer { self.waiting = [:] }
            return self.waiting
        }
        for continuation in waiting.values { continuation.resume(with: result) }
    }
}
