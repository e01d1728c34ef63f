import MartletPOP3
import MartletTestSupport

/// A client of a scripted server, logged in as alice; closed without QUIT at the end.
func withScriptedPOP3<Result>(
    _ server: ScriptedPOP3, _ change: (inout POP3Server) -> Void = { _ in },
    isolation: isolated (any Actor)? = #isolation,
    _ body: (POP3Client) async throws -> Result
) async throws -> Result {
    try await withScriptedServer(server.serve) { port in
        var settings = try plainServer(port)
        change(&settings)
        let client = POP3Client(settings)
        do {
            let result = try await body(client)
            await client.abandon()
            return result
        } catch {
            await client.abandon()
            throw error
        }
    }
}

/// A server on loopback without TLS.
func plainServer(_ port: Int) throws -> POP3Server {
    var server = try POP3Server(host: "127.0.0.1", port: port, security: .plaintext)
    server.allowsPlaintextAuthentication = true
    server.credentials = Credentials(user: "alice") { Secret("alicepw") }
    return server
}

/// The error of `body`.
func failure(_ body: () async throws -> Void) async -> POP3Error? {
    do {
        try await body()
        return nil
    } catch {
        return error as? POP3Error
    }
}

func octets(_ text: String) -> [UInt8] { Array(text.utf8) }
