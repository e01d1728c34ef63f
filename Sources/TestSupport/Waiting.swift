/// Waits until `condition` holds, looking again every millisecond.
///
/// - Throws: `NeverHappened` after `limit`, so that a broken test ends instead of spinning.
public func waitUntil(
    within limit: Duration = .seconds(30), isolation: isolated (any Actor)? = #isolation,
    _ condition: () async -> Bool
) async throws {
    let end = ContinuousClock.now + limit
    while await !condition() {
        guard ContinuousClock.now < end else { throw NeverHappened(limit: limit) }
        try await Task.sleep(for: .milliseconds(1))
    }
}

/// What a test waited for did not come.
public struct NeverHappened: Error {
    /// How long it waited.
    public let limit: Duration
}
