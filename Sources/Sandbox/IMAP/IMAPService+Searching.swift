import MartletBytes
import MartletIMAPCore
import MartletMIME
import MartletTransport

/// SEARCH, SORT and THREAD. RFC 9051 §6.4.4, RFC 5256.
extension IMAPService {
    func search<Number: MessageNumber>(_ tag: String, _ command: IMAP.Search<Number>) async {
        guard let found = await find(tag, command.key) else { return }
        var outcome = SearchOutcome(isUID: Number.isUID, hasModSeq: found.asksForModSeq)
        for message in found.messages { outcome.add(message) }
        if let saved = outcome.saved(for: command.returning) { view?.saved = saved }
        if command.form == .extended || enabled.contains(.imap4rev2) {
            encoder.append(.extendedSearch(outcome.response(to: command.returning, tag: tag)))
        } else {
            encoder.append(.search(outcome.response(.search)))
        }
        await finish(tag, Number.self)
    }

    func sort<Number: MessageNumber>(_ tag: String, _ command: IMAP.Sort<Number>) async {
        guard let found = await find(tag, command.key) else { return }
        let sorted = await Self.sorted(found.messages, command.criteria)
        var outcome = SearchOutcome(isUID: Number.isUID, hasModSeq: found.asksForModSeq)
        for message in sorted { outcome.add(message) }
        if let saved = outcome.saved(for: command.returning) { view?.saved = saved }
        if command.form == .extended {
            encoder.append(.extendedSearch(outcome.response(to: command.returning, tag: tag)))
        } else {
            encoder.append(.search(outcome.response(.sort)))
        }
        await finish(tag, Number.self)
    }

    func thread<Number: MessageNumber>(_ tag: String, _ command: IMAP.Thread<Number>) async {
        guard let found = await find(tag, command.key) else { return }
        guard
            let nodes = await Self.threads(found.messages, command.algorithm, isUID: Number.isUID)
        else { return answer(tag, .bad, "That way of threading is not known here") }
        encoder.append(.thread(nodes))
        await finish(tag, Number.self)
    }

    /// The form without UID answers with numbers, which must not change before they are used. RFC 9051 §7.5.1.
    private func finish<Number: MessageNumber>(_ tag: String, _: Number.Type) async {
        await tellNews(mayShrink: Number.isUID)
        answer(tag, .ok, "Done")
    }

    // MARK: Finding

    private struct Finding: Sendable {
        var messages: [SearchedMessage]
        var asksForModSeq: Bool
    }

    /// The messages that are sought; `nil` where the command was answered already.
    private func find(_ tag: String, _ key: SearchKey) async -> Finding? {
        guard let view, let user else { return nil }
        let search = MessageSearch(
            key,
            in: SearchSurroundings(
                lastNumber: SequenceNumber(UInt32(view.messages.count)),
                lastUID: view.messages.last?.uid, savedResult: view.saved,
                now: WallClock.now.secondsSinceEpoch, hasSaveDates: true))
        if search.unsupported != nil {
            answer(tag, .bad, "The sandbox does not know one of the keys")
            return nil
        }
        if search.asksForModSeq { enabled.insert(.condStore) }
        let messages = view.messages.enumerated().compactMap { index, entry in
            view.number(at: index).map { SearchedMessage(number: $0, entry: entry, octets: nil) }
        }
        let mail = sandbox.mail
        let name = view.name
        let found = await Self.find(messages, search) { entry in
            await mail.octets(of: entry, in: name, of: user)
        }
        return Finding(messages: found, asksForModSeq: search.asksForModSeq)
    }

    // Reads messages: not on the loop.
    private nonisolated static func find(
        _ messages: [SearchedMessage], _ search: MessageSearch,
        _ load: @Sendable (MailEntry) async -> [UInt8]?
    ) async -> [SearchedMessage] {
        var search = search
        var found: [SearchedMessage] = []
        for var message in messages {
            // Where messages are in files, all of them are read.
            if message.entry.content.octets == nil { message.octets = await load(message.entry) }
            if search.matches(message) { found.append(message) }
        }
        return found
    }

    private nonisolated static func sorted(
        _ messages: [SearchedMessage], _ criteria: [SortCriterion]
    ) async -> [SearchedMessage] {
        MessageOrder(criteria).sorted(messages)
    }

    private nonisolated static func threads(
        _ messages: [SearchedMessage], _ algorithm: ThreadAlgorithm, isUID: Bool
    ) async -> [ThreadNode]? {
        MessageThreads.nodes(algorithm, of: messages, isUID: isUID)
    }
}

/// A message of a view, as searches ask about it.
struct SearchedMessage: MailboxMessage, Sendable {
    let number: SequenceNumber
    let entry: MailEntry
    /// Its octets, where they are not in memory with the entry.
    var octets: [UInt8]?

    var uid: UID { entry.uid }
    var flags: [MessageFlag] { entry.flags }
    var isRecent: Bool { false }
    var internalDate: MailDate { entry.internalDate }
    var sizeInOctets: UInt64 { UInt64(entry.content.sizeInOctets) }
    var modSeq: ModSequence { entry.modSeq }
    var saveDate: MailDate? { entry.saveDate }
    var emailID: ObjectID? { ObjectID(ofMessage: octets ?? entry.content.octets ?? []) }
    var threadID: ObjectID? { nil }
    var contents: ServedMessage { ServedMessage(octets ?? entry.content.octets ?? []) }
}
