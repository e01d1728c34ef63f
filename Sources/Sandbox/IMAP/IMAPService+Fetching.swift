import MartletBytes
import MartletIMAPCore
import MartletTransport

/// FETCH. RFC 9051 §6.4.5.
extension IMAPService {
    func fetch<Number: MessageNumber>(
        _ tag: String, _ command: IMAP.Fetch<Number>, _ user: String
    ) async throws(TransportError) {
        guard let indices = indices(command.messages) else {
            return answer(tag, .bad, "There is no message with that number")
        }
        if command.changedSince != nil || command.attributes.contains(.modSeq) {
            enabled.insert(.condStore)
        }
        var wanted = indices
        if let since = command.changedSince, let view {
            wanted = wanted.filter { view.messages[$0].modSeq > since }
            if command.vanished { await tellVanished(since, command.messages, user) }
        }
        if let partial = command.partial { wanted = Self.part(of: wanted, partial) }
        let changed = await markSeen(wanted, command.attributes, user)
        // Nobody else changes the view while this command runs: connections do one at a time.
        var failure: ResponseCode?
        for index in wanted {
            guard let view, index < view.messages.count else { break }
            let row = FetchRow(
                command.attributes, asks: command,
                isChanged: changed.contains(view.messages[index].uid), knowsModSeq: knowsModSeq)
            let message = view.messages[index]
            var octets = message.content.octets
            if octets == nil {
                octets = await sandbox.mail.octets(of: message, in: view.name, of: user)
            }
            guard let octets else {
                failure = .expungeIssued
                continue
            }
            do throws(UnknownTransferEncoding) {
                let items = try row.items(of: message, octets)
                let start = encoder.octets.count
                encoder.append(.fetch(FetchResponse(number: view.number(at: index), items: items)))
                if cutInOctets > 0 { cutLiteral(from: start) }
            } catch {
                failure = .unknownCTE
            }
            try await flushIfLarge()
        }
        await tellNews(mayShrink: Number.isUID)
        if let failure {
            answer(tag, .no, failure, "Not all could be given")
        } else {
            answer(tag, .ok, "Done")
        }
    }

    /// The messages of a range of the found, from the front or from the back. RFC 9394 §3.1.
    static func part<Element>(of found: [Element], _ range: PartialRange) -> [Element] {
        let near = Int(min(range.first.magnitude, range.last.magnitude)) - 1
        let far = min(Int(max(range.first.magnitude, range.last.magnitude)), found.count)
        guard near < far else { return [] }
        return range.first > 0
            ? Array(found[near..<far]) : Array(found[(found.count - far)..<(found.count - near)])
    }

    /// UIDs that went since. RFC 7162 §3.2.6.
    private func tellVanished<Number>(
        _ since: ModSequence, _ messages: MessageSelection<Number>, _ user: String
    ) async {
        guard enabled.contains(.qResync), let view,
            case .numbers(let set)? = messages as? MessageSelection<UID>,
            let mailbox = await sandbox.mail.mailbox(view.name, of: user)
        else { return }
        let asked = mailbox.messages.last.map { set.resolved(last: $0.uid) } ?? set
        var vanished = mailbox.removed(since: since).intersection(asked)
        // What the client still counts is told by the next news.
        vanished = vanished.subtracting(UIDSet(view.messages.map(\.uid)))
        if !vanished.isEmpty { encoder.append(.vanished(earlier: true, vanished)) }
    }

    /// Reading a body marks the message as read, unless it is only looked at.
    ///
    /// - Returns: those that were not.
    private func markSeen(
        _ indices: [Int], _ attributes: [FetchAttribute], _ user: String
    ) async -> UIDSet {
        guard let view, !view.isReadOnly, attributes.contains(where: \.marksSeen) else {
            return UIDSet()
        }
        let unread = indices.map { view.messages[$0] }.filter { !$0.has(.seen) }
        guard !unread.isEmpty else { return UIDSet() }
        let changed = try? await sandbox.mail.store(
            UIDSet(unread.map(\.uid)), .add, [.seen], in: view.name, of: user)
        self.view?.took(changed?.messages ?? [])
        return UIDSet(unread.map(\.uid))
    }
}

extension FetchAttribute {
    /// Whether fetching it marks the message as read.
    fileprivate var marksSeen: Bool {
        switch self {
        case .section(_, _, let peek): !peek
        case .binary(_, _, let peek): !peek
        case .rfc822(let part): part != .header
        default: false
        }
    }
}

/// What one message is asked, and its answer.
struct FetchRow {
    private let attributes: [FetchAttribute]

    init<Number>(
        _ attributes: [FetchAttribute], asks command: IMAP.Fetch<Number>, isChanged: Bool,
        knowsModSeq: Bool
    ) {
        var attributes = attributes
        if Number.isUID, !attributes.contains(.uid) { attributes.insert(.uid, at: 0) }
        if command.changedSince != nil, !attributes.contains(.modSeq) { attributes.append(.modSeq) }
        // What fetching changes is told with it.
        if isChanged, !attributes.contains(.flags) {
            attributes.append(.flags)
            if knowsModSeq, !attributes.contains(.modSeq) { attributes.append(.modSeq) }
        }
        self.attributes = attributes
    }

    func items(
        of message: MailEntry, _ octets: [UInt8]
    ) throws(UnknownTransferEncoding) -> [FetchItem] {
        var served = ServedMessage(octets)
        var items: [FetchItem] = []
        for attribute in attributes {
            switch attribute {
            case .uid: items.append(.uid(message.uid))
            case .flags: items.append(.flags(message.flags))
            case .internalDate: items.append(.internalDate(message.internalDate))
            case .size: items.append(.size(UInt64(message.content.sizeInOctets)))
            case .modSeq: items.append(.modSeq(message.modSeq))
            case .saveDate: items.append(.saveDate(message.saveDate))
            case .emailID: items.append(.emailID(ObjectID(ofMessage: octets)))
            case .threadID: items.append(.threadID(nil))
            default: if let item = try served.item(attribute) { items.append(item) }
            }
        }
        return items
    }
}
