import MartletBytes
import MartletIMAPCore
import MartletTransport

/// Which command is done where.
extension IMAPService {
    /// Takes a line with its literals: a command, an answer to a challenge, or the end of IDLE.
    func take(
        _ frame: ResponseFrame, _ literals: [any OctetSource]
    ) async throws(TransportError) {
        if await line.isMute { return }
        if login != nil { return try await continueLogin(frame.octets) }
        if let tag = idleTag { return await endIdle(tag, frame.octets) }
        let received: ReceivedCommand
        do throws(CommandProblem) {
            received = try parser.parse(frame, literals: literals)
        } catch {
            if let tag = error.tag {
                answer(tag, error.condition, error.text.code, error.text.words)
            } else {
                say(.bad, error.text.code, error.text.words)
            }
            return
        }
        guard mayRun(received) else { return }
        guard !literals.contains(where: { $0 is RefusedLiteral }) else {
            return answer(received.tag, .no, .overQuota, "Too much mail comes at once")
        }
        guard try await mayPass(received) else { return }
        if received.command.command.scope == .selected, await !isUpToDate() { return }
        try await run(received.tag, received.command)
        cutInOctets = 0
        try await flushIfLarge()
    }

    /// Whether the connection is in the state that the command needs; else it is answered. RFC 9051 §3.
    private func mayRun(_ received: ReceivedCommand) -> Bool {
        switch received.command.command.scope {
        case .anyTime: return true
        case .notAuthenticated where user == nil: return true
        case .notAuthenticated: answer(received.tag, .bad, nil, "You are logged in already")
        case .authenticated where user != nil, .selected where view != nil: return true
        case .authenticated: answer(received.tag, .bad, nil, "Log in first")
        case .selected:
            answer(received.tag, .bad, nil, user == nil ? "Log in first" : "Select a mailbox first")
        }
        return false
    }

    private func run(_ tag: String, _ command: ClientCommand) async throws(TransportError) {
        switch command {
        case .capability:
            encoder.append(.capability(toldCapabilities))
            answer(tag, .ok, "Done")
        case .noop, .check:
            await refresh()
            await tellNews(mayShrink: true)
            answer(tag, .ok, "Done")
        case .logout:
            say(.bye, nil, "Until next time")
            answer(tag, .ok, "Done")
            end()
        case .identify: identify(tag)
        case .startTLS: try await startTLS(tag)
        case .login(let command): try await logIn(tag, command)
        case .authenticate(let command): try await authenticate(tag, command)
        case .enable(let command): await enable(tag, command)
        case .compress: try await compress(tag)
        case .unauthenticate: await unauthenticate(tag)
        case .idle: await idle(tag)
        default: try await runAfterLogin(tag, command)
        }
    }

    private func runAfterLogin(_ tag: String, _ command: ClientCommand) async throws(TransportError)
    {
        guard let user else { return }
        switch command {
        case .select(let command): await select(tag, command, user)
        case .create(let command): await create(tag, command, user)
        case .delete(let command):
            await change(tag) { (mail) async throws(MailProblem) in
                try await mail.delete(command.mailbox, of: user)
            }
        case .rename(let command):
            await change(tag) { (mail) async throws(MailProblem) in
                try await mail.rename(command.mailbox, to: command.newName, of: user)
            }
        case .subscribe(let command):
            await change(tag) { (mail) async throws(MailProblem) in
                try await mail.subscribe(command.mailbox, true, of: user)
            }
        case .unsubscribe(let command):
            await change(tag) { (mail) async throws(MailProblem) in
                try await mail.subscribe(command.mailbox, false, of: user)
            }
        case .list(let command): await list(tag, command, user)
        case .listSubscribed(let command): await listSubscribed(tag, command, user)
        case .namespace: namespaces(tag)
        case .status(let command): await status(tag, command, user)
        case .append(let command): await append(tag, command, user)
        case .getQuota(let command): await quota(tag, root: command.root, user)
        case .getQuotaRoot(let command): await quotaRoot(tag, command.mailbox, user)
        case .getMetadata(let command): await metadata(tag, command, user)
        case .setMetadata(let command): await setMetadata(tag, command, user)
        default: try await runSelected(tag, command, user)
        }
    }

    private func runSelected(
        _ tag: String, _ command: ClientCommand, _ user: String
    ) async throws(TransportError) {
        switch command {
        case .close: await close(tag, user, expunges: true)
        case .unselect: await close(tag, user, expunges: false)
        case .expunge: await expunge(tag, nil, user)
        case .uidExpunge(let command): await expunge(tag, command.messages, user)
        case .fetch(let command): try await fetch(tag, command, user)
        case .uidFetch(let command): try await fetch(tag, command, user)
        case .store(let command): await store(tag, command, user)
        case .uidStore(let command): await store(tag, command, user)
        case .copy(let command):
            await copy(tag, command.messages, command.mailbox, user, moves: false)
        case .uidCopy(let command):
            await copy(tag, command.messages, command.mailbox, user, moves: false)
        case .move(let command):
            await copy(tag, command.messages, command.mailbox, user, moves: true)
        case .uidMove(let command):
            await copy(tag, command.messages, command.mailbox, user, moves: true)
        case .search(let command): await search(tag, command)
        case .uidSearch(let command): await search(tag, command)
        case .sort(let command): await sort(tag, command)
        case .uidSort(let command): await sort(tag, command)
        case .thread(let command): await thread(tag, command)
        case .uidThread(let command): await thread(tag, command)
        default: answer(tag, .bad, nil, "The sandbox does not know that command")
        }
    }

    /// Something that works or has a reason why not.
    private func change(
        _ tag: String, _ body: (MailSystem) async throws(MailProblem) -> Void
    ) async {
        do throws(MailProblem) {
            try await body(sandbox.mail)
            await tellNews(mayShrink: true)
            answer(tag, .ok, "Done")
        } catch {
            answer(tag, error)
        }
    }

    /// Whether the UIDs that the client knows are still those of the selected mailbox; else it is told that they are not
    /// before it changes the wrong messages by them. A mailbox that got another name stays selected, as Dovecot has it.
    private func isUpToDate() async -> Bool {
        guard let view, let user else { return true }
        let mailbox = await sandbox.mail.mailbox(view.mailboxID, named: view.name, of: user)
        guard let mailbox, mailbox.uidValidity == view.uidValidity else {
            await tellNews(mayShrink: true)
            return false
        }
        self.view?.follow(to: mailbox.name)
        return true
    }

    // MARK: News

    /// Tells what others did in the selected mailbox.
    ///
    /// - Parameter isIdling: only as long as the client idles.
    func tellNews(mayShrink: Bool, isIdling: Bool = false) async {
        guard let view, let user else { return }
        let mailbox = await sandbox.mail.mailbox(view.mailboxID, named: view.name, of: user)
        guard !isIdling || idleTag != nil, self.view != nil else { return }
        guard let mailbox, mailbox.uidValidity == view.uidValidity else {
            // It was deleted, or its UIDs are void: nothing of what the client knows is true.
            say(.bye, nil, "The mailbox is gone")
            return end()
        }
        self.view?.follow(to: mailbox.name)
        guard let news = self.view?.update(to: mailbox, mayShrink: mayShrink) else { return }
        if enabled.contains(.qResync) {
            if !news.vanished.isEmpty { encoder.append(.vanished(earlier: false, news.vanished)) }
        } else {
            for number in news.expunged { encoder.append(.expunge(number)) }
        }
        if let count = news.count { encoder.append(.exists(UInt32(clamping: count))) }
        for index in news.changed { tellFlags(at: index) }
    }

    /// A message's flags, unasked.
    func tellFlags(at index: Int, withModSeq: Bool = true) {
        guard let view, view.messages.indices.contains(index) else { return }
        let message = view.messages[index]
        var items: [FetchItem] = [.uid(message.uid), .flags(message.flags)]
        if withModSeq, knowsModSeq { items.append(.modSeq(message.modSeq)) }
        encoder.append(.fetch(FetchResponse(number: view.number(at: index), items: items)))
    }

    /// Whether the client has shown that it knows mod-sequences. RFC 7162 §3.1.
    var knowsModSeq: Bool { enabled.contains(.condStore) || enabled.contains(.qResync) }

    // MARK: IDLE

    /// How often a folder of mail is looked at for a client that idles.
    private static let lookInterval = Duration.seconds(1)

    /// Takes up what other programs did with the selected mailbox's files.
    private func refresh() async {
        guard sandbox.mail.keeper != nil, let name = view?.name, let user else { return }
        await sandbox.mail.refresh(name, of: user)
    }

    private func idle(_ tag: String) async {
        await refresh()
        await tellNews(mayShrink: true)
        await startWatching()
        if sandbox.mail.keeper != nil {
            // Ended by `endIdle` and with the connection.
            look = Task { [weak self] in
                while (try? await Task.sleep(for: Self.lookInterval)) != nil {
                    await self?.refresh()
                }
            }
        }
        idleTag = tag
        encoder.append(.continuation(ContinuationRequest(octets: Array("idling".utf8))))
        // What happened before somebody listened.
        await tellNews(mayShrink: true, isIdling: true)
    }

    private func endIdle(_ tag: String, _ line: ArraySlice<UInt8>) async {
        idleTag = nil
        look?.cancel()
        guard line.equalsIgnoringCase("DONE".utf8) else {
            return answer(tag, .bad, nil, "IDLE ends with DONE")
        }
        await tellNews(mayShrink: true)
        answer(tag, .ok, "Done")
    }
}

extension IMAPService {
    /// The end of a command without a code.
    func answer(_ tag: String, _ condition: StatusCondition, _ words: String) {
        answer(tag, condition, nil, words)
    }
}
