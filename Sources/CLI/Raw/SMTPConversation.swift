import MartletBytes
import MartletDomains
import MartletSMTP
import MartletTransport

/// A connection on which a person types the commands.
///
/// One task listens all the time, so that a server that closes is noticed while the person thinks. The session knows
/// which reply answers what; the listener does the TLS handshake once a `STARTTLS` was agreed to.
actor SMTPConversation {
    /// How long a reply may take.
    private static let replyLimit: Duration = .seconds(300)
    /// How long the reply to the last QUIT may take.
    private static let quitLimit: Duration = .seconds(5)
    /// Octets of message that are gathered before they are written.
    private static let batchInOctets = 32 * 1024

    private let server: SMTPServer
    private let host: String
    private let console: Console
    private let channel: ByteChannel
    private var session: SMTPSession
    private var replies: [SMTPReply] = []
    private var waiter: CheckedContinuation<SMTPReply?, Never>?
    private var hasEnded = false
    private var failure: SMTPError?
    /// What this program says itself, and the answers to that, are remarks and no results.
    private var isOwnCommand = false

    /// Connects, with TLS where it comes first.
    static func open(_ server: SMTPServer, _ console: Console) async throws -> SMTPConversation {
        let isASCII = server.host.utf8.allSatisfy { $0 < 0x80 }
        let host = isASCII ? server.host : try DomainName.toASCII(server.host)
        let channel = try await ByteChannel.connect(
            to: host, port: server.port, within: server.timeouts.connect)
        if server.security == .implicitTLS {
            try await channel.startTLS(server.tls, host: host, port: server.port)
        }
        return SMTPConversation(server, host, console, channel)
    }

    private init(
        _ server: SMTPServer, _ host: String, _ console: Console, _ channel: ByteChannel
    ) {
        self.server = server
        self.host = host
        self.console = console
        self.channel = channel
        session = SMTPSession(isEncrypted: server.security == .implicitTLS)
    }

    /// Closes the connection.
    func close() async { await channel.close() }

    /// Talks until QUIT, the end of the input, or the server's.
    func hold() async throws -> ExitStatus {
        let status = await withTaskGroup(of: ExitStatus?.self) { group in
            group.addTask {
                await self.listen()
                return nil
            }
            group.addTask { await self.talk() }
            // Whoever ends first ends the other: a closed connection the input, the input the connection.
            let first = await group.next() ?? nil
            group.cancelAll()
            let second = await group.next() ?? nil
            return first ?? second
        }
        if let failure { throw failure }
        return status ?? .success
    }

    // MARK: Listening

    private func listen() async {
        while !session.isOver {
            let octets: [UInt8]
            do throws(TransportError) {
                octets = try await channel.read(within: Self.replyLimit)
            } catch {
                switch error.kind {
                case .timedOut where session.pendingReplyCount == 0: continue
                case .timedOut: return end(session.deadlinePassed())
                case .cancelled, .closed: return end(nil)
                default: return end(session.transportFailed(error))
                }
            }
            if octets.isEmpty { return end(session.peerClosed()) }
            session.receive(octets)
            do throws(SMTPError) {
                while let reply = try session.nextReply() {
                    if session.stage == .tlsHandshake { try await startTLS() }
                    take(reply)
                }
            } catch {
                if let reply = error.reply { show(reply) }
                return end(error)
            }
        }
        end(nil)
    }

    private func startTLS() async throws(SMTPError) {
        do throws(TransportError) {
            try await channel.startTLS(server.tls, host: host, port: server.port)
        } catch {
            throw session.transportFailed(error)
        }
        try session.tlsStarted()
    }

    private func take(_ reply: SMTPReply) {
        show(reply)
        if let waiter {
            self.waiter = nil
            waiter.resume(returning: reply)
        } else {
            replies.append(reply)
        }
    }

    private func end(_ error: SMTPError?) {
        hasEnded = true
        if var error, failure == nil {
            error.server = error.server ?? server.host
            failure = error
        }
        waiter?.resume(returning: nil)
        waiter = nil
    }

    /// The next reply; `nil` when none will come.
    private func nextReply() async -> SMTPReply? {
        if !replies.isEmpty { return replies.removeFirst() }
        if hasEnded { return nil }
        return await withCheckedContinuation { waiter = $0 }
    }

    private func show(_ reply: SMTPReply) {
        var octets: [UInt8] = []
        reply.encode(into: &octets)
        let text = String(decoding: octets, as: UTF8.self).replacing("\r\n", with: "\n")
        for line in text.split(separator: "\n") {
            if isOwnCommand {
                console.remark("S: \(line)")
            } else {
                console.output(Console.printable(String(line)))
            }
        }
    }

    // MARK: Talking

    private func talk() async -> ExitStatus {
        guard await nextReply() != nil else { return .success }
        if server.security == .startTLS {
            guard await secure() else { return .protocolFailure }
        }
        var status = ExitStatus.success
        var lines = LineInput().lines()
        while !hasEnded {
            if session.stage == .body {
                guard await sendBody(&lines) else { return .badData }
                continue
            }
            let isChallenged = session.stage == .authentication
            guard let line = await nextLine(&lines, isHidden: isChallenged) else { break }
            guard let text = String(validating: line, as: UTF8.self) else {
                console.remark("That line is not in UTF-8; it was not sent.")
                status = .badData
                continue
            }
            do throws(SMTPError) {
                try await send(try RawCommand(text, isAuthenticationResponse: isChallenged))
            } catch {
                guard case .invalidInput = error.kind else { break }
                console.remark("\(error.description) It was not sent.")
                status = .badData
                continue
            }
            guard await nextReply() != nil else { break }
        }
        await quit()
        return status
    }

    /// EHLO and STARTTLS; the listener does the rest.
    private func secure() async -> Bool {
        isOwnCommand = true
        defer { isOwnCommand = false }
        do throws(SMTPError) {
            try await send(EHLO(server.clientName ?? .loopback))
            guard await nextReply() != nil else { return false }
            guard session.capabilities.has(.startTLS) else {
                throw SMTPError(kind: .tlsRequiredButNotOffered, stage: .startTLS)
            }
            try await send(StartTLS())
            guard let reply = await nextReply() else { return false }
            try StartTLS().interpret(reply)
            return true
        } catch {
            end(error)
            return false
        }
    }

    /// A line of the input, or one that is typed unseen.
    private func nextLine(
        _ lines: inout LineInput.Lines, isHidden: Bool
    ) async -> [UInt8]? {
        guard isHidden, console.isTyped else { return await lines.next() }
        guard case .secret(let secret) = HiddenInput.ask("(not shown) ") else { return nil }
        return secret.withOctets { [UInt8]($0) }
    }

    private func send(_ command: some SMTPCommand) async throws(SMTPError) {
        var output = SMTPEncoder()
        defer { output.removeAll() }
        try session.submit(command, into: &output)
        if isOwnCommand {
            let text = String(decoding: output.redacted, as: UTF8.self)
            console.remark("C: \(text.prefix { !$0.isNewline })")
        }
        try await write(output.octets)
    }

    /// The lines up to the dot, as they are.
    ///
    /// - Returns: whether the dot came.
    private func sendBody(_ lines: inout LineInput.Lines) async -> Bool {
        var batch: [UInt8] = []
        while !hasEnded {
            guard let line = await lines.next() else {
                console.remark(
                    "The input ended inside the message; the connection was closed, so that the "
                        + "server does not take it.")
                return false
            }
            batch += line
            batch += [ASCII.cr, ASCII.lf]
            let isLast = line == [ASCII.dot]
            guard isLast || batch.count >= Self.batchInOctets || lines.isDry else { continue }
            do throws(SMTPError) {
                var nothing = SMTPEncoder()
                if isLast { try session.submit(EndOfData(), into: &nothing) }
                try await write(batch)
            } catch {
                return true  // the listener hears why
            }
            batch.removeAll(keepingCapacity: true)
            if isLast {
                _ = await nextReply()
                return true
            }
        }
        return true
    }

    private func write(_ octets: [UInt8]) async throws(SMTPError) {
        do throws(TransportError) {
            try await channel.write(octets, within: Self.replyLimit)
        } catch {
            throw SMTPError(
                kind: .transport, stage: session.stage, server: server.host, underlying: error)
        }
    }

    /// Says goodbye where that is possible, and does not wait long for the answer.
    private func quit() async {
        guard !hasEnded, session.accepts(.quit) else { return }
        isOwnCommand = true
        do throws(SMTPError) {
            try await send(Quit())
        } catch {
            return
        }
        // Cancelled below, when the answer has come.
        let timer = Task {
            try await Task.sleep(for: Self.quitLimit)
            end(nil)
        }
        _ = await nextReply()
        timer.cancel()
    }
}
