import MartletBytes
import MartletFuzzOracles
import MartletPOP3Core
import MartletTestSupport
import Testing

@Suite("POP3 client and server")
struct BothSidesTests {
    /// The two sessions, wired in memory: what one writes reaches the other in pieces of random size.
    struct Wire {
        var client = POP3Session()
        var server: POP3ServerScript
        var output = POP3Encoder()
        var random: SeededGenerator
        var toClient: [UInt8]

        init(seed: UInt64, messages: [[UInt8]], pipelining: Bool) {
            server = POP3ServerScript(messages: messages) { $0.offersPipelining = pipelining }
            random = SeededGenerator(seed: seed)
            server.pieceSize = Int.random(in: 1...40, using: &random)
            toClient = octets(server.greeting)
        }

        mutating func event() throws -> POP3Event {
            var rest = output.octets[...]
            while !rest.isEmpty {
                let piece = rest.prefix(Int.random(in: 1...rest.count, using: &random))
                toClient += server.receive(piece)
                rest = rest.dropFirst(piece.count)
            }
            output.removeAll()
            while true {
                if let event = try client.nextEvent() { return event }
                try #require(!toClient.isEmpty, "the server is silent")
                let count = Int.random(in: 1...toClient.count, using: &random)
                client.receive([UInt8](toClient.prefix(count)))
                toClient.removeFirst(count)
            }
        }

        mutating func run<Command: POP3Command>(_ command: Command) throws -> Command.Success {
            try client.submit(command, into: &output)
            guard case .reply(let reply) = try event() else { throw Surprise() }
            return try command.interpret(reply)
        }

        mutating func message() throws -> [UInt8] {
            var message: [UInt8] = []
            while case .octets(let octets) = try event() { message += octets }
            return message
        }
    }

    struct Surprise: Error {}

    @Test(
        "agree on every message, however the octets are cut", arguments: [31, 32, 33] as [UInt64],
        [true, false])
    func messages(seed: UInt64, pipelining: Bool) throws {
        var random = SeededGenerator(seed: seed)
        let messages = (0..<20).map { _ in
            (0..<Int.random(in: 0...30, using: &random)).flatMap { _ in
                octets(
                    ["\r\n", "\r\n", ".", "..", "a", "+OK", "line"].randomElement(using: &random)!)
            }
        }
        var wire = Wire(seed: seed, messages: messages, pipelining: pipelining)
        guard case .reply(let greeting) = try wire.event() else { throw Surprise() }
        let timestamp = try #require(POP3Greeting(greeting).timestamp)
        #expect(try wire.run(POP3.Capa()).has(.pipelining) == pipelining)
        try wire.run(POP3.Stls())
        try wire.client.tlsStarted()
        wire.server.session.tlsStarted()
        _ = try wire.run(POP3.Capa())
        try wire.run(POP3.Apop(user: "alice", password: Secret("secret"), timestamp: timestamp))
        let status = try wire.run(POP3.Stat())
        #expect(status.messageCount == 20)
        let sizes = try wire.run(POP3.List())
        let identities = try wire.run(POP3.Uidl())
        let listed = MaildropMessage.merge(sizes: sizes, identities: identities)
        #expect(listed.map(\.sizeInOctets) == messages.map(\.count))
        #expect(listed.last?.uniqueID == UniqueID("id20"))
        for (index, message) in messages.enumerated() {
            try wire.run(POP3.Retr(index + 1))
            let whole = message.isEmpty || message.suffix(2) == [ASCII.cr, ASCII.lf]
            #expect(try wire.message() == message + (whole ? [] : [ASCII.cr, ASCII.lf]))
        }
        if pipelining {
            for number in 1...20 {
                try wire.client.submit(POP3.Retr(number), into: &wire.output)
                try wire.client.submit(POP3.Dele(number), into: &wire.output)
            }
            for _ in 1...20 {
                guard case .reply = try wire.event() else { throw Surprise() }
                _ = try wire.message()
                guard case .reply = try wire.event() else { throw Surprise() }
            }
            #expect(wire.client.markedCount == 20)
        }
        try wire.run(POP3.Quit())
        #expect(wire.client.peerClosed() == nil)
        #expect(wire.server.deleted == (pipelining ? Array(1...20) : []))
    }
}
