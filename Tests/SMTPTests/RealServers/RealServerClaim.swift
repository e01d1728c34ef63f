import MartletTestSupport
import Testing

/// Something that holds at every real server, whatever its habits; those are properties of `RealServer`.
struct RealServerClaim: Sendable, CustomTestStringConvertible {
    let testDescription: String
    private let body: @Sendable (RunningServer) async throws -> Void

    init(_ sentence: String, _ body: @escaping @Sendable (RunningServer) async throws -> Void) {
        testDescription = sentence
        self.body = body
    }

    /// Proves it at the server that all tests of the run share.
    func check(_ server: RealServer) async throws {
        try await body(RealServers.shared(server))
    }
}
