import MartletBytes
import MartletMIME
import MartletSMTP
import MartletTestSupport
import Testing

#if canImport(Glibc)
    import Glibc
#elseif canImport(Darwin)
    import Darwin
#endif

/// A message with a date and a name of its own, so that it gives the same octets whoever renders it.
func compose(
    _ subject: String, from: String = "Alice Liddell <alice@example.test>", to: [String],
    cc: [String] = [], bcc: [String] = [], text: String? = "Hello.\n", html: String? = nil,
    attachments: [MartletMIME.Attachment] = []
) throws -> OutgoingMessage {
    var message = try OutgoingMessage(
        from: from, to: to, cc: cc, bcc: bcc, subject: subject, text: text, html: html,
        attachments: attachments)
    message.date = MailDate(secondsSinceEpoch: 1_796_033_400, offsetInMinutes: 60)
    message.messageID = try MessageID("fixed.\(subject.utf8.count)@client.example.test")
    return message
}

extension OutgoingMessage {
    /// The octets that a server with these capabilities is given.
    func octets(for capabilities: SMTPCapabilities) throws -> any OctetSource {
        struct NoSuchDomain: Error {}
        return try rendered(
            RenderingOptions(
                allows8Bit: capabilities.has(.eightBitMIME),
                allowsUTF8Headers: capabilities.has(.smtpUTF8)
            ) { domain in
                guard domain == "bücher.example" else { throw NoSuchDomain() }
                return "xn--bcher-kva.example"
            })
    }
}

/// The header fields that every raw message here has, since OpenSMTPD would add them.
let rawHeader = """
    From: <alice@example.test>\r
    To: <bob@example.test>\r
    Date: Mon, 30 Nov 2026 10:50:00 +0100\r
    Message-ID: <raw@client.example.test>\r

    """

func envelope(_ recipients: [String], from sender: String = "alice@example.test") throws
    -> DeliveryEnvelope
{
    DeliveryEnvelope(
        reversePath: try ReversePath(sender),
        forwardPaths: try recipients.map { try ForwardPath($0) })
}

extension RunningServer {
    /// Waits for the one message that a recipient of this test's own shall have, and compares every octet.
    func expectArrival(
        of expected: any OctetSource, for recipient: String, from sender: String? = nil,
        sourceLocation: SourceLocation = #_sourceLocation
    ) async throws {
        let arrived = try await waitForMessages(for: recipient)
        #expect(arrived.count == 1, "\(recipient)", sourceLocation: sourceLocation)
        let message = try #require(arrived.first, sourceLocation: sourceLocation)
        if let sender {
            #expect(message.reversePath == sender, sourceLocation: sourceLocation)
        }
        let difference = try await firstDifference(message.octets, expected)
        #expect(difference == nil, "for \(recipient)", sourceLocation: sourceLocation)
    }

    func expectArrival(
        of expected: String, for recipient: String,
        sourceLocation: SourceLocation = #_sourceLocation
    ) async throws {
        try await expectArrival(
            of: OctetArray(Array(expected.utf8)), for: recipient, sourceLocation: sourceLocation)
    }

    /// Shows that nothing has come for a recipient: the next message does, and is the first.
    func expectNothing(
        for recipient: String, by client: SMTPClient,
        sourceLocation: SourceLocation = #_sourceLocation
    ) async throws {
        let text = rawHeader + "Subject: the first\r\n\r\nNothing before.\r\n"
        try await client.send(OctetArray(Array(text.utf8)), envelope: envelope([recipient]))
        try await expectArrival(of: text, for: recipient, sourceLocation: sourceLocation)
    }
}

/// Where two messages differ first, and what stands there; `nil` where they are the same.
func firstDifference(_ arrived: [UInt8], _ expected: any OctetSource) async throws -> String? {
    var reader = try expected.makeReader()
    var offset = 0
    while true {
        let piece = try await reader.read(atMost: 256 * 1024)
        if piece.isEmpty { break }
        let other = arrived[offset..<min(offset + piece.count, arrived.count)]
        let isSame =
            other.count == piece.count
            && other.withUnsafeBytes { left in
                piece.withUnsafeBytes { memcmp(left.baseAddress!, $0.baseAddress!, $0.count) == 0 }
            }
        guard isSame else {
            let index = zip(other, piece).prefix { $0 == $1 }.map { _ in }.count
            return "at octet \(offset + index): \(excerpt(other.dropFirst(index))) "
                + "in place of \(excerpt(piece.dropFirst(index)))"
        }
        offset += piece.count
    }
    return arrived.count == offset ? nil : "behind the end: \(excerpt(arrived.dropFirst(offset)))"
}

private func excerpt(_ octets: ArraySlice<UInt8>) -> String {
    octets.isEmpty ? "the end" : String(decoding: octets.prefix(80), as: UTF8.self).debugDescription
}
