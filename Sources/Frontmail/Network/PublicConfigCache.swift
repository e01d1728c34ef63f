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
        if let current = requests[patience], !current.isOver {
            request = current
        } else {
            request = SharedRequest(fetch)
            requests[patience] = request
        }
        do {
            let config = try await request.value()
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
final class SharedRequest<Value: Sendable>: @unchecked Sendable {
    // All of it is guarded by the lock.
    private let lock = NSLock()
    private var result: Result<Value, any Error>?
    private var waiting: [Int: CheckedContinuation<Value, any Error>] = [:]
    private var isCancelled: Set<Int> = []
    private var nextNumber = 0
    private var waitingCount = 0
    private var task: Task<Void, Never>?

    init(_ fetch: @escaping @Sendable () async throws -> Value) {
        let task = Task { [weak self] in
            let result: Result<Value, any Error>
            do { result = .success(try await fetch()) } catch { result = .failure(error) }
            self?.finish(result)
        }
        lock.withLock { self.task = task }
    }

    /// Whether it has come to an end, or will since nobody waits for it any more.
    var isOver: Bool {
        lock.withLock { result != nil || nextNumber > 0 && waitingCount == 0 }
    }

    /// The value, when it is there.
    ///
    /// - Throws: what the request throws; ``FrontmailError`` with the code `aborted` when the caller's task is cancelled.
    func value() async throws -> Value {
        let number = lock.withLock { () -> Int in
            nextNumber += 1
            waitingCount += 1
            return nextNumber
        }
        return try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { wait(number, $0) }
        } onCancel: {
            giveUp(number)
        }
    }

    private func wait(_ number: Int, _ continuation: CheckedContinuation<Value, any Error>) {
        let outcome: Result<Value, any Error>? = lock.withLock {
            if isCancelled.remove(number) != nil { return .failure(FrontmailError.aborted) }
            if let result { return result }
            waiting[number] = continuation
            return nil
        }
        if let outcome { continuation.resume(with: outcome) }
    }

    private func giveUp(_ number: Int) {
        let continuation = lock.withLock { () -> CheckedContinuation<Value, any Error>? in
            waitingCount -= 1
            if waitingCount == 0, result == nil { task?.cancel() }
            if let continuation = waiting.removeValue(forKey: number) { return continuation }
            if result == nil { isCancelled.insert(number) }
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
