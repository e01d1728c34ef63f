import MartletBytes
import MartletFuzzOracles
import MartletSMTPCore
import MartletTestSupport
import Testing

@Suite("Client and server")
struct BothSidesTests {
    /// The two sessions, wired in memory: what one writes reaches the other in pieces of random size.
    struct Wire {
        var client = SMTPSession()
        var server: ServerScript
        var output = SMTPEncoder()
        var random: SeededGenerator
        var toClient: [UInt8]

        init(seed: UInt64, pipelining: Bool) throws {
            server = try ServerScript { configuration in
                if !pipelining { configuration.extensions.remove(.pipelining) }
                configuration.maximumSizeInOctets = 100_000
            }
            random = SeededGenerator(seed: seed)
            toClient = octets(server.greeting)
        }

        mutating func reply() throws -> SMTPReply {
            pieces(output.octets) { wire, piece in wire.toClient += wire.server.receive(piece).utf8
            }
            output.removeAll()
            while true {
                if let reply = try client.nextReply() { return reply }
                try #require(!toClient.isEmpty, "the server is silent")
                let count = Int.random(in: 1...toClient.count, using: &random)
                client.receive(toClient.prefix(count))
                toClient.removeFirst(count)
            }
        }

        mutating func pieces(_ octets: [UInt8], _ give: (inout Wire, ArraySlice<UInt8>) -> Void) {
            var rest = octets[...]
            while !rest.isEmpty {
                let piece = rest.prefix(Int.random(in: 1...rest.count, using: &random))
                give(&self, piece)
                rest = rest.dropFirst(piece.count)
            }
        }

        mutating func run<Command: SMTPCommand>(_ command: Command) throws -> Command.Success {
            try client.submit(command, into: &output)
            return try command.interpret(reply())
        }
    }

    /// The message as it must arrive.
    static func canonical(_ input: [UInt8]) -> [UInt8] {
        var output: [UInt8] = []
        for (index, octet) in input.enumerated() {
            let follows = index + 1 < input.count ? input[index + 1] : nil
            switch octet {
            case ASCII.cr where follows == ASCII.lf: continue
            case ASCII.cr, ASCII.lf: output += [ASCII.cr, ASCII.lf]
            default: output.append(octet)
            }
        }
        if let last = input.last, !last.isLineBreak { output += [ASCII.cr, ASCII.lf] }
        return output
    }

    @Test(
        "agree on every message, however the octets are cut", arguments: [21, 22, 23] as [UInt64],
        [true, false])
    func messages(seed: UInt64, pipelining: Bool) throws {
        var wire = try Wire(seed: seed, pipelining: pipelining)
        _ = try Greeting().interpret(wire.reply())
        let name = try EHLOName("client.example.test")
        _ = try wire.run(EHLO(name))
        try wire.run(StartTLS())
        try wire.client.tlsStarted()
        wire.server.session.tlsStarted()
        #expect(try wire.run(EHLO(name)).has(.pipelining) == pipelining)
        let login = Auth.self
        #expect(
            try wire.run(login.init(mechanism: "PLAIN", initialResponse: Secret("\0a\0secret")))
                == .succeeded)
        for round in 0..<20 {
            let body = HostileInputTests.input(
                of: HostileInputTests.commandWords, using: &wire.random)
            let recipients = try (0...round % 4).map {
                try ForwardPath("\($0 == 1 ? "bad" : "b")\($0)@example.test")
            }
            var transaction = try MailTransaction(
                DeliveryEnvelope(
                    reversePath: try ReversePath("a@example.test"), forwardPaths: recipients),
                .init(sizeInOctets: body.count, is8Bit: true),
                capabilities: wire.client.capabilities)
            try transaction.start(on: &wire.client, into: &wire.output)
            var report: DeliveryReport?
            while report == nil {
                let reply = try wire.reply()
                switch try transaction.receive(reply, on: &wire.client, into: &wire.output) {
                case .awaitReply: break
                case .sendBody:
                    var stuffer = DotStuffer()
                    wire.pieces(body) { stuffer.append($1, to: &$0.output.octets) }
                    try transaction.bodyEnds(on: &wire.client, into: &wire.output)
                    stuffer.finish(into: &wire.output.octets)
                case .finished(let last): report = last
                }
            }
            let canonical = Self.canonical(body)
            #expect(wire.server.messages.last?.octets == canonical)
            #expect(
                wire.server.messages.last?.envelope.forwardPaths == report?.accepted.map(\.path))
            #expect(report?.refused.count == (recipients.count > 1 ? 1 : 0))
        }
        #expect(wire.server.messages.count == 20)
        try wire.run(Quit())
        #expect(wire.client.peerClosed() == nil)
        #expect(wire.server.isClosed)
    }
}
