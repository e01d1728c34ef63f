import MartletHTTPServer

/// Runs `body` with a server on a free port, and stops it.
func withServer<Result>(
    limits: HTTPServerLimits = .standard, isolation: isolated (any Actor)? = #isolation,
    handler: @escaping HTTPServer.Handler = { _ in .text("hello") },
    _ body: (HTTPServer) async throws -> Result
) async throws -> Result {
    let server = try HTTPServer.start(limits: limits, handler: handler)
    do {
        let result = try await body(server)
        await server.stop(within: .zero)
        return result
    } catch {
        await server.stop(within: .zero)
        throw error
    }
}

/// Limits with some changed.
func limits(_ change: (inout HTTPServerLimits) -> Void) -> HTTPServerLimits {
    var limits = HTTPServerLimits()
    change(&limits)
    return limits
}

/// Repeats what came, as a line each.
func echo(_ request: HTTPRequest) -> HTTPResponse {
    var lines = ["\(request.method) \(request.target)"]
    lines += request.fields.map { "\($0.name): \($0.value)" }
    lines.append(String(decoding: request.body, as: UTF8.self))
    return .text(lines.joined(separator: "\n"))
}
