import Foundation

/// The public configuration of each service, asked for once in the life of the process.
///
/// Who asks while a request is under way waits for it. The request does not belong to any of them: one who gives up leaves
/// it to the others.
actor PublicConfigCache {
    static let shared = PublicConfigCache()

    private var requests: [String: SharedRequest<PublicConfig>] = [:]

    /// The configuration of the service at `base`; asks by `fetch` if nobody has.
    func config(
        of base: String, fetch: @escaping @Sendable () async throws -> PublicConfig
    ) async throws -> PublicConfig {
        if let request = requests[base], !request.hasFailed { return try await request.value() }
        let request = SharedRequest(fetch)
        requests[base] = request
        return try await request.value()
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

    init(_ fetch: @escaping @Sendable () async throws -> Value) {
        Task {
            do { finish(.success(try await fetch())) } catch { finish(.failure(error)) }
        }
    }

    /// Whether it has come to an end, and that is an error.
    var hasFailed: Bool {
        lock.withLock {
            if case .failure = result { true } else { false }
        }
    }

    /// The value, when it is there.
    ///
    /// - Throws: what the request throws; ``FrontmailError`` with the code `aborted` when the caller's task is cancelled.
    func value() async throws -> Value {
        let number = lock.withLock { () -> Int in
            nextNumber += 1
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
