import MartletBytes
import MartletIMAPCore
import MartletTransport

/// What goes wrong on purpose.
extension IMAPService {
    /// Asks whether something is to go wrong now.
    private func meet(
        _ moment: String, user: String?, mailbox: MailboxName? = nil
    ) async throws(TransportError) -> ClientLine.Verdict {
        let occasion = FaultOccasion(
            spoken: .imap, moment: moment, user: user, mailbox: mailbox?.text)
        let struck = sandbox.strike(occasion, client: channel.peer)
        guard !struck.isEmpty else { return ClientLine.Verdict() }
        try await flush()
        return try await line.suffer(struck)
    }

    /// Greets, as a fault wants it if there is one.
    func greet() async throws(TransportError) {
        let verdict = try await meet("GREETING", user: nil)
        if verdict.isIgnored { return }
        if case .imap(let kind, let text)? = verdict.reply {
            encoder.append(.condition(UntaggedCondition(kind, text: text)))
            if kind == .bye { end() }
        } else if let name = verdict.user {
            user = sandbox.mail.rules.address(of: name)
            say(.preauth, .capability(toldCapabilities), "Martlet sandbox ready")
        } else {
            say(.ok, .capability(toldCapabilities), "Martlet sandbox ready")
        }
    }

    /// Asks before a command is done; where something goes wrong, the client has its answer.
    func mayPass(_ received: ReceivedCommand) async throws(TransportError) -> Bool {
        // Of a login, it is asked when it is right.
        if case .login = received.command { return true }
        let mailbox = received.command.namedMailbox ?? view?.name
        let verdict = try await meet(
            received.command.command.name, user: user, mailbox: mailbox)
        cutInOctets = verdict.cutInOctets
        if verdict.renewsUIDs, let mailbox, let user {
            await sandbox.mail.renewUIDs(in: mailbox, of: user)
        }
        return mayGoOn(received.tag, verdict)
    }

    /// Asks before somebody is logged in whose password is right.
    func mayLogIn(_ tag: String, _ address: String) async throws(TransportError) -> Bool {
        let verdict = try await meet("LOGIN", user: address, mailbox: .inbox)
        if verdict.renewsUIDs { await sandbox.mail.renewUIDs(in: .inbox, of: address) }
        return mayGoOn(tag, verdict)
    }

    private func mayGoOn(_ tag: String, _ verdict: ClientLine.Verdict) -> Bool {
        guard case .imap(let kind, let text)? = verdict.reply else { return !verdict.isIgnored }
        if let condition = StatusCondition(rawValue: kind.rawValue) {
            encoder.append(.tagged(TaggedResponse(tag: tag, condition: condition, text: text)))
        } else {
            encoder.append(.condition(UntaggedCondition(kind, text: text)))
            end()
        }
        return false
    }

    /// Takes octets away at the end of the first literal that was written from `start` on. It stays announced as it was.
    func cutLiteral(from start: Int) {
        let octets = encoder.octets[start...]
        // "{" number "}" CRLF ; no quoted string has a line end
        guard let lineEnd = octets.firstIndex(of: ASCII.cr), lineEnd > start,
            octets[lineEnd - 1] == UInt8(ascii: "}"),
            let brace = octets[..<lineEnd].lastIndex(of: UInt8(ascii: "{")),
            let size = Int(String(decoding: octets[(brace + 1)..<(lineEnd - 1)], as: UTF8.self))
        else { return }
        let end = lineEnd + 2 + size
        encoder.octets.removeSubrange((end - min(size, cutInOctets))..<end)
    }
}

extension ClientCommand {
    /// The mailbox that it names, where it is about one.
    fileprivate var namedMailbox: MailboxName? {
        switch self {
        case .select(let command): command.mailbox
        case .status(let command): command.mailbox
        case .append(let command): command.mailbox
        case .create(let command): command.mailbox
        case .delete(let command): command.mailbox
        case .rename(let command): command.mailbox
        case .subscribe(let command): command.mailbox
        case .unsubscribe(let command): command.mailbox
        case .getQuotaRoot(let command): command.mailbox
        default: nil
        }
    }
}
