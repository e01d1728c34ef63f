import MartletBytes
import MartletMIME
import MartletSMTP
import MartletTestSupport
import MartletTransport
import Testing

extension RealServerClaim {
    static let recipients = [
        fifty, someRefused, allRefused, onlyBusy, blindCopies, rawBlindCopies, nullSender,
    ]

    private static let fifty = RealServerClaim("50 recipients each have their copy") { server in
        let recipients = (0..<50).map { _ in Address.fresh("fifty") }
        let message = try compose("to fifty", to: recipients)
        try await SMTPClient.withConnection(to: server.entrance(.plain)) { client in
            let report = try await client.send(message)
            #expect(report.allAccepted)
            #expect(report.recipients.map(\.path.description) == recipients)
            let octets = try await message.octets(for: client.capabilities)
            for recipient in recipients {
                try await server.expectArrival(of: octets, for: recipient)
            }
        }
    }

    private static let someRefused = RealServerClaim(
        "a recipient that is refused does not keep the others from their copy"
    ) { server in
        let good = (0..<3).map { _ in Address.fresh("good") }
        let recipients = [good[0], Address.unknown, good[1], Address.busy, good[2]]
        let message = try compose("to some", to: recipients)
        try await SMTPClient.withConnection(to: server.entrance(.plain)) { client in
            let report = try await client.send(message)
            #expect(!report.allAccepted)
            #expect(report.recipients.map(\.path.description) == recipients)
            #expect(report.accepted.map(\.path.description) == good)
            #expect(report.finalReply?.isPositiveCompletion == true)
            let unknown = report.recipients[1]
            #expect(unknown.isRefusedForGood)
            #expect(unknown.outcome.reply?.code == 550)
            #expect(unknown.outcome.reply?.text.contains("User unknown") == true)
            let busy = report.recipients[3]
            #expect(busy.isRefusedForNow)
            #expect(busy.outcome.reply?.text.contains("Mailbox busy") == true)
            let octets = try await message.octets(for: client.capabilities)
            for recipient in good { try await server.expectArrival(of: octets, for: recipient) }
        }
        #expect(try server.messages(for: Address.unknown).isEmpty)
        #expect(try server.messages(for: Address.busy).isEmpty)
    }

    private static let allRefused = RealServerClaim(
        "when all are refused no message is sent, and the connection is good for the next"
    ) { server in
        let lines = WireLines()
        let entrance = try server.entrance(.plain, log: lines.log())
        try await SMTPClient.withConnection(to: entrance) { client in
            let error = try await #require(throws: SMTPError.self) {
                try await client.send(compose("to nobody", to: [Address.unknown, Address.busy]))
            }
            guard case .allRecipientsRefused(let report) = error.kind else {
                Issue.record("\(error.debugDescription)")
                return
            }
            #expect(report.recipients.map(\.isRefusedForGood) == [true, false])
            #expect(report.finalReply == nil)
            #expect(error.recovery == .fixInput)
            #expect(error.description.contains("User unknown"), "\(error)")
            #expect(!error.endsConnection)
            try await server.expectNothing(for: Address.fresh("after"), by: client)
        }
        entrance.log?.flush()
        #expect(lines.connections == 1)
        #expect(lines.count(of: "C: DATA") == 1, "only the message after it was sent")
        #expect(try server.messages(for: Address.unknown).isEmpty)
        #expect(try server.messages(for: Address.busy).isEmpty)
    }

    private static let onlyBusy = RealServerClaim(
        "a recipient refused for now is to be tried later"
    ) {
        server in
        try await SMTPClient.withConnection(to: server.entrance(.plain)) { client in
            let error = try await #require(throws: SMTPError.self) {
                try await client.send(compose("to be continued", to: [Address.busy]))
            }
            #expect(error.recovery == .retry(after: nil))
            #expect(error.reply?.isTransientFailure == true)
            #expect(error.description.contains("Mailbox busy"), "\(error)")
            #expect(error.description.contains("Try again later"), "\(error)")
        }
        #expect(try server.messages(for: Address.busy).isEmpty)
    }

    private static let blindCopies = RealServerClaim(
        "recipients of Cc and Bcc have their copy, and no Bcc field arrives"
    ) { server in
        let (to, cc, bcc) = (Address.fresh("to"), Address.fresh("cc"), Address.fresh("bcc"))
        let message = try compose("copies", to: [to], cc: [cc], bcc: [bcc])
        try await SMTPClient.withConnection(to: server.entrance(.plain)) { client in
            let report = try await client.send(message)
            #expect(report.accepted.map(\.path.description) == [to, cc, bcc])
            let octets = try await message.octets(for: client.capabilities)
            for recipient in [to, cc, bcc] {
                try await server.expectArrival(of: octets, for: recipient)
                try expectNoTrace(of: bcc, in: server.messages(for: recipient))
            }
        }
    }

    private static let rawBlindCopies = RealServerClaim(
        "a ready message goes to its To, Cc and Bcc, and no Bcc field arrives"
    ) { server in
        let (to, cc, bcc) = (Address.fresh("to"), Address.fresh("cc"), Address.fresh("bcc"))
        let start = "From: <alice@example.test>\r\nTo: <\(to)>\r\n"
        let rest = """
            Cc: <\(cc)>\r
            Date: Mon, 30 Nov 2026 10:50:00 +0100\r
            Message-ID: <blind@client.example.test>\r
            \r
            Hello.\r

            """
        let field = "Bcc: Somebody\r\n\t<\(bcc)>\r\n"
        let raw = try await RawMessage(OctetArray(Array((start + field + rest).utf8)))
        let recipients = raw.recipients.mailboxes.map(\.addrSpec)
        #expect(recipients == [to, cc, bcc])
        try await SMTPClient.withConnection(to: server.entrance(.plain)) { client in
            try await client.send(raw.withoutBcc(), envelope: envelope(recipients))
            for recipient in recipients {
                try await server.expectArrival(of: start + rest, for: recipient)
                try expectNoTrace(of: bcc, in: server.messages(for: recipient))
            }
        }
    }

    private static func expectNoTrace(of bcc: String, in messages: [DeliveredMessage]) throws {
        for message in messages {
            let text = String(decoding: message.octets, as: UTF8.self).lowercased()
            #expect(!text.contains("bcc:"))
            #expect(!text.contains(bcc))
        }
    }

    private static let nullSender = RealServerClaim("a notice goes out with the null path") {
        server in
        let recipient = Address.fresh("null")
        let text = rawHeader + "Subject: a notice\r\n\r\nHello.\r\n"
        try await SMTPClient.withConnection(to: server.entrance(.plain)) { client in
            _ = try await client.send(
                OctetArray(Array(text.utf8)), envelope: envelope([recipient], from: "<>"))
        }
        try await server.expectArrival(
            of: OctetArray(Array(text.utf8)), for: recipient,
            from: server.kind.showsNullPath ? "" : nil)
    }
}
