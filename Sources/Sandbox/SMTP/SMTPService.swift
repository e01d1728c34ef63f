import MartletBytes
import MartletMIME
import MartletSASL
import MartletSMTPCore
import MartletTransport

/// One SMTP connection to the sandbox: the server session and its socket.
actor SMTPService {
    private let channel: ByteChannel
    private let line: ClientLine
    private let sandbox: Sandbox.Shared
    private var session: SMTPServerSession
    private var output: [UInt8] = []
    private var login: (any SASLServerMechanism)?
    private var user: String?
    private var envelope: DeliveryEnvelope?
    /// Who was accepted as a recipient of the message so far.
    private var recipients: [String] = []
    /// The message on its way in, in pieces: one growing array would take up to twice its room.
    private var pieces: [[UInt8]] = []
    private var octetsComing: Int { pieces.reduce(0) { $0 + $1.count } }
    private var isRefused = false

    nonisolated var unownedExecutor: UnownedSerialExecutor {
        channel.loop.asUnownedSerialExecutor()
    }

    init(
        _ channel: ByteChannel, _ sandbox: Sandbox.Shared, isEncrypted: Bool, isLMTP: Bool = false
    ) {
        self.channel = channel
        line = ClientLine(channel)
        self.sandbox = sandbox
        var configuration = sandbox.smtp
        configuration.isLMTP = isLMTP
        // Whoever delivers to a mailbox is not a user.
        if isLMTP { configuration.requiresAuthentication = false }
        configuration.asksBeforeCommands = true
        configuration.changesOffer = { [peer = channel.peer] lines in
            sandbox.told(lines, isLMTP ? .lmtp : .smtp, client: peer)
        }
        session = SMTPServerSession(configuration, isEncrypted: isEncrypted)
    }

    /// Serves the connection to its end.
    func run() async {
        do throws(TransportError) {
            if session.isEncrypted { try await sandbox.startTLS(with: channel) }
            try await greet()
            while !session.isOver {
                let octets = try await line.read(within: sandbox.configuration.silenceLimit)
                guard !octets.isEmpty else { break }
                if await line.isMute { continue }
                session.receive(octets)
                try await act()
            }
        } catch {
            switch error.kind {
            case .timedOut where error.stage == .read:
                await sayGoodbye(4, "you were silent for too long")
            case .cancelled: await sayGoodbye(3, "the sandbox stops")
            default: break
            }
        }
        if session.peerClosed() != nil || !pieces.isEmpty { await dropMessage() }
        await channel.close()
    }

    private func sayGoodbye(_ subject: Int, _ text: String) async {
        let reply = SMTPReply(421, EnhancedStatusCode(4, subject, 2), text)
        if session.close(with: reply, into: &output) != nil { await dropMessage() }
        try? await flush()
    }

    private func flush() async throws(TransportError) {
        guard !output.isEmpty else { return }
        let octets = output
        output.removeAll(keepingCapacity: true)
        try await line.write(octets, within: sandbox.configuration.writeLimit)
    }

    // MARK: Faults

    /// Asks whether something is to go wrong now.
    private func meet(
        _ moment: String, user: String? = nil, _ recipients: [String] = []
    ) async throws(TransportError) -> ClientLine.Verdict {
        let occasion = FaultOccasion(
            spoken: session.configuration.isLMTP ? .lmtp : .smtp, moment: moment,
            user: user ?? self.user, recipients: recipients)
        let struck = sandbox.strike(occasion, client: channel.peer)
        guard !struck.isEmpty else { return ClientLine.Verdict() }
        try await flush()
        return try await line.suffer(struck)
    }

    /// Asks whether something is to go wrong now, and answers if so.
    ///
    /// - Returns: whether nothing more is to be done.
    private func isStruck(
        _ moment: String, user: String? = nil, _ recipients: [String] = []
    ) async throws(TransportError) -> Bool {
        let verdict = try await meet(moment, user: user, recipients)
        guard case .smtp(let reply)? = verdict.reply else { return verdict.isIgnored }
        if reply.code == 421 {
            if session.close(with: reply, into: &output) != nil { await dropMessage() }
        } else {
            session.answer(.refuse(reply), into: &output)
        }
        return true
    }

    private func greet() async throws(TransportError) {
        let verdict = try await meet("GREETING")
        if case .smtp(let reply)? = verdict.reply {
            if reply.isPositiveCompletion {
                reply.encode(into: &output)
            } else {
                _ = session.close(with: reply, into: &output)
            }
        } else if !verdict.isIgnored {
            session.start(into: &output)
        }
        try await flush()
    }

    /// Does what the session wants, until it needs more octets.
    private func act() async throws(TransportError) {
        while let action = session.nextAction(into: &output) {
            switch action {
            case .startTLS:
                try await flush()
                try await sandbox.startTLS(with: channel)
                session.tlsStarted()
                user = nil
            case .authenticate(let mechanism, let response):
                let users = await sandbox.users(
                    "smtp", channel, isEncrypted: session.isEncrypted)
                login = SASLServerMechanisms.make(
                    mechanism, users, offered: session.offeredMechanisms)
                try await answerLogin(response)
            case .authenticationResponse(let response): try await answerLogin(response)
            case .authenticationCancelled: login = nil
            case .command(let verb):
                // Whom RCPT names is known only when it is done.
                if verb != "RCPT",
                    try await isStruck(verb, verb == "DATA" ? recipients : [])
                {
                    break
                }
                session.answer(.accept(), into: &output)
            case .sender:
                recipients = []
                session.answer(.accept(), into: &output)
            case .recipient(let path):
                if try await isStruck("RCPT", [path.description]) { break }
                recipients.append(path.description)
                session.answer(.accept(), into: &output)
            case .messageBegins(let envelope):
                self.envelope = envelope
                isRefused = false
                try await flush()
            case .messagePiece(let piece):
                await take(piece)
                try await line.took(piece.count)
            case .messageEnds: try await keep()
            case .messageDropped: await dropMessage()
            case .close: break
            }
        }
        try await flush()
    }

    // MARK: Logging in

    private func answerLogin(_ response: Secret?) async throws(TransportError) {
        guard let mechanism = login else { return refuseLogin("") }
        var (next, step) = await SandboxLogin.take(response, mechanism)
        login = next
        switch step {
        case .success(.challenge(let challenge)):
            session.answer(.challenge(challenge), into: &output)
        case .success(.verify(let claim)) where sandbox.accepts(claim):
            login = nil
            let user = sandbox.address(of: claim.user)
            if try await isStruck("LOGIN", user: user) { return }
            self.user = user
            session.answer(.accept(), into: &output)
        case .success(.verify(let claim)):
            guard let challenge = next.refuse() else { return refuseLogin(claim.user) }
            login = next
            session.answer(.challenge(challenge), into: &output)
        case .failure: refuseLogin("")
        }
    }

    private func refuseLogin(_ user: String) {
        login = nil
        sandbox.events.yield(.loginRefused(user: user))
        let reply = SMTPReply(
            535, EnhancedStatusCode(5, 7, 8), "the user name or password is wrong")
        session.answer(.refuse(reply), into: &output)
    }

    // MARK: Messages

    /// Octets up to which small pieces are joined.
    private static let pieceSize = 64 * 1024

    private func take(_ piece: [UInt8]) async {
        guard !isRefused else { return }
        if await sandbox.mail.admit(piece.count) {
            if let size = pieces.last?.count, size + piece.count <= Self.pieceSize {
                pieces[pieces.count - 1] += piece
            } else {
                pieces.append(piece)
            }
        } else {
            isRefused = true
            await dropMessage()
        }
    }

    private func keep() async throws(TransportError) {
        guard !isRefused, var envelope else {
            let reply = SMTPReply(452, EnhancedStatusCode(4, 3, 1), "too much mail comes at once")
            return session.answer(.refuse(reply), into: &output)
        }
        var replies: [SMTPReply?] = []
        if session.configuration.isLMTP {
            for path in envelope.forwardPaths {
                let verdict = try await meet("DOT", [path.description])
                if verdict.isIgnored { return }
                if case .smtp(let reply)? = verdict.reply {
                    replies.append(reply)
                } else {
                    replies.append(nil)
                }
            }
            envelope.forwardPaths = zip(envelope.forwardPaths, replies)
                .filter { $0.1 == nil }.map(\.0)
            guard !envelope.forwardPaths.isEmpty else {
                await dropMessage()
                session.answer(.each(replies.compactMap(\.self)), into: &output)
                return closeIfSaid(replies)
            }
        } else if try await isStruck("DOT", recipients) {
            if await !line.isMute { await dropMessage() }
            return
        }
        await deliver(envelope, replies)
        closeIfSaid(replies)
    }

    /// 421 ends a connection.
    private func closeIfSaid(_ replies: [SMTPReply?]) {
        if replies.contains(where: { $0?.code == 421 }) { _ = session.peerClosed() }
    }

    /// Keeps the message that has come.
    ///
    /// - Parameter replies: what recipients are told in the place of a yes, over LMTP.
    private func deliver(_ envelope: DeliveryEnvelope, _ replies: [SMTPReply?]) async {
        let octets = takeMessage()
        let (user, client) = (user, session.clientName ?? "")
        let version = await channel.tls?.version
        do throws(MailProblem) {
            let (kept, dropped) = try await sandbox.mail.deliver { id in
                StoredMessage(
                    id: id, envelope: envelope, octets: octets, received: .now, user: user,
                    clientName: client, tlsVersion: version)
            }
            let yes = SMTPReply(250, EnhancedStatusCode(2, 0, 0), "kept as \(kept.id)")
            session.answer(
                replies.isEmpty ? .accept(yes) : .each(replies.map { $0 ?? yes }), into: &output)
            sandbox.events.yield(.message(kept))
            if dropped > 0 { sandbox.events.yield(.dropped(count: dropped)) }
        } catch {
            let reply = SMTPReply(452, EnhancedStatusCode(4, 3, 1), error.words)
            session.answer(.refuse(reply), into: &output)
        }
    }

    private func takeMessage() -> [UInt8] {
        var octets: [UInt8] = []
        octets.reserveCapacity(octetsComing)
        for piece in pieces { octets += piece }
        pieces = []
        return octets
    }

    private func dropMessage() async {
        let count = octetsComing
        pieces = []
        await sandbox.mail.release(count)
    }
}
