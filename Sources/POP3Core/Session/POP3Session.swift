import MartletBytes

/// The client's side of one connection, without the connection. RFC 1939, RFC 2449 §6.6, RFC 2595 §4.
///
/// It knows which reply belongs to which command, what may be sent when, and when a server lies. Replies come in the order
/// of the commands, so a shell keeps its waiting callers in a plain queue. The first reply is the greeting, which no
/// command asks for.
///
///     var session = POP3Session()
///     var output = POP3Encoder()
///
///     // To send: check and encode, then write `output.octets`.
///     try session.submit(POP3.Retr(1), into: &output)
///     write(output.octets); output.removeAll()
///
///     // To receive: give it what was read, take events until there are none.
///     session.receive(octetsRead)                      // at the end: session.peerClosed()
///     while let event = try session.nextEvent() { …    // throws once and for all: close
///
/// After `Stls` succeeded the shell does the handshake, calls `tlsStarted()` and submits `Capa` again.
public struct POP3Session: Sendable {
    /// Most octets of a reply's first line without its end. RFC 2449 §4 has 512; real ones are longer.
    public static let lineLimitInOctets = 8 * 1024
    /// Most octets of the lines that follow one: a listing of a million messages fits.
    public static let listingLimitInOctets = 64 << 20
    /// Most commands that wait for their replies. Few enough that they fit into the buffers between client and server, so that
    /// neither waits for the other to read.
    public static let pipelineLimit = 256

    /// What may come next.
    enum State: Sendable {
        /// Commands may be submitted. → startingTLS, authenticating, quitting, failed
        case open
        /// STLS waits for its reply. → tlsHandshake (+OK), open
        case startingTLS
        /// Not one plain octet may come. → open (`tlsStarted`), failed
        case tlsHandshake
        /// AUTH, or an answer to a challenge, waits for its reply. → challenged (+), open
        case authenticating(responsesDue: Int)
        /// Only an answer to the challenge may be submitted. → authenticating
        case challenged(responsesDue: Int)
        /// QUIT waits for its reply. → ended
        case quitting
        /// The server said goodbye; whatever comes is ignored.
        case ended
        /// Over, for this reason.
        indirect case failed(POP3Error)
    }

    /// What follows a first line.
    private enum Content: Sendable {
        case none
        /// Lines are gathered; behind them the reply is whole.
        case lines(POP3Reply)
        case message
    }

    private struct Pending: Sendable {
        var name: String
        var answer: POP3Answer
        var effect: POP3Effect
    }

    private(set) var state = State.open
    private var content = Content.none
    private var unstuffer = DotUnstuffer()
    private var gathered: [UInt8] = []
    private var reader = POP3LineReader()
    // Commands that wait for a reply, oldest first, from `head` on.
    private var pending = [Pending(name: POP3Error.greeting, answer: .line, effect: .none)]
    private var head = 0

    /// What the server offers. Empty before CAPA, and again once TLS has started. RFC 2595 §4.
    public private(set) var capabilities = POP3Capabilities()
    /// Whether what is sent goes through TLS.
    public private(set) var isEncrypted: Bool
    /// Whether a login succeeded: the maildrop is open.
    public private(set) var isAuthenticated = false
    /// Messages that are marked for deletion, and stay until QUIT.
    public private(set) var markedCount = 0

    /// Makes a session that waits for the greeting.
    ///
    /// - Parameter isEncrypted: whether TLS was started before POP3 (implicit TLS).
    public init(isEncrypted: Bool = false) { self.isEncrypted = isEncrypted }

    /// The number of replies that are still to come.
    public var pendingReplyCount: Int { pending.count - head }

    /// What the oldest waiting command is called; `nil` when nothing waits.
    public var activity: String? {
        if head < pending.count { return pending[head].name }
        switch state {
        case .tlsHandshake: return "the TLS handshake"
        case .challenged: return "AUTH"
        default: return nil
        }
    }

    /// Whether the session is over: by QUIT or by an error.
    public var isOver: Bool {
        switch state {
        case .ended, .failed: true
        default: false
        }
    }

    /// Whether nothing is under way.
    public var isIdle: Bool {
        if case .open = state { pendingReplyCount == 0 } else { false }
    }

    /// Whether lines or a message are coming: they may take long, as long as they come.
    package var isWithinContent: Bool {
        if case .none = content { false } else { true }
    }

    // MARK: Sending

    /// Whether `submit` would take `command` now without waiting for replies first.
    public func accepts(_ command: some POP3Command) -> Bool { complaint(about: command) == nil }

    /// Checks that `command` may be sent now, writes it, and expects its reply.
    ///
    /// Where the server offers PIPELINING, up to `pipelineLimit` commands may wait for their replies; a login, AUTH, STLS and
    /// QUIT are the last ones then. Elsewhere each waits for the reply to the one before.
    /// - Throws: `.outOfOrder` when it may not be sent now, or what ended the session. Nothing was written then.
    public mutating func submit(
        _ command: some POP3Command, into output: inout POP3Encoder
    ) throws(POP3Error) {
        if let complaint = complaint(about: command) { throw complaint }
        try refuseEarlyReplies()
        command.encode(into: &output)
        if head == pending.count {
            pending.removeAll(keepingCapacity: true)
            head = 0
        }
        pending.append(
            Pending(name: command.name, answer: command.answer, effect: command.effect))
        switch (command.effect, state) {
        case (.startTLS, _): state = .startingTLS
        case (.authentication(let due), _): state = .authenticating(responsesDue: due)
        case (.authenticationResponse, .challenged(let due)):
            state = .authenticating(responsesDue: due - 1)
        case (.quit, _): state = .quitting
        default: break
        }
    }

    /// What came before anything was asked cannot be an answer: taken for one, it would shift all that follow.
    private mutating func refuseEarlyReplies() throws(POP3Error) {
        guard case .open = state, head == pending.count, reader.hasOctets else { return }
        _ = try nextEvent()  // throws, unless it is not whole
        throw fail(
            .protocolViolation("said something that nothing asked for: \"\(reader.excerpt)\""))
    }

    private func complaint(about command: some POP3Command) -> POP3Error? {
        let reason: String
        let effect = command.effect
        switch state {
        case .failed(let error): return error
        case .open:
            if effect == .authenticationResponse {
                reason = "no login is under way"
            } else if effect == .startTLS && (isEncrypted || isAuthenticated) {
                reason = isEncrypted ? "TLS has started already" : "TLS starts before a login"
            } else if head == pending.count {
                return nil
            } else if pendingReplyCount < Self.pipelineLimit, capabilities.supportsPipelining,
                effect.mayFollow, pending[pending.count - 1].effect.mayBeFollowed
            {
                return nil
            } else {
                reason = "a reply is still to come"
            }
        case .challenged:
            if effect == .authenticationResponse { return nil }
            reason = "a login is under way"
        case .startingTLS, .tlsHandshake: reason = "TLS is being started"
        case .authenticating: reason = "a login is under way"
        case .quitting, .ended: reason = "the session was ended by QUIT"
        }
        return POP3Error(kind: .outOfOrder(reason), command: command.name)
    }

    // MARK: Receiving

    /// Takes octets as they were read. Then call `nextEvent()` until it gives `nil`.
    public mutating func receive(_ octets: [UInt8]) {
        switch state {
        case .failed, .ended: return
        default: if !octets.isEmpty { reader.append(octets) }
        }
    }

    /// The next event; `nil` when more octets are needed.
    ///
    /// - Throws: what ended the session: words that nothing asked for (`.serviceClosing`), octets that are no reply, plain
    ///   octets after the reply to STLS (`.injectedPlaintext`). Throws the same again when called again; all waiting
    ///   commands have failed with it.
    public mutating func nextEvent() throws(POP3Error) -> POP3Event? {
        switch state {
        case .failed(let error): throw error
        case .ended: return nil
        case .tlsHandshake:
            if reader.hasOctets { throw fail(.injectedPlaintext) }
            return nil
        default: break
        }
        switch content {
        case .none: return try nextReply()
        case .lines(let reply): return try nextLines(reply)
        case .message: return nextOctets()
        }
    }

    private mutating func nextReply() throws(POP3Error) -> POP3Event? {
        let next: POP3Reply?
        do throws(POP3ReplyFailure) {
            next = try reader.nextReply(within: Self.lineLimitInOctets)
        } catch {
            throw fail(.protocolViolation(error.description))
        }
        guard var reply = next else { return nil }
        guard head < pending.count else {
            // Servers say why they close an idle session.
            if reply.status == .error { throw fail(.serviceClosing(reply)) }
            throw fail(.protocolViolation("sent a reply that nothing asked for: \(reply)"))
        }
        let command = pending[head]
        if case .authenticating(let due) = state {
            // QUIRK(ok-as-challenge): `+OK` where the mechanism cannot be done yet is a challenge.
            if reply.isOK, due > 0 { reply = POP3Reply(.challenge, octets: reply.octets) }
        } else if reply.status == .challenge {
            throw fail(.protocolViolation("gave an answer that makes no sense here: \(reply)"))
        }
        guard reply.isOK else {
            head += 1
            try take(refusal: reply, of: command)
            return .reply(reply)
        }
        // QUIRK(pop3-bare-lf): whoever ends the first line with LF alone ends all lines so; else a bare LF is data.
        unstuffer = DotUnstuffer(endsLinesAtLF: reader.lineEndsAtLF)
        switch command.answer {
        case .line:
            head += 1
            try take(success: reply, of: command)
            return .reply(reply)
        case .lines:
            content = .lines(reply)
            return try nextLines(reply)
        case .message:
            content = .message
            return .reply(reply)
        }
    }

    private mutating func nextLines(_ reply: POP3Reply) throws(POP3Error) -> POP3Event? {
        reader.takeContent(&unstuffer, to: &gathered)
        guard gathered.count <= Self.listingLimitInOctets else {
            throw fail(
                .protocolViolation("sent a list of more than \(Self.listingLimitInOctets) octets"))
        }
        guard unstuffer.isAtEnd else { return nil }
        var reply = reply
        reply.body = gathered
        gathered = []
        content = .none
        let command = pending[head]
        head += 1
        try take(success: reply, of: command)
        return .reply(reply)
    }

    private mutating func nextOctets() -> POP3Event? {
        var octets: [UInt8] = []
        if !unstuffer.isAtEnd { reader.takeContent(&unstuffer, to: &octets) }
        if !octets.isEmpty { return .octets(octets) }
        guard unstuffer.isAtEnd else { return nil }
        content = .none
        head += 1
        return .messageEnds
    }

    private mutating func take(
        success reply: POP3Reply, of command: Pending
    ) throws(POP3Error) {
        switch command.effect {
        case .none: break
        case .capabilities: capabilities = POP3Capabilities(reply)
        case .startTLS:
            state = .tlsHandshake
            if reader.hasOctets { throw fail(.injectedPlaintext) }
        case .authentication, .authenticationResponse:
            isAuthenticated = true
            state = .open
        case .login: isAuthenticated = true
        case .deletion: markedCount += 1
        case .reset: markedCount = 0
        case .quit:
            markedCount = 0
            state = .ended
        }
    }

    private mutating func take(
        refusal reply: POP3Reply, of command: Pending
    ) throws(POP3Error) {
        switch (command.effect, state) {
        case (_, .authenticating(let due)):
            state = reply.status == .challenge ? .challenged(responsesDue: due) : .open
        case (.startTLS, _): state = .open
        case (.quit, _): state = .ended
        default:
            guard command.name == POP3Error.greeting else { break }
            throw fail(POP3Error(kind: .serviceClosing(reply), command: POP3Error.greeting))
        }
    }

    // MARK: What happens to the connection

    /// Says that the TLS handshake succeeded: what the server said before it is forgotten.
    ///
    /// - Throws: `.outOfOrder` unless the server has agreed to STLS; `.injectedPlaintext` when plain octets came after that.
    public mutating func tlsStarted() throws(POP3Error) {
        guard case .tlsHandshake = state else {
            if case .failed(let error) = state { throw error }
            throw POP3Error(
                kind: .outOfOrder("TLS starts after the reply to STLS"), command: "STLS")
        }
        if reader.hasOctets { throw fail(.injectedPlaintext) }
        capabilities = POP3Capabilities()
        isEncrypted = true
        state = .open
    }

    /// Says that the server closed its side.
    ///
    /// - Returns: the error of everything that waits; `nil` when the end was due (after QUIT).
    public mutating func peerClosed() -> POP3Error? {
        switch state {
        case .failed(let error): return error
        case .ended: return nil
        case .quitting where pendingReplyCount == 1 && !reader.hasOctets && markedCount == 0:
            // Many servers close on QUIT without a word.
            state = .ended
            return nil
        default:
            if head == 0, pending.first?.name == POP3Error.greeting, reader.hasOctets {
                return fail(.protocolViolation("sent \"\(reader.excerpt)\" and closed"))
            }
            return fail(.unexpectedClose)
        }
    }

    /// Says that an answer did not come in time.
    ///
    /// - Returns: the error of everything that waits.
    public mutating func deadlinePassed() -> POP3Error { fail(.timeout) }

    /// Says that a caller went away with replies still to come.
    ///
    /// - Returns: the error of everything that waits.
    public mutating func cancelled() -> POP3Error { fail(.cancelled) }

    /// Says that reading or writing failed, or TLS did.
    ///
    /// - Returns: the error of everything that waits.
    public mutating func transportFailed(
        _ cause: any Error, recovery: POP3Recovery? = nil
    ) -> POP3Error {
        fail(
            POP3Error(
                kind: .transport, command: activity, underlying: cause, recovery: recovery))
    }

    private mutating func fail(_ kind: POP3Error.Kind) -> POP3Error {
        fail(POP3Error(kind: kind, command: activity))
    }

    private mutating func fail(_ error: POP3Error) -> POP3Error {
        if case .failed(let first) = state { return first }
        var error = error
        error.lostDeletionCount = markedCount
        state = .failed(error)
        return error
    }
}
