import MartletBytes
import MartletSMTPCore

/// What must hold for any octets a server may send.
package enum SMTPReplyOracle {
    /// Traps where the reply parser or the client session breaks a promise.
    package static func check(_ input: [UInt8]) {
        let whole = parse([input[...]])
        let place = input.count / 2
        precondition(
            parse([input[..<place], input[place...]]) == whole, "a cut changes the replies")
        if input.count <= 4_096 {
            precondition(
                parse(input.indices.map { input[$0...$0] }) == whole, "many cuts change the replies"
            )
        }
        for reply in whole.replies {
            precondition(200...599 ~= reply.code)
            precondition(reply.lines.count <= SMTPReplyParser.lineCountLimit)
            precondition(!reply.description.utf8.contains { $0 < 0x20 && $0 != ASCII.tab })
            var wire: [UInt8] = []
            reply.encode(into: &wire)
            let again = parse([wire[...]])
            precondition(
                again.replies == [reply] && again.failure == nil, "a reply does not survive")
            _ = SMTPCapabilities(ehlo: reply)
        }
        checkSession(input)
    }

    struct Outcome: Equatable {
        var replies: [SMTPReply] = []
        var failure: SMTPReplyParser.Failure?
    }

    private static func parse(_ pieces: [ArraySlice<UInt8>]) -> Outcome {
        var parser = SMTPReplyParser()
        var outcome = Outcome()
        do {
            for piece in pieces {
                parser.append(piece)
                while let reply = try parser.next() { outcome.replies.append(reply) }
            }
        } catch {
            outcome.failure = error
        }
        return outcome
    }

    /// A client that goes on as far as it is let: it must never get stuck in a state that takes nothing.
    private static func checkSession(_ input: [UInt8]) {
        guard let name = try? EHLOName("client.example.test"),
            let path = try? ForwardPath("b@example.test")
        else { return }
        let envelope = DeliveryEnvelope(reversePath: .null, forwardPaths: [path, path])
        var session = SMTPSession()
        var output = SMTPEncoder()
        var transaction: MailTransaction?
        session.receive(input)
        do throws(SMTPError) {
            while let reply = try session.nextReply() {
                if var current = transaction {
                    switch try current.receive(reply, on: &session, into: &output) {
                    case .awaitReply: break
                    case .sendBody: try current.bodyEnds(on: &session, into: &output)
                    case .finished: return
                    }
                    transaction = current
                } else if session.capabilities.serverName.isEmpty {
                    try session.submit(EHLO(name), into: &output)
                } else {
                    var current = try MailTransaction(
                        envelope, .init(sizeInOctets: 0), capabilities: session.capabilities)
                    try current.start(on: &session, into: &output)
                    transaction = current
                }
                precondition(session.pendingReplyCount > 0 || session.isOver, "nothing is awaited")
            }
            precondition(session.peerClosed() != nil)
        } catch {
            precondition(!error.description.utf8.contains { $0 < 0x20 && $0 != ASCII.tab })
            precondition(session.isOver == error.endsConnection || session.isIdle)
        }
    }
}
