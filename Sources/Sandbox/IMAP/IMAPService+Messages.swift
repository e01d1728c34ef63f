import MartletBytes
import MartletIMAPCore

/// What is done with messages.
extension IMAPService {
    // MARK: APPEND

    func append(_ tag: String, _ command: IMAP.Append, _ user: String) async {
        var messages: [NewMessage] = []
        for message in command.messages {
            guard case .message(let source) = message.content, let octets = source.octetsInMemory
            else { return answer(tag, .no, .cannot, "Messages are not put together here") }
            guard octets.count <= sandbox.configuration.messageLimitInOctets else {
                return answer(tag, .no, .tooBig, "The message is too large")
            }
            messages.append(NewMessage(octets: octets, flags: message.flags, date: message.date))
        }
        do throws(MailProblem) {
            let (validity, uids) = try await sandbox.mail.append(
                messages, to: command.mailbox, of: user)
            await tellNews(mayShrink: true)
            answer(
                tag, .ok, .appendUID(validity, MessageNumberList(uids.map(\.rawValue))), "Done")
        } catch {
            answer(tag, error)
        }
    }

    // MARK: STORE

    func store<Number: MessageNumber>(
        _ tag: String, _ command: IMAP.Store<Number>, _ user: String
    ) async {
        guard let view, let indices = indices(command.messages) else {
            return answer(tag, .bad, "There is no message with that number")
        }
        guard !view.isReadOnly else {
            return answer(tag, .no, .readOnly, "The mailbox was opened for reading only")
        }
        guard case .flags(let operation, let flags) = command.change else {
            return answer(tag, .bad, "Labels are Gmail's")
        }
        if command.unchangedSince != nil { enabled.insert(.condStore) }
        let uids = UIDSet(indices.map { view.messages[$0].uid })
        do throws(MailProblem) {
            let (changed, modified) = try await sandbox.mail.store(
                uids, operation, flags, unchangedSince: command.unchangedSince, in: view.name,
                of: user)
            tell(changed, command, Number.isUID)
            await tellNews(mayShrink: Number.isUID)
            answer(
                tag, .ok,
                modified.isEmpty ? nil : .modified(numbers(of: modified, asUIDs: Number.isUID)),
                modified.isEmpty ? "Done" : "Some had changed")
        } catch {
            answer(tag, error)
        }
    }

    /// What became of messages' flags, unless the client would rather not hear it.
    private func tell<Number>(
        _ changed: [MailEntry], _ command: IMAP.Store<Number>, _ isUID: Bool
    ) {
        view?.took(changed)
        for message in changed {
            guard let index = view?.index(of: message.uid) else { continue }
            if !command.isSilent {
                tellFlags(at: index)
            } else if knowsModSeq, let view {
                // RFC 7162 §3.1.3: the mod-sequence is told all the same.
                encoder.append(
                    .fetch(
                        FetchResponse(
                            number: view.number(at: index),
                            items: [.uid(message.uid), .modSeq(message.modSeq)])))
            }
        }
    }

    // MARK: COPY and MOVE

    func copy<Number: MessageNumber>(
        _ tag: String, _ messages: MessageSelection<Number>, _ target: MailboxName, _ user: String,
        moves: Bool
    ) async {
        guard let view, let indices = indices(messages) else {
            return answer(tag, .bad, "There is no message with that number")
        }
        guard !moves || !view.isReadOnly else {
            return answer(tag, .no, .readOnly, "The mailbox was opened for reading only")
        }
        let uids = UIDSet(indices.map { view.messages[$0].uid })
        do throws(MailProblem) {
            let copied = try await sandbox.mail.copy(
                uids, from: view.name, to: target, of: user, moving: moves)
            let code = Self.code(for: copied)
            if moves {
                // RFC 6851 §4.3: before the messages go.
                if let code { say(.ok, code, "Moved") }
                await tellNews(mayShrink: true)
                answer(tag, .ok, "Done")
            } else {
                await tellNews(mayShrink: Number.isUID)
                answer(tag, .ok, code, "Done")
            }
        } catch {
            answer(tag, error)
        }
    }

    private static func code(for copied: CopiedMessages) -> ResponseCode? {
        guard !copied.pairs.isEmpty else { return nil }
        return .copyUID(
            CopiedUIDs(
                uidValidity: copied.uidValidity,
                source: MessageNumberList(copied.pairs.map(\.source.rawValue)),
                destination: MessageNumberList(copied.pairs.map(\.destination.rawValue))))
    }

    // MARK: EXPUNGE

    func expunge(_ tag: String, _ messages: MessageSelection<UID>?, _ user: String) async {
        guard let view else { return }
        guard !view.isReadOnly else {
            return answer(tag, .no, .readOnly, "The mailbox was opened for reading only")
        }
        let uids = messages.map { selection in
            UIDSet(view.indices(selection).map { view.messages[$0].uid })
        }
        await sandbox.mail.expungeDeleted(uids, from: view.name, of: user)
        await tellNews(mayShrink: true)
        let modSeq = await sandbox.mail.mailbox(view.name, of: user)?.highestModSeq
        answer(
            tag, .ok, enabled.contains(.qResync) ? modSeq.map { .highestModSeq($0) } : nil, "Done")
    }

    // MARK: Numbers

    /// Where the messages stand that a command names; `nil` where it names a number beyond the last.
    func indices<Number: MessageNumber>(_ selection: MessageSelection<Number>) -> [Int]? {
        switch selection {
        case let selection as MessageSelection<UID>: view?.indices(selection)
        case let selection as MessageSelection<SequenceNumber>: view?.indices(selection)
        default: nil
        }
    }

    private func numbers(of uids: UIDSet, asUIDs: Bool) -> MessageNumberList {
        guard !asUIDs else { return MessageNumberList(uids.numbers.map(\.rawValue)) }
        let indices = uids.numbers.compactMap { view?.index(of: $0) }
        return MessageNumberList(indices.map { UInt32($0 + 1) })
    }
}
