import Foundation
import MartletBytes
import MartletCLI
import MartletMIME
import MartletSMTP
import MartletSandbox
import MartletTransport
import Testing

@testable import MartletSandboxCommand

/// Runs `body` with a sandbox and its HTTP interface.
func withControl(_ body: (Sandbox, Control) async throws -> Void) async throws {
    let sandbox = try await Sandbox.start(.freePorts)
    let server = try ControlServer(
        sandbox, addresses: ["127.0.0.1"], port: 0, hosts: ["mail"])
    server.serve(describedBy: .object([("caFile", "ca.pem")]))
    do {
        try await body(sandbox, Control(port: server.port))
    } catch {
        await server.stop()
        await sandbox.stop()
        throw error
    }
    await server.stop()
    await sandbox.stop()
}

/// A client of the HTTP interface.
struct Control {
    let port: Int

    struct Answer {
        var status = 0
        /// In lower case.
        var fields = ""
        var body = ""

        func json() throws -> [String: Any] {
            try #require(
                JSONSerialization.jsonObject(with: Data(body.utf8)) as? [String: Any], "\(body)")
        }

        var errorKind: String? {
            ((try? json())?["error"] as? [String: Any])?["kind"] as? String
        }
    }

    /// Asks: `GET /api`.
    func ask(
        _ line: String, host: String = "localhost", origin: String? = nil, body: String = ""
    ) async throws -> Answer {
        let channel = try await ByteChannel.connect(
            to: try #require(SocketAddress(numeric: "127.0.0.1", port: port)))
        var request = line + " HTTP/1.1\r\nHost: \(host)\r\nConnection: close\r\n"
        if let origin { request += "Origin: \(origin)\r\n" }
        request += "Content-Length: \(body.utf8.count)\r\n\r\n" + body
        try await channel.write(Array(request.utf8))
        var octets: [UInt8] = []
        while true {
            let piece = try await channel.read()
            if piece.isEmpty { break }
            octets += piece
        }
        await channel.close()
        let text = String(decoding: octets, as: UTF8.self)
        let end = try #require(text.firstRange(of: "\r\n\r\n"), "\(text)")
        return Answer(
            status: Int(text.dropFirst(9).prefix(3)) ?? 0,
            fields: text[..<end.lowerBound].lowercased(), body: String(text[end.upperBound...]))
    }
}

extension Sandbox {
    /// Sends it a message from Alice.
    func take(_ text: String, to address: String) async throws {
        let envelope = DeliveryEnvelope(
            reversePath: try ReversePath("alice@example.test"),
            forwardPaths: [try ForwardPath(address)])
        let server = try SMTPServer(host: "127.0.0.1", port: smtpPort, security: .plaintext)
        _ = try await SMTPClient.withConnection(to: server) {
            try await $0.send(OctetArray(Array(text.utf8)), envelope: envelope)
        }
    }
}
