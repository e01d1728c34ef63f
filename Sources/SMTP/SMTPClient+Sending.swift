import MartletBytes
import MartletMIME
import MartletSMTPCore
import MartletTransport

/// One message: MAIL, RCPT, DATA. RFC 5321 §3.3.
extension SMTPClient {
    /// Hears how far a message has come. Never called on the event loop.
    public typealias ProgressHandler = @Sendable (SendProgress) -> Void

    /// Sends a ready message, octet for octet but for bare line ends, which become CRLF.
    ///
    /// - Parameters:
    ///   - source: the message, header and body; read in pieces, so that its size does not matter.
    ///   - envelope: from whom and to whom; the message's own fields are not looked at.
    ///   - progress: hears how far the message has come.
    /// - Returns: what became of each recipient. One that was refused does not keep the others from their copy.
    /// - Throws: `SMTPError` when nobody has a copy: all recipients or the message refused, or the connection failed.
    ///   `deliveryIsUncertain` says whether the server may have taken the message all the same.
    @discardableResult
    public func send(
        _ source: any OctetSource, envelope: DeliveryEnvelope, progress: ProgressHandler? = nil
    ) async throws(SMTPError) -> DeliveryReport {
        let body =
            if let small = MessageBody(small: source) { small } else {
                try await MessageBody.examine(source)
            }
        let envelope = try envelope.withASCIIDomains()
        try await takeTurn(.envelope)
        defer { giveTurn() }
        return try await deliver(.ready(body), envelope, progress)
    }

    /// What is to be sent.
    enum Outgoing: Sendable {
        case ready(MessageBody)
        /// Rendered when it is known what the server can take.
        case composed(OutgoingMessage)
    }

    /// Sends; in several transactions where the server does not take all recipients in one.
    func deliver(
        _ outgoing: Outgoing, _ envelope: DeliveryEnvelope, _ progress: ProgressHandler?
    ) async throws(SMTPError) -> DeliveryReport {
        var report = try await deliverOnce(outgoing, envelope, progress)
        while !report.leftOut.isEmpty {
            var rest = envelope
            rest.forwardPaths = report.leftOut
            do throws(SMTPError) {
                report.resolveLeftOut(
                    try await deliverOnce(outgoing, rest, progress).recipients.map(\.outcome))
            } catch {
                // Others have their copy already, so this is no failure of the whole.
                if case .allRecipientsRefused(let last) = error.kind {
                    report.resolveLeftOut(last.recipients.map(\.outcome))
                } else if error.deliveryIsUncertain {
                    report.resolveLeftOut(rest.forwardPaths.map { _ in .uncertain })
                }
                break
            }
        }
        return report
    }

    /// Opens a connection where there is none, and sends.
    private func deliverOnce(
        _ outgoing: Outgoing, _ envelope: DeliveryEnvelope, _ progress: ProgressHandler?
    ) async throws(SMTPError) -> DeliveryReport {
        try await open()
        let wasUsed = connection?.isUsed ?? false
        do throws(SMTPError) {
            return try await attempt(outgoing, envelope, progress)
        } catch {
            // The server closed the idle connection just now: it has seen no more than the sender.
            guard wasUsed, error.isFarewell else { throw error }
        }
        try await open()
        return try await attempt(outgoing, envelope, progress)
    }

    private func attempt(
        _ outgoing: Outgoing, _ envelope: DeliveryEnvelope, _ progress: ProgressHandler?
    ) async throws(SMTPError) -> DeliveryReport {
        do throws(SMTPError) {
            guard let connection else { throw SMTPError(kind: .unexpectedClose, stage: .idle) }
            let capabilities = connection.session.capabilities
            let body =
                switch outgoing {
                case .ready(let body): body
                case .composed(let message):
                    MessageBody(try await Self.render(message, for: capabilities))
                }
            var transaction = try MailTransaction(
                envelope, body.content, capabilities: capabilities)
            return try await run(&transaction, body, progress, connection)
        } catch {
            throw await settled(error)
        }
    }

    private func run(
        _ transaction: inout MailTransaction, _ body: MessageBody, _ progress: ProgressHandler?,
        _ connection: Connection
    ) async throws(SMTPError) -> DeliveryReport {
        try transaction.start(on: &connection.session, into: &connection.output)
        while true {
            let reply: SMTPReply
            do throws(SMTPError) {
                try await flush(connection)
                reply = try await nextReply(connection)
            } catch {
                throw transaction.cause(of: error)
            }
            switch try transaction.receive(
                reply, on: &connection.session, into: &connection.output)
            {
            case .awaitReply: continue
            case .sendBody:
                try await write(body, progress, of: &transaction, connection)
            case .finished(let report): return report
            }
        }
    }

    /// Writes the message, stuffed, and its end.
    private func write(
        _ body: MessageBody, _ progress: ProgressHandler?, of transaction: inout MailTransaction,
        _ connection: Connection
    ) async throws(SMTPError) {
        var pump = BodyPump(body, progress)
        while true {
            let batch: BodyPump.Batch
            do {
                if let now = pump.nextNow() { batch = now } else { batch = try await pump.next() }
            } catch is CancellationError {
                throw connection.session.cancelled()
            } catch {
                throw connection.session.bodyFailed(error)
            }
            if batch.isLast {
                // Before the last piece is written, since its reply may come while the write is awaited.
                try transaction.bodyEnds(on: &connection.session, into: &connection.output)
            }
            try await write(batch.pieces, within: server.timeouts.data, connection)
            if progress != nil { await pump.tellProgress() }
            if batch.isLast { break }
            // A server that has had enough says so before the end.
            try await takeLastWords(connection)
        }
        connection.log?.record(.client, messageOctets: body.source.sizeInOctets)
    }
}

extension SMTPError {
    /// Whether the connection ended before the server had answered anything of this message.
    fileprivate var isFarewell: Bool {
        guard stage == .mailFrom || stage == .idle else { return false }
        switch kind {
        case .unexpectedClose, .transport, .serviceClosing: return true
        default: return false
        }
    }
}
