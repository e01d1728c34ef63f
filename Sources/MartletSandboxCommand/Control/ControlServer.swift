import MartletBytes
import MartletCLI
import MartletHTTPServer
import MartletSandbox
import Synchronization

/// The sandbox by HTTP and JSON, so that test suites in any language see what came and steer it.
///
/// It listens before it serves: a port that is taken is an error at the start, and what it tells of itself has the real port.
final class ControlServer: Sendable {
    /// Octets of a request's body: a message that is put into a mailbox.
    static let bodyLimitInOctets = 64 << 20

    /// The port, the same at all addresses.
    let port: Int
    private let servers: [HTTPServer]
    private let handler: HandlerBox

    /// What answers, once that is known.
    private final class HandlerBox: Sendable {
        let api = Mutex<ControlAPI?>(nil)
    }

    private let sandbox: Sandbox
    private let guardian: HostGuard

    /// Listens.
    ///
    /// - Parameters:
    ///   - addresses: numeric; those that the machine does not have are left out, as the sandbox itself does.
    ///   - port: 0 for any free one.
    ///   - hosts: names that clients may call this machine, besides localhost and the addresses.
    /// - Throws: `HTTPServerError`.
    init(
        _ sandbox: Sandbox, addresses: [String], port: Int, hosts: [String]
    ) throws(HTTPServerError) {
        var limits = HTTPServerLimits.standard
        limits.bodySizeInOctets = Self.bodyLimitInOctets
        limits.handlerTime = ControlAPI.waitLimit + .seconds(30)
        let handler = HandlerBox()
        var servers: [HTTPServer] = []
        var port = port
        for address in addresses {
            guard let endpoint = HTTPEndpoint(numeric: address, port: port) else { continue }
            do throws(HTTPServerError) {
                let server = try HTTPServer.start(on: endpoint, limits: limits) { request in
                    guard let api = handler.api.withLock({ $0 }) else {
                        return ControlFailure(.serviceUnavailable, "starting", "Try again.")
                            .response
                    }
                    return await api.response(to: request)
                }
                servers.append(server)
                port = server.address.port
            } catch {
                if error.kind == .noSuchAddress, !servers.isEmpty { continue }
                throw error
            }
        }
        self.servers = servers
        self.port = port
        self.handler = handler
        self.sandbox = sandbox
        guardian = HostGuard(addresses: addresses, hosts: hosts)
    }

    /// Answers from now on.
    ///
    /// - Parameter description: what the sandbox tells of itself.
    func serve(describedBy description: JSONText) {
        let api = ControlAPI(sandbox: sandbox, guardian: guardian, description: description)
        handler.api.withLock { $0 = api }
    }

    /// Ends, with the requests that are under way.
    func stop() async {
        for server in servers { await server.stop(within: .seconds(1)) }
    }
}
