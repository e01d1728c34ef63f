import MartletPOP3
import MartletTestSupport
import Testing

@Suite("POP3 client and faults", .timeLimit(.minutes(1)))
struct FaultTests {
    enum Fault: CaseIterable {
        case silence, close, garbage, endlessLine, refusal
    }

    static let places = ["greeting", "CAPA", "AUTH", "LIST", "UIDL", "TOP", "RETR", "DELE", "QUIT"]

    /// A server that fails at a verb, or at its greeting.
    private static func server(_ place: String, _ fault: Fault) -> ScriptedPOP3 {
        let greeting =
            switch fault {
            case _ where place != "greeting": "+OK ready"
            case .refusal: "-ERR [SYS/TEMP] not now"
            case .garbage: "@#$%"
            case .endlessLine: String(repeating: "x", count: 100_000)
            case .silence, .close: "+OK never said"
            }
        return ScriptedPOP3(greeting: greeting) { command, peer in
            guard command.verb == place else { return false }
            switch fault {
            case .silence:
                _ = await peer.rest()
                throw PeerGone()
            case .close: throw PeerGone()
            case .garbage: try await peer.say("@#$%\r\n")
            case .endlessLine:
                let line = [UInt8](repeating: 0x78, count: 65_536)
                while true { try await peer.say(line) }
            case .refusal: try await peer.say("-ERR [SYS/TEMP] not now\r\n")
            }
            return true
        }
    }

    @Test(
        "ends with an error that says where, and never hangs", arguments: places, Fault.allCases)
    func anywhere(place: String, fault: Fault) async throws {
        let server = Self.server(place, fault)
        let script: @Sendable (ScriptedPeer) async throws -> Void = { peer in
            if place == "greeting", fault == .silence {
                _ = await peer.rest()
            } else if place == "greeting", fault == .close {
                return
            } else {
                try await server.serve(peer)
            }
        }
        try await withScriptedServer(script) { port in
            var settings = try plainServer(port)
            // What is not silent answers in far less.
            let limit: Duration = fault == .silence ? .milliseconds(100) : .seconds(30)
            (settings.timeouts.greeting, settings.timeouts.reply) = (limit, limit)
            settings.timeouts.quit = limit
            let error = await failure {
                try await POP3Client.withConnection(to: settings) { pop in
                    _ = try await pop.messages()
                    _ = try await pop.header(of: 1)
                    _ = try await pop.octets(of: 1)
                    let refused = try await pop.delete([1])
                    if let first = refused.first {
                        throw POP3Error(kind: .refused(first.reply), command: "DELE")
                    }
                }
            }
            Self.check(error, place, fault)
        }
    }

    private static func check(_ error: POP3Error?, _ place: String, _ fault: Fault) {
        // A server without CAPA or UIDL is a server all the same.
        guard fault != .refusal || !["CAPA", "UIDL"].contains(place) else {
            #expect(error == nil)
            return
        }
        let place = place == "UIDL" ? "LIST" : place
        #expect(
            error?.command == place || error?.command == "UIDL",
            "\(String(describing: error?.debugDescription))")
        switch fault {
        case .silence: if case .timeout? = error?.kind { return }
        case .close:
            switch error?.kind {
            case .unexpectedClose?, .transport?: return
            default: break
            }
        case .garbage, .endlessLine: if case .protocolViolation? = error?.kind { return }
        case .refusal:
            #expect(error?.reply?.code == .systemTemporary)
            if case .retry? = error?.recovery { return }
        }
        Issue.record("\(String(describing: error?.debugDescription))")
    }
}
