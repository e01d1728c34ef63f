/// One message on one session: MAIL, RCPT for each recipient, DATA, the message, the last reply. RFC 5321 §3.3.
///
/// Pure logic; the shell writes what it puts into the output, and gives it the session's replies:
///
///     var transaction = try MailTransaction(envelope, content, capabilities: session.capabilities)
///     try transaction.start(on: &session, into: &output)
///     step: while true {
///         write(output.octets); output.removeAll()
///         let reply = …next reply of the session…       // on failure: throw transaction.cause(of: error)
///         switch try transaction.receive(reply, on: &session, into: &output) {
///         case .awaitReply: continue
///         case .sendBody:
///             …write the message through a DotStuffer, all but the last piece and the stuffer's finish…
///             try transaction.bodyEnds(on: &session, into: &output)
///         case .finished(let report): break step
///         }
///     }
///
/// With PIPELINING, MAIL and all RCPT are one batch. DATA always waits for the outcomes: when every recipient
/// is refused, nothing is sent. A transaction that fails with `endsConnection` false leaves the session ready.
public struct MailTransaction: Sendable {
    /// What the transaction must know of the message.
    public struct Content: Sendable {
        /// Its size in octets with canonical line ends and without dot-stuffing; `nil`: not known. RFC 1870 §5.
        public var sizeInOctets: Int?
        /// Whether it has octets above 127.
        public var is8Bit: Bool
        /// Whether its header fields have UTF-8 that only SMTPUTF8 allows.
        public var needsSMTPUTF8: Bool

        /// Describes a message.
        public init(sizeInOctets: Int?, is8Bit: Bool = false, needsSMTPUTF8: Bool = false) {
            self.sizeInOctets = sizeInOctets
            self.is8Bit = is8Bit
            self.needsSMTPUTF8 = needsSMTPUTF8
        }
    }

    /// What the shell does next.
    public enum Step: Sendable {
        /// Write the output, if any, and wait for the next reply.
        case awaitReply
        /// Write the message, stuffed, with its end; but call `bodyEnds` before the last piece.
        case sendBody
        /// The server took the message for the accepted recipients.
        case finished(DeliveryReport)
    }

    private enum Phase: Sendable {
        /// MAIL's reply is due. → recipients, refused (when RCPTs are in the same batch)
        case mail
        /// The reply for recipient `outcomes.count` is due. → data, resetting
        case recipients
        /// MAIL was refused; the replies to the RCPTs of the batch are passed over. → done
        indirect case refused(SMTPError)
        /// DATA's reply is due. → body, resetting
        case data
        /// The message is being written. → end
        case body
        /// The last reply is due. → done
        case end
        /// RSET's reply is due; then the error is thrown. → done
        indirect case resetting(SMTPError)
        case done
    }

    /// The recipients that can be named to the server.
    private let paths: [ForwardPath]
    /// Those that cannot, since the server has no SMTPUTF8, and their places in the envelope.
    private var unreachable: [(index: Int, path: ForwardPath)] = []
    private let mail: MailFrom
    private var phase = Phase.mail
    private var outcomes: [DeliveryReport.Recipient] = []
    // Recipients whose RCPT was submitted.
    private var named = 0
    private var acceptedCount = 0

    /// Checks that the server can take the message.
    ///
    /// - Throws: `.invalidInput` without recipients; `.messageTooLarge`, `.needs8BitMIME`, `.needsSMTPUTF8` when the
    ///   server does not take such a message. Nothing was sent then.
    public init(
        _ envelope: DeliveryEnvelope, _ content: Content, capabilities: SMTPCapabilities
    ) throws(SMTPError) {
        guard !envelope.forwardPaths.isEmpty else {
            throw SMTPError(
                kind: .invalidInput("the message has no recipient"), stage: .envelope)
        }
        if let size = content.sizeInOctets, let limit = capabilities.maximumSizeInOctets,
            size > limit
        {
            throw SMTPError(
                kind: .messageTooLarge(sizeInOctets: size, limitInOctets: limit), stage: .envelope)
        }
        let hasSMTPUTF8 = capabilities.has(.smtpUTF8)
        if !hasSMTPUTF8, envelope.reversePath.needsSMTPUTF8 || content.needsSMTPUTF8 {
            let what =
                envelope.reversePath.needsSMTPUTF8
                ? envelope.reversePath.description : "a header field"
            throw SMTPError(kind: .needsSMTPUTF8(what), stage: .envelope)
        }
        var paths = envelope.forwardPaths
        if !hasSMTPUTF8, paths.contains(where: \.needsSMTPUTF8) {
            // One address that the server cannot take does not keep the others from their copy.
            unreachable = paths.indices.filter { paths[$0].needsSMTPUTF8 }
                .map { ($0, envelope.forwardPaths[$0]) }
            paths.removeAll(where: \.needsSMTPUTF8)
            guard !paths.isEmpty else {
                throw SMTPError(
                    kind: .needsSMTPUTF8(unreachable[0].path.description), stage: .envelope)
            }
        }
        let usesSMTPUTF8 =
            content.needsSMTPUTF8 || envelope.reversePath.needsSMTPUTF8
            || paths.contains(where: \.needsSMTPUTF8)
        if content.is8Bit, !capabilities.has(.eightBitMIME) {
            throw SMTPError(kind: .needs8BitMIME, stage: .envelope)
        }
        self.paths = paths
        var mail = MailFrom(envelope.reversePath)
        if let size = content.sizeInOctets, capabilities.has(.size) { mail.sizeInOctets = size }
        mail.is8Bit = content.is8Bit
        mail.usesSMTPUTF8 = usesSMTPUTF8
        if capabilities.has(.dsn) { mail.envelopeID = envelope.envelopeID }
        self.mail = mail
        outcomes.reserveCapacity(paths.count)
    }

    /// Submits MAIL, and with PIPELINING all RCPT after it.
    ///
    /// - Throws: what the session throws; nothing was written then.
    public mutating func start(
        on session: inout SMTPSession, into output: inout SMTPEncoder
    ) throws(SMTPError) {
        try session.submit(mail, into: &output)
        try nameRecipients(on: &session, into: &output)
    }

    /// Takes the next reply of the session.
    ///
    /// - Throws: what failed for the whole message: the sender or the message refused, or all recipients. The session is
    ///   then ready for another transaction unless the error says `endsConnection`.
    public mutating func receive(
        _ reply: SMTPReply, on session: inout SMTPSession, into output: inout SMTPEncoder
    ) throws(SMTPError) -> Step {
        switch phase {
        case .mail:
            do {
                try mail.interpret(reply)
            } catch {
                guard session.pendingReplyCount > 0 else { throw finish(error) }
                phase = .refused(error)
                return .awaitReply
            }
            phase = .recipients
            try nameRecipients(on: &session, into: &output)
        case .recipients:
            let path = paths[outcomes.count]
            if reply.isPositiveCompletion { acceptedCount += 1 }
            outcomes.append(
                .init(
                    path: path,
                    outcome: reply.isPositiveCompletion ? .accepted(reply) : .refused(reply)))
            if outcomes.count < paths.count {
                try nameRecipients(on: &session, into: &output)
            } else if acceptedCount > 0 {
                try session.submit(DataCommand(), into: &output)
                phase = .data
            } else {
                let report = report(finalReply: nil)
                return reset(
                    after: SMTPError(kind: .allRecipientsRefused(report), stage: .rcptTo),
                    on: &session, into: &output)
            }
        case .refused(let error):
            if session.pendingReplyCount == 0 { throw finish(error) }
        case .data:
            do {
                try DataCommand().interpret(reply)
            } catch {
                return reset(after: error, on: &session, into: &output)
            }
            phase = .body
            return .sendBody
        case .end:
            do {
                let last = try EndOfData().interpret(reply)
                phase = .done
                return .finished(report(finalReply: last))
            } catch {
                throw finish(error)
            }
        case .resetting(let error):
            throw finish(error)
        case .body, .done:
            throw SMTPError(kind: .outOfOrder("the transaction awaits no reply"), stage: .body)
        }
        return .awaitReply
    }

    /// Says that the last piece of the message is about to be written: submits `EndOfData`, which writes nothing.
    ///
    /// Before and not after that write, since the reply may come while the shell still waits for it to end.
    public mutating func bodyEnds(
        on session: inout SMTPSession, into output: inout SMTPEncoder
    ) throws(SMTPError) {
        try session.submit(EndOfData(), into: &output)
        phase = .end
    }

    /// What to tell the caller when the session failed: a refusal that came before counts for more than
    /// what happened to the RSET after it.
    public func cause(of failure: SMTPError) -> SMTPError {
        switch phase {
        case .refused(let error), .resetting(let error): error
        default: failure
        }
    }

    /// All recipients in the envelope's order.
    private func report(finalReply: SMTPReply?) -> DeliveryReport {
        var recipients = outcomes
        for (index, path) in unreachable {
            recipients.insert(.init(path: path, outcome: .needsSMTPUTF8), at: index)
        }
        return DeliveryReport(recipients: recipients, finalReply: finalReply)
    }

    private mutating func nameRecipients(
        on session: inout SMTPSession, into output: inout SMTPEncoder
    ) throws(SMTPError) {
        while named < paths.count, session.accepts(.rcptTo) {
            try session.submit(RcptTo(paths[named]), into: &output)
            named += 1
        }
    }

    private mutating func reset(
        after error: SMTPError, on session: inout SMTPSession, into output: inout SMTPEncoder
    ) -> Step {
        phase = .resetting(error)
        do {
            try session.submit(Reset(), into: &output)
        } catch {
            // The session has failed: the next reply never comes, and `cause(of:)` has the error.
        }
        return .awaitReply
    }

    private mutating func finish(_ error: SMTPError) -> SMTPError {
        phase = .done
        return error
    }
}
