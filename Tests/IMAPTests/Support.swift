import MartletIMAP
import MartletTestSupport

/// A client of a scripted server, logged in as alice.
func withScriptedIMAP<Result>(
    _ server: ScriptedIMAP, _ change: (inout IMAPServer) -> Void = { _ in },
    isolation: isolated (any Actor)? = #isolation,
    _ body: (IMAPClient) async throws -> Result
) async throws -> Result {
    try await withScriptedServer(server.serve) { port in
        var settings = try plainServer(port)
        change(&settings)
        let client = IMAPClient(settings)
        do {
            let result = try await body(client)
            await client.close()
            return result
        } catch {
            await client.close()
            throw error
        }
    }
}

/// A server on loopback without TLS.
func plainServer(_ port: Int) throws -> IMAPServer {
    var server = try IMAPServer(host: "127.0.0.1", port: port, security: .plaintext)
    server.allowsPlaintextAuthentication = true
    server.credentials = Credentials(user: "alice") { Secret("alicepw") }
    return server
}

extension UIDSet {
    /// The set with that wire form.
    init(_ text: StaticString) { self = UIDSet("\(text)") ?? [] }
}

/// The error of `body`.
func failure(_ body: () async throws -> Void) async -> IMAPError? {
    do {
        try await body()
        return nil
    } catch {
        return error as? IMAPError
    }
}
