import MartletBytes
import MartletIMAPCore
import MartletPOP3Core
import MartletSASL
import MartletTransport

/// One POP3 connection to the sandbox: the server session and its socket. The maildrop is the user's INBOX.
actor POP3Service {
    private let channel: ByteChannel
    private let line: ClientLine
    private let sandbox: Sandbox.Shared
    private var session: POP3ServerSession
    private var output: [UInt8] = []
    private var login: (any SASLServerMechanism)?
    private var user: String?
    /// The messages of the maildrop, in the order of their numbers.
    private var messages: [MailEntry] = []
    private var uidValidity: UIDValidity?
    /// Octets that are missing at the end of the message that is asked for.
    private var cutInOctets = 0

    nonisolated var unownedExecutor: UnownedSerialExecutor {
        channel.loop.asUnownedSerialExecutor()
    }

    init(_ channel: ByteChannel, _ sandbox: Sandbox.Shared, isEncrypted: Bool) {
        self.channel = channel
        line = ClientLine(channel)
        self.sandbox = sandbox
        var configuration = POP3ServerConfiguration(greeting: "Martlet sandbox ready")
        configuration.offersSTLS = true
        configuration.mechanisms = sandbox.mechanisms
        // Nothing leaves the machine, and the passwords are made up.
        configuration.allowsPlaintextAuthentication = true
        // A digest needs a password that is known, not just any.
        if !sandbox.configuration.users.isEmpty {
            let now = WallClock.now
            configuration.timestamp =
                "<\(now.secondsSinceEpoch).\(now.nanoseconds)@\(Sandbox.hostName)>"
        }
        configuration.asksBeforeCommands = true
        configuration.changesOffer = { [peer = channel.peer] lines in
            sandbox.told(lines, .pop3, client: peer)
        }
        session = POP3ServerSession(configuration, isEncrypted: isEncrypted)
    }

    /// Serves the connection to its end.
    func run() async {
        do throws(TransportError) {
            if session.isEncrypted { try await sandbox.startTLS(with: channel) }
            try await greet()
            while !session.isOver {
                let octets = try await line.read(within: silenceLimit)
                guard !octets.isEmpty else { break }
                if await line.isMute { continue }
                session.receive(octets)
                try await act()
            }
        } catch {
            switch error.kind {
            case .timedOut where error.stage == .read:
                await sayGoodbye("you were silent for too long")
            case .cancelled: await sayGoodbye("the sandbox stops")
            default: break
            }
        }
        if session.peerClosed() != nil { await release() }
        await release()
        await channel.close()
    }

    private var silenceLimit: Duration {
        session.isAuthenticated ? sandbox.configuration.idleLimit : sandbox.configuration.loginLimit
    }

    private func sayGoodbye(_ text: String) async {
        _ = session.close(with: .error(nil, text), into: &output)
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
        _ moment: String, user: String? = nil
    ) async throws(TransportError) -> ClientLine.Verdict {
        let occasion = FaultOccasion(
            spoken: .pop3, moment: moment, user: user ?? self.user,
            mailbox: user ?? self.user == nil ? nil : "INBOX")
        let struck = sandbox.strike(occasion, client: channel.peer)
        guard !struck.isEmpty else { return ClientLine.Verdict() }
        try await flush()
        return try await line.suffer(struck)
    }

    private func greet() async throws(TransportError) {
        let verdict = try await meet("GREETING")
        if case .pop3(let reply)? = verdict.reply {
            if reply.isOK {
                reply.encode(into: &output)
            } else {
                _ = session.close(with: reply, into: &output)
            }
        } else if !verdict.isIgnored {
            session.start(into: &output)
        }
        try await flush()
    }

    /// A command came.
    private func command(_ verb: String) async throws(TransportError) {
        let verdict = try await meet(verb)
        cutInOctets = verdict.cutInOctets
        if case .pop3(let reply)? = verdict.reply {
            session.answer(.refuse(reply), into: &output)
        } else if !verdict.isIgnored {
            session.answer(.accept, into: &output)
        }
    }

    /// Does what the session wants, until it needs more octets.
    private func act() async throws(TransportError) {
        while let action = session.nextAction(into: &output) {
            switch action {
            case .startTLS:
                try await flush()
                try await sandbox.startTLS(with: channel)
                session.tlsStarted()
            case .authenticate(let mechanism, let response):
                let users = await sandbox.users(
                    "pop", channel, isEncrypted: session.isEncrypted)
                login = SASLServerMechanisms.make(
                    mechanism, users, offered: sandbox.mechanisms)
                try await answerLogin(response)
            case .authenticationResponse(let response): try await answerLogin(response)
            case .authenticationCancelled: login = nil
            case .command(let verb): try await command(verb)
            case .logIn(let claim): try await logIn(claim)
            case .retrieve(let number, _): try await give(number)
            case .commit(let numbers): await commit(numbers)
            case .released: await release()
            case .flush: try await flush()
            case .close: break
            }
        }
        try await flush()
    }

    // MARK: Logging in

    private func logIn(_ claim: POP3Login) async throws(TransportError) {
        let isRight: Bool =
            switch claim {
            case .password(let user, let password):
                sandbox.accepts(SASLLogin(user: user, proof: .password(password)))
            case .digest(let user, _): sandbox.password(of: user).map(claim.isRight) ?? false
            }
        guard isRight else { return refuseLogin(claim.user) }
        try await open(claim.user)
    }

    private func answerLogin(_ response: Secret?) async throws(TransportError) {
        guard let mechanism = login else { return refuseLogin("") }
        var (next, step) = await SandboxLogin.take(response, mechanism)
        login = next
        switch step {
        case .success(.challenge(let challenge)):
            session.answer(.challenge(challenge), into: &output)
        case .success(.verify(let claim)) where sandbox.accepts(claim): try await open(claim.user)
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
        let refusal = POP3Reply.error(.authentication, "the user name or password is wrong")
        session.answer(.refuse(refusal), into: &output)
    }

    private func open(_ name: String) async throws(TransportError) {
        login = nil
        let address = sandbox.mail.rules.address(of: name)
        let verdict = try await meet("LOGIN", user: address)
        if verdict.isIgnored { return }
        if case .pop3(let reply)? = verdict.reply {
            return session.answer(.refuse(reply), into: &output)
        }
        if verdict.renewsUIDs { await sandbox.mail.renewUIDs(in: .inbox, of: address) }
        guard let inbox = await sandbox.mail.lockMaildrop(of: address) else {
            let refusal = POP3Reply.error(.inUse, "somebody else reads this maildrop")
            return session.answer(.refuse(refusal), into: &output)
        }
        user = address
        messages = inbox.messages
        uidValidity = inbox.uidValidity
        session.answer(
            .open(
                ServedMaildrop(
                    messages.compactMap { message in
                        UniqueID("\(inbox.uidValidity).\(message.uid)").map {
                            .init(sizeInOctets: message.content.sizeInOctets, uniqueID: $0)
                        }
                    })), into: &output)
    }

    // MARK: Messages

    private func give(_ number: Int) async throws(TransportError) {
        guard let user, messages.indices.contains(number - 1),
            let octets = await sandbox.mail.octets(
                of: messages[number - 1], in: .inbox, of: user)
        else {
            return session.answer(.refuse(.error(nil, "the message is gone")), into: &output)
        }
        var rest = octets.dropLast(cutInOctets)
        while !rest.isEmpty {
            let piece = rest.prefix(Self.pieceInOctets)
            rest = rest.dropFirst(piece.count)
            guard session.messagePiece(piece, into: &output) else { break }
            if !rest.isEmpty { try await flush() }
        }
        session.messageEnds(into: &output)
    }

    /// Octets of a message that are written at once.
    private static let pieceInOctets = 64 * 1024

    private func commit(_ numbers: [Int]) async {
        // UIDs that were renewed meanwhile are those of other messages.
        if let user, await sandbox.mail.mailbox(.inbox, of: user)?.uidValidity == uidValidity {
            let uids = numbers.filter { messages.indices.contains($0 - 1) }
                .map { messages[$0 - 1].uid }
            await sandbox.mail.expunge(UIDSet(uids), from: .inbox, of: user)
        }
        await release()
        session.answer(.accept, into: &output)
    }

    private func release() async {
        guard let user else { return }
        self.user = nil
        messages = []
        await sandbox.mail.unlockMaildrop(of: user)
    }
}

extension MailSystem {
    /// Opens an INBOX for one POP3 session; `nil` while another has it. RFC 1939 §8.
    func lockMaildrop(of address: String) -> Mailbox? {
        refresh(.inbox, of: address)
        return change(address) { account in
            guard !account.isMaildropLocked else { return nil }
            account.isMaildropLocked = true
            return account[.inbox]
        }
    }

    /// The session is over.
    func unlockMaildrop(of address: String) { change(address) { $0.isMaildropLocked = false } }
}
