import MartletBytes
import MartletSMTP
import MartletTestSupport
import MartletTransport
import Synchronization
import Testing

extension RealServerClaim {
    static func logins(at server: RealServer) -> [RealServerClaim] {
        server.offersTLS
            ? server.doors.flatMap { door in
                door.logsIn
                    ? server.mechanisms.flatMap { [rightLogin($0, door), wrongLogin($0, door)] }
                    : [throughDoor(door)]
            }
            : [throughDoor(.plain), noTLS, noLogin]
    }

    private static func throughDoor(_ door: Door) -> RealServerClaim {
        RealServerClaim("a composed message goes through \(door) unchanged") { server in
            try await sendThrough(door, server.entrance(door), server)
        }
    }

    private static func rightLogin(_ mechanism: String, _ door: Door) -> RealServerClaim {
        RealServerClaim("a message goes through \(door) by \(mechanism) unchanged") { server in
            var entrance = try server.entrance(door)
            entrance.credentials?.mechanisms = [mechanism]
            try await sendThrough(door, entrance, server)
        }
    }

    private static func sendThrough(
        _ door: Door, _ entrance: SMTPServer, _ server: RunningServer
    ) async throws {
        let recipient = Address.fresh("door")
        let lines = WireLines()
        var entrance = entrance
        entrance.log = lines.log()
        let message = try compose("Grüße durch \(door)", to: [recipient])
        try await SMTPClient.withConnection(to: entrance) { client in
            let report = try await client.send(message)
            #expect(report.allAccepted)
            let hasTLS = await client.tls != nil
            #expect(hasTLS == (door != .plain))
            try await server.expectArrival(
                of: message.octets(for: client.capabilities), for: recipient,
                from: "alice@example.test")
        }
        entrance.log?.flush()
        #expect(lines.connections == 1)
        #expect(lines.count(of: "-- logged in as alice by") == (door.logsIn ? 1 : 0))
        if let mechanism = entrance.credentials?.mechanisms?.first {
            #expect(lines.count(of: "C: AUTH \(mechanism)") == 1)
        }
    }

    private static func wrongLogin(_ mechanism: String, _ door: Door) -> RealServerClaim {
        RealServerClaim("a wrong password through \(door) by \(mechanism) is said so") { server in
            let recipient = Address.fresh("wrong")
            var entrance = try server.entrance(door)
            let asked = Atomic(0)
            entrance.credentials = Credentials(user: "alice") {
                asked.add(1, ordering: .relaxed)
                return Secret("wonderland")
            }
            entrance.credentials?.mechanisms = [mechanism]
            let client = SMTPClient(entrance)
            let error = try await #require(throws: SMTPError.self) {
                try await client.send(compose("never", to: [recipient]))
            }
            guard case .authenticationRefused(let reply) = error.kind else {
                Issue.record("\(error.debugDescription)")
                return
            }
            #expect(reply.code == 535)
            #expect(error.recovery == .authenticate)
            #expect(error.stage == .authentication)
            #expect(!reply.text.isEmpty)
            #expect(error.description.contains(reply.text), "\(error)")
            let count = asked.load(ordering: .relaxed)
            #expect(count == 1, "one wrong password is one attempt: more would lock the account")
            #expect(await !client.isConnected)
            try await SMTPClient.withConnection(to: server.entrance(.plain)) {
                try await server.expectNothing(for: recipient, by: $0)
            }
        }
    }

    private static let noTLS = RealServerClaim("TLS that is not offered is not done without") {
        server in
        var entrance = try server.entrance(.plain)
        entrance.security = .startTLS
        let client = SMTPClient(entrance)
        let error = try await #require(throws: SMTPError.self) { try await client.connect() }
        guard case .tlsRequiredButNotOffered = error.kind else {
            Issue.record("\(error.debugDescription)")
            return
        }
    }

    private static let noLogin = RealServerClaim("a login that is not offered is an error") {
        server in
        var entrance = try server.entrance(.plain)
        entrance.credentials = Credentials(user: "alice") { Secret("alicepw") }
        entrance.allowsPlaintextAuthentication = true
        let client = SMTPClient(entrance)
        let error = try await #require(throws: SMTPError.self) { try await client.connect() }
        guard case .noCommonMechanism(offered: []) = error.kind else {
            Issue.record("\(error.debugDescription)")
            return
        }
    }
}
