import MartletBytes

/// The client's side of one connection, without the connection. RFC 5321 §3, RFC 2920, RFC 3207.
///
/// It knows which reply belongs to which command, what may be sent when, and when a server lies. Replies come
/// in the order of the commands, so a shell keeps its waiting callers in a plain queue. The first reply is the
/// greeting, which no command asks for.
///
///     var session = SMTPSession()
///     var output = SMTPEncoder()
///
///     // To send: check and encode, then write `output.octets`.
///     try session.submit(EHLO(name), into: &output)
///     write(output.octets); output.removeAll()
///
///     // To receive: give it what was read, take replies until there are none.
///     session.receive(octetsRead)                      // at the end: session.peerClosed()
///     while let reply = try session.nextReply() {      // throws once and for all: close
///         waiters.removeFirst().resume(returning: reply)
///     }
///     let capabilities = try command.interpret(reply)  // in the waiter
///
/// After `StartTLS` succeeded the shell does the handshake, calls `tlsStarted()` and submits `EHLO` again. After
/// `DataCommand` succeeded it writes the message through a `DotStuffer`, and submits `EndOfData` (which writes
/// nothing) before the last piece. `MailTransaction` does a whole message.
public struct SMTPSession: Sendable {
    /// What may come next.
    enum State: Sendable {
        /// Commands may be submitted. → startingTLS, authenticating, announcing, quitting, failed
        case open
        /// STARTTLS waits for its reply. → tlsHandshake (220), open
        case startingTLS
        /// Not one plain octet may come. → open (`tlsStarted`), failed
        case tlsHandshake
        /// AUTH, or an answer to a challenge, waits for its reply. → challenged (334), open
        case authenticating
        /// Only an answer to the challenge may be submitted. → authenticating
        case challenged
        /// DATA waits for its reply. → body (354), open
        case announcing
        /// The message is being sent; only EndOfData may be submitted. → open, failed
        case body
        /// QUIT waits for its reply. → ended
        case quitting
        /// The server said goodbye; whatever comes is ignored.
        case ended
        /// Over, for this reason.
        indirect case failed(SMTPError)
    }

    private(set) var state = State.open
    private var parser = SMTPReplyParser()
    // Commands that wait for a reply, oldest first, from `head` on.
    private var pending: [SMTPStage] = [.greeting]
    private var head = 0

    /// What the server offers. Empty before EHLO, after HELO, and again once TLS has started. RFC 3207 §4.2.
    public private(set) var capabilities = SMTPCapabilities()
    /// Whether what is sent goes through TLS.
    public private(set) var isEncrypted: Bool

    /// Makes a session that waits for the greeting.
    ///
    /// - Parameter isEncrypted: whether TLS was started before SMTP (implicit TLS).
    public init(isEncrypted: Bool = false) { self.isEncrypted = isEncrypted }

    /// The number of replies that are still to come.
    public var pendingReplyCount: Int { pending.count - head }

    /// What the oldest waiting command is about; `.idle` when nothing waits.
    public var stage: SMTPStage {
        if head < pending.count { return pending[head] }
        switch state {
        case .tlsHandshake: return .tlsHandshake
        case .challenged: return .authentication
        case .body: return .body
        default: return .idle
        }
    }

    /// Whether the session is over: by QUIT or by an error.
    public var isOver: Bool {
        switch state {
        case .ended, .failed: true
        default: false
        }
    }

    /// Whether a new transaction may start now: open, idle, nothing waiting.
    public var isIdle: Bool {
        if case .open = state { pendingReplyCount == 0 } else { false }
    }

    /// Whether `submit` would take a command of this stage now without waiting for replies first.
    public func accepts(_ stage: SMTPStage) -> Bool { complaint(about: stage) == nil }

    /// Checks that `command` may be sent now, writes it, and expects its reply.
    ///
    /// Several of MAIL, RCPT and RSET may be submitted before their replies came where the server offers
    /// PIPELINING; NOOP, VRFY, HELP and QUIT may end such a batch. All else waits until nothing is pending.
    /// - Throws: `.outOfOrder` when it may not be sent now, or what ended the session. Nothing was written then.
    public mutating func submit(
        _ command: some SMTPCommand, into output: inout SMTPEncoder
    ) throws(SMTPError) {
        let stage = command.stage
        if let complaint = complaint(about: stage) { throw complaint }
        try refuseEarlyReplies()
        command.encode(into: &output)
        if head == pending.count {
            pending.removeAll(keepingCapacity: true)
            head = 0
        }
        pending.append(stage)
        switch stage {
        case .startTLS: state = .startingTLS
        case .authentication: state = .authenticating
        case .data: state = .announcing
        case .endOfData: state = .open
        case .quit: state = .quitting
        default: break
        }
    }

    /// What came before anything was asked cannot be an answer: taken for one, it would shift all that follow.
    private mutating func refuseEarlyReplies() throws(SMTPError) {
        guard case .open = state, head == pending.count, parser.hasBufferedOctets else { return }
        _ = try nextReply()  // throws, unless it is not whole
        throw fail(
            .protocolViolation("said something that nothing asked for: \"\(parser.excerpt)\""))
    }

    private func complaint(about stage: SMTPStage) -> SMTPError? {
        let reason: String
        switch state {
        case .failed(let error): return error
        case .open:
            if stage == .endOfData {
                reason = "no message is being sent"
            } else if stage == .startTLS && isEncrypted {
                reason = "TLS has started already"
            } else if head == pending.count
                || stage.mayFollow && pending[pending.count - 1].mayBeFollowed
                    && capabilities.supportsPipelining
            {
                return nil
            } else {
                reason = "a reply is still to come"
            }
        case .challenged:
            if stage == .authentication { return nil }
            reason = "a login is under way"
        case .body:
            if stage == .endOfData { return nil }
            reason = "a message is being sent"
        case .startingTLS, .tlsHandshake: reason = "TLS is being started"
        case .authenticating: reason = "a login is under way"
        case .announcing: reason = "the reply to DATA is still to come"
        case .quitting, .ended: reason = "the session was ended by QUIT"
        }
        return SMTPError(kind: .outOfOrder(reason), stage: stage)
    }

    /// Takes octets as they were read. Then call `nextReply()` until it gives `nil`.
    public mutating func receive(_ octets: [UInt8]) {
        octets.withUnsafeBufferPointer { receive($0) }
    }

    /// Takes octets as they were read. Then call `nextReply()` until it gives `nil`.
    public mutating func receive(_ octets: ArraySlice<UInt8>) {
        octets.withUnsafeBufferPointer { receive($0) }
    }

    /// Takes octets as they were read. Then call `nextReply()` until it gives `nil`.
    public mutating func receive(_ octets: UnsafeBufferPointer<UInt8>) {
        switch state {
        case .failed, .ended: return
        default: parser.append(octets)
        }
    }

    /// The next reply, which answers the oldest waiting command; `nil` when more octets are needed.
    ///
    /// - Throws: what ended the session: 421 at any time (`.serviceClosing`), a reply that nobody asked for, octets
    ///   that are no reply, plain octets after the reply to STARTTLS (`.injectedPlaintext`). Throws the same
    ///   again when called again; all waiting commands have failed with it.
    public mutating func nextReply() throws(SMTPError) -> SMTPReply? {
        switch state {
        case .failed(let error): throw error
        case .ended: return nil
        case .tlsHandshake:
            if parser.hasBufferedOctets { throw fail(.injectedPlaintext) }
            return nil
        default: break
        }
        let next: SMTPReply?
        do {
            next = try parser.next()
        } catch {
            throw fail(.protocolViolation(error.description))
        }
        guard let reply = next else { return nil }
        if reply.code == 421 { throw fail(.serviceClosing(reply)) }
        guard head < pending.count else {
            // A server may cut a message short with a refusal: then the two are out of step.
            if case .body = state { throw fail(.refused(reply)) }
            throw fail(.protocolViolation("sent a reply that nothing asked for: \(reply)"))
        }
        let stage = pending[head]
        head += 1
        switch stage {
        case .ehlo, .helo:
            if reply.isPositiveCompletion {
                capabilities = stage == .ehlo ? SMTPCapabilities(ehlo: reply) : SMTPCapabilities()
            }
        case .startTLS:
            state = reply.code == 220 ? .tlsHandshake : .open
            if reply.code == 220, parser.hasBufferedOctets { throw fail(.injectedPlaintext) }
        case .authentication: state = reply.code == 334 ? .challenged : .open
        case .data: state = reply.code == 354 ? .body : .open
        case .quit: state = .ended
        case .greeting where reply.isPermanentFailure:
            // 554: no mail is taken here. RFC 5321 §3.1.
            throw fail(SMTPError(kind: .serviceClosing(reply), stage: .greeting))
        default: break
        }
        return reply
    }

    /// Says that the TLS handshake succeeded: what the server said before it is forgotten.
    ///
    /// - Throws: `.outOfOrder` unless the server has agreed to STARTTLS; `.injectedPlaintext` when plain octets
    ///   came after that.
    public mutating func tlsStarted() throws(SMTPError) {
        guard case .tlsHandshake = state else {
            if case .failed(let error) = state { throw error }
            throw SMTPError(
                kind: .outOfOrder("TLS starts after the reply to STARTTLS"), stage: .tlsHandshake)
        }
        if parser.hasBufferedOctets { throw fail(.injectedPlaintext) }
        capabilities = SMTPCapabilities()
        isEncrypted = true
        state = .open
    }

    /// Says that the server closed its side.
    ///
    /// - Returns: the error of everything that waits; `nil` when the end was due (after QUIT).
    public mutating func peerClosed() -> SMTPError? {
        switch state {
        case .failed(let error): return error
        case .ended: return nil
        case .quitting where pendingReplyCount == 1 && !parser.hasBufferedOctets:
            // Many servers close on QUIT without their 221.
            state = .ended
            return nil
        default:
            if head == 0, pending.first == .greeting, parser.hasBufferedOctets {
                return fail(.protocolViolation("sent \"\(parser.excerpt)\" and closed"))
            }
            return fail(.unexpectedClose)
        }
    }

    /// Says that an answer did not come in time.
    ///
    /// - Returns: the error of everything that waits.
    public mutating func deadlinePassed() -> SMTPError { fail(.timeout) }

    /// Says that a caller went away with replies still to come.
    ///
    /// - Returns: the error of everything that waits.
    public mutating func cancelled() -> SMTPError { fail(.cancelled) }

    /// Says that reading or writing failed, or TLS did.
    ///
    /// - Returns: the error of everything that waits.
    public mutating func transportFailed(
        _ cause: any Error, recovery: SMTPRecovery? = nil
    ) -> SMTPError {
        if case .failed(let error) = state { return error }
        return fail(
            SMTPError(kind: .transport, stage: stage, underlying: cause, recovery: recovery))
    }

    /// Says that the message could not be read to its end: the connection must be closed, so that the server
    /// does not take half a message for a whole one.
    ///
    /// - Returns: the error of everything that waits.
    public mutating func bodyFailed(_ cause: any Error) -> SMTPError {
        if case .failed(let error) = state { return error }
        return fail(SMTPError(kind: .unreadableMessage, stage: .body, underlying: cause))
    }

    private mutating func fail(_ kind: SMTPError.Kind) -> SMTPError {
        if case .failed(let error) = state { return error }
        return fail(SMTPError(kind: kind, stage: stage))
    }

    private mutating func fail(_ error: SMTPError) -> SMTPError {
        state = .failed(error)
        return error
    }
}
