import MartletMIME

/// Tells which message answers which. RFC 5256 §3.
package enum MessageThreads {
    /// Ways of threading that are known here.
    package static let algorithms: [ThreadAlgorithm] = [.orderedSubject, .references, .refs]

    /// The threads of messages that come in the order of the mailbox, as their nodes: each message is there once.
    ///
    /// - Parameter isUID: whether nodes name UIDs.
    /// - Returns: `nil` for a way that is not known here.
    package static func nodes(
        _ algorithm: ThreadAlgorithm, of messages: [some MailboxMessage], isUID: Bool
    ) -> [ThreadNode]? {
        switch algorithm {
        case .orderedSubject: orderedSubject(messages, isUID)
        case .references: nodes(of: forest(of: messages, isUID, grouping: .all))
        case .refs: newestLast(forest(of: messages, isUID, grouping: .none), messages)
        default: nil
        }
    }

    private static func number(_ message: some MailboxMessage, _ isUID: Bool) -> UInt32 {
        isUID ? message.uid.rawValue : message.number.rawValue
    }

    // MARK: By references

    /// A message by its index and its number in the answer.
    private struct ID: Sendable {
        var index: Int
        var number: UInt32
    }

    private static func forest(
        of messages: [some MailboxMessage], _ isUID: Bool, grouping: SubjectGrouping
    ) -> MessageForest<ID> {
        let threaded = messages.enumerated().map { index, message in
            var contents = message.contents
            let id = ID(index: index, number: number(message, isUID))
            return ThreadedMessage(id: id, contents.header(), arrived: message.internalDate)
        }
        return MessageForest(threaded, grouping: grouping)
    }

    private static func nodes(of forest: MessageForest<ID>) -> [ThreadNode] {
        forest.nodes.map { ThreadNode(number: $0.id?.number, parent: $0.parent) }
    }

    /// Threads by when their newest message arrived, so that what comes in is always at the end.
    /// draft-ietf-morg-inthread §2.
    private static func newestLast(
        _ forest: MessageForest<ID>, _ messages: [some MailboxMessage]
    ) -> [ThreadNode] {
        let roots = forest.roots.map { root in
            let newest = forest.nodes[root..<forest.nodes[root].end].compactMap {
                $0.id.map { messages[$0.index].internalDate.secondsSinceEpoch }
            }.max()
            return (root: root, newest: newest ?? .min)
        }
        let order = roots.sorted {
            $0.newest != $1.newest ? $0.newest < $1.newest : $0.root < $1.root
        }
        var nodes: [ThreadNode] = []
        nodes.reserveCapacity(forest.nodes.count)
        for (root, _) in order {
            let distance = nodes.count - root
            for node in forest.nodes[root..<forest.nodes[root].end] {
                nodes.append(
                    ThreadNode(number: node.id?.number, parent: node.parent.map { $0 + distance }))
            }
        }
        return nodes
    }

    // MARK: By subject

    private struct Titled {
        var subject: FoldedText
        var date: Int64
        var index: Int
        var number: UInt32
    }

    /// Messages of one base subject are a thread: all answer the first. Threads are in the order of their first messages.
    private static func orderedSubject(
        _ messages: [some MailboxMessage], _ isUID: Bool
    ) -> [ThreadNode] {
        let titled = messages.enumerated().map { index, message in
            var contents = message.contents
            let header = contents.header()
            return Titled(
                subject: FoldedText(BaseSubject(header.subject ?? "").text),
                date: header.date(arrived: message.internalDate), index: index,
                number: number(message, isUID))
        }
        // By date first: then each thread's messages are in order, and so are the first ones.
        let byDate = titled.sorted {
            $0.date != $1.date ? $0.date < $1.date : $0.index < $1.index
        }
        var threads: [[UInt32]] = []
        var places: [FoldedText: Int] = [:]
        for message in byDate {
            if let place = places[message.subject] {
                threads[place].append(message.number)
            } else {
                places[message.subject] = threads.count
                threads.append([message.number])
            }
        }
        var nodes: [ThreadNode] = []
        nodes.reserveCapacity(messages.count)
        for thread in threads {
            let root = nodes.count
            for (place, number) in thread.enumerated() {
                nodes.append(ThreadNode(number: number, parent: place == 0 ? nil : root))
            }
        }
        return nodes
    }
}

extension ThreadedMessage {
    /// Takes the values from a header: see the form with a message. A message without a date counts by when it arrived.
    /// RFC 5256 §2.2.
    fileprivate init(id: ID, _ header: Part, arrived: MailDate) {
        var references = header.references.map(\.text)
        if references.isEmpty { references = header.inReplyTo.prefix(1).map(\.text) }
        self.init(
            id: id, messageID: header.messageID?.text, references: references,
            subject: header.subject ?? "", date: header.date(arrived: arrived))
    }
}
