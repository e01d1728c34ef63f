import MartletBytes
import MartletFiles
import MartletMIME
import MartletSMTP
import MartletTestSupport
import MartletTransport
import Testing

extension RealServerClaim {
    static let sizes = [attachment, atLimit, aboveLimit, declaredAboveLimit, serverRefuses]

    private static let attachment = RealServerClaim("an attachment of 25 MB is streamed from disk")
    {
        server in
        let folder = try MartletTestSupport.TemporaryFolder("attachment")
        defer { folder.remove() }
        let path = folder.path + "/Anhang für dich.bin"
        let piece = noise(100_000)
        var file: [UInt8] = []
        file.reserveCapacity(25_000_000)
        for number in 0..<250 { file += piece[(number * 16)...] + piece[..<(number * 16)] }
        try write(file, toFile: path)

        let recipient = Address.fresh("large")
        let source = try FileSource(path: path)
        #expect(source.sizeInOctets == 25_000_000)
        #expect(source.octetsInMemory == nil)
        let message = try compose(
            "25 MB", to: [recipient],
            attachments: [MartletMIME.Attachment(name: "Anhang für dich.bin", content: source)])
        let entrance = try server.entrance(server.kind.offersTLS ? .implicitTLS : .plain)
        try await SMTPClient.withConnection(to: entrance) { client in
            try await client.send(message)
            let octets = try await message.octets(for: client.capabilities)
            #expect(octets.octetsInMemory == nil)
            try await server.expectArrival(of: octets, for: recipient)
        }
    }

    /// A message of a size, in lines as long as they may be.
    private static func message(ofSize size: Int) -> [UInt8] {
        var octets = Array((rawHeader + "Subject: of \(size) octets\r\n\r\n").utf8)
        octets.reserveCapacity(size)
        let lines = (UInt8(ascii: "a")...UInt8(ascii: "z")).map {
            [UInt8](repeating: $0, count: 998) + [ASCII.cr, ASCII.lf]
        }
        var number = 0
        while size - octets.count >= 2_000 {
            octets += lines[number % lines.count]
            number += 1
        }
        // What is left makes two lines, so that none has less than nothing or more than 998.
        let left = size - octets.count - 4
        octets += [UInt8](repeating: ASCII.hyphen, count: left / 2) + [ASCII.cr, ASCII.lf]
        octets +=
            [UInt8](repeating: UInt8(ascii: "+"), count: left - left / 2) + [ASCII.cr, ASCII.lf]
        return octets
    }

    private static let atLimit = RealServerClaim("a message exactly at SIZE is not held back") {
        server in
        try await SMTPClient.withConnection(to: server.entrance(.plain)) { client in
            try await client.connect()
            #expect(await client.capabilities.maximumSizeInOctets == server.sizeLimit)
            let message = OctetArray(Self.message(ofSize: server.sizeLimit))
            #expect(message.sizeInOctets == server.sizeLimit)
            let recipient = Address.fresh("limit")
            guard server.kind.countsItsOwnFieldsInSize else {
                try await client.send(message, envelope: envelope([recipient]))
                try await server.expectArrival(of: message, for: recipient)
                return
            }
            // The server took the size when it was declared.
            let error = try await #require(throws: SMTPError.self) {
                try await client.send(message, envelope: envelope([recipient]))
            }
            #expect(error.stage == .endOfData)
            #expect(error.reply?.code == 552)
            #expect(error.recovery == .fixInput)
            try await server.expectNothing(for: recipient, by: client)
            let smaller = OctetArray(Self.message(ofSize: server.sizeLimit - 64 * 1024))
            let other = Address.fresh("limit")
            try await client.send(smaller, envelope: envelope([other]))
            try await server.expectArrival(of: smaller, for: other)
        }
    }

    private static let aboveLimit = RealServerClaim(
        "a message one octet above SIZE is refused before anything of it is sent"
    ) { server in
        let size = server.sizeLimit + 1
        let message = OctetArray(Self.message(ofSize: size))
        let recipient = Address.fresh("above")
        let lines = WireLines()
        let entrance = try server.entrance(.plain, log: lines.log())
        try await SMTPClient.withConnection(to: entrance) { client in
            let error = try await #require(throws: SMTPError.self) {
                try await client.send(message, envelope: envelope([recipient]))
            }
            guard
                case .messageTooLarge(sizeInOctets: size, limitInOctets: server.sizeLimit) =
                    error.kind
            else {
                Issue.record("\(error.debugDescription)")
                return
            }
            #expect(error.recovery == .fixInput)
            entrance.log?.flush()
            #expect(lines.count(of: "C: MAIL") == 0)
            try await server.expectNothing(for: recipient, by: client)
        }
        entrance.log?.flush()
        #expect(lines.connections == 1)
    }

    private static let declaredAboveLimit = RealServerClaim(
        "a size declared above the limit is refused with the sender, where the server looks at it"
    ) { server in
        try await SMTPClient.withConnection(to: server.entrance(.plain)) { client in
            var mail = MailFrom(alice)
            mail.sizeInOctets = server.sizeLimit + 1
            guard server.kind.checksDeclaredSize else {
                try await client.run(mail)
                try await client.run(Reset())
                return
            }
            let error = try await #require(throws: SMTPError.self) { try await client.run(mail) }
            #expect(error.reply?.code == 552)
            #expect(error.stage == .mailFrom)
            #expect(error.recovery == .fixInput)
            try await server.expectNothing(for: Address.fresh("declared"), by: client)
        }
    }

    private static let serverRefuses = RealServerClaim(
        "a message that the server finds too large is refused in its words, and nothing arrives"
    ) { server in
        let message = OctetArray(Self.message(ofSize: server.sizeLimit + 100_000))
        let recipient = Address.fresh("refused")
        try await withSizeHidden(of: server) { port in
            var entrance = try server.entrance(.plain)
            entrance.port = port
            try await SMTPClient.withConnection(to: entrance) { client in
                let error = try await #require(throws: SMTPError.self) {
                    try await client.send(message, envelope: envelope([recipient]))
                }
                let reply = try #require(error.reply)
                // OpenSMTPD says 554 5.3.4, the others 552.
                #expect(reply.code == 552 || reply.enhanced == EnhancedStatusCode(5, 3, 4))
                #expect(error.recovery == .fixInput)
                #expect(!error.deliveryIsUncertain)
                #expect(error.description.contains("too large"), "\(error)")
                try await server.expectNothing(for: recipient, by: client)
            }
        }
    }

    /// A port that leads to the server, without SIZE among what it offers: a client there learns of the limit too late.
    private static func withSizeHidden(
        of server: RunningServer, _ body: (_ port: Int) async throws -> Void
    ) async throws {
        try await withScriptedServer { peer in
            let limit = ContinuousClock.Duration.seconds(120)
            let inner = try await ByteChannel.connect(
                to: "127.0.0.1", port: server.smtpPort, within: limit)
            await withTaskGroup { group in
                group.addTask {
                    while let octets = try? await peer.channel.read(within: limit), !octets.isEmpty
                    {
                        guard (try? await inner.write([octets[...]], within: limit)) != nil else {
                            break
                        }
                    }
                    await inner.close()
                }
                while let octets = try? await inner.read(within: limit), !octets.isEmpty {
                    let shown = octets.replacing("SIZE ".utf8, with: "X-SI ".utf8)
                    guard (try? await peer.channel.write([shown[...]], within: limit)) != nil else {
                        break
                    }
                }
                await peer.channel.close()
                group.cancelAll()
            }
            await inner.close()
        } _: { port in
            try await body(port)
        }
    }
}
