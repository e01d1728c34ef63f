import MartletIMAP
import MartletTestSupport
import Synchronization

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

/// What tasks of a test note down together.
final class Notes: Sendable {
    private let state = Mutex<(words: [String], now: Int, most: Int)>(([], 0, 0))

    /// What was noted, in order.
    var words: [String] { state.withLock { $0.words } }
    /// How many were inside at once, at most.
    var most: Int { state.withLock { $0.most } }

    func note(_ word: String) { state.withLock { $0.words.append(word) } }
    @discardableResult
    func enter() -> Int {
        state.withLock {
            $0.now += 1
            $0.most = max($0.most, $0.now)
            return $0.now
        }
    }
    func leave() { state.withLock { $0.now -= 1 } }
}
