import MartletBytes
import MartletSASL
import Testing

@Suite("Server mechanisms")
struct ServerTests {
    static let clients: [String] = ["PLAIN", "LOGIN"]

    static func client(_ name: String) throws -> any SASLMechanism {
        name == "PLAIN"
            ? try PLAIN(user: "älice", password: Secret("pä ss"))
            : try LOGIN(user: "älice", password: Secret("pä ss"))
    }

    @Test(
        "hear what the client says, with and without an initial response",
        arguments: clients, [true, false])
    func roundTrip(name: String, sendsFirst: Bool) throws {
        var client = try Self.client(name)
        var server = try #require(SASLServerMechanisms.make(name.lowercased()))
        let initial = client.initialResponse()
        var step = try server.receive(sendsFirst ? initial : nil)
        while case .challenge(let challenge) = step {
            step = try server.receive(try client.respond(to: challenge))
        }
        guard case .verify(let login) = step else { return }
        #expect(login.user == "älice")
        #expect(text(login.password) == "pä ss")
    }

    @Test(
        "refuse what is malformed",
        arguments: ["", "\0", "\0\0", "a\0b", "\0alice\0", "\0\0pw", "\0alice\0p\0w", "alice"])
    func malformed(response: String) {
        var plain = PLAINServer()
        #expect(throws: SASLError(.malformedResponse, mechanism: "PLAIN")) {
            _ = try plain.receive(Secret(response))
        }
    }

    @Test("refuse more than their limits")
    func limits() throws {
        let long = Secret(octets: [UInt8](repeating: 0x61, count: 4_097))
        var plain = PLAINServer()
        #expect(throws: SASLError.self) { _ = try plain.receive(long) }
        var login = LOGINServer()
        #expect(throws: SASLError.self) { _ = try login.receive(long) }
        _ = try login.receive(Secret("alice"))
        #expect(throws: SASLError.self) { _ = try login.receive(long) }
        #expect(throws: SASLError.self) { _ = try login.receive(Secret("")) }
        #expect(SASLServerMechanisms.make("CRAM-MD5") == nil)
        #expect(SASLServerMechanisms.names.allSatisfy { SASLServerMechanisms.make($0) != nil })
    }
}
