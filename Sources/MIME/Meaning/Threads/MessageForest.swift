/// Messages arranged by conversation: a tree for each.
///
///     let forest = MessageForest(messages)
///     for index in forest.roots { show(forest.nodes[index], forest.children(of: index)) }
///
/// The trees are in one flat list, each message before the ones that answer it, so that however deep a conversation is,
/// nobody has to recurse. Trees, and the answers to a message, are in the order of their dates; what is equal is in the
/// order in which it was given.
public struct MessageForest<ID: Sendable>: Sendable {
    /// A message and its place.
    public struct Node: Sendable {
        /// The message; `nil` for one that is not there, but that several others answer, or that stands for a subject
        /// which several have. Only roots are `nil`.
        public let id: ID?
        /// The index of the message that it answers, or is taken to; `nil` for a root.
        public let parent: Int?
        /// How many messages are above it.
        public let depth: Int
        /// The index behind its last descendant: all nodes from its own up to there are its tree.
        public let end: Int
    }

    /// All nodes, each before its descendants.
    public let nodes: [Node]

    /// The indices of the first messages of each conversation.
    public var roots: Siblings { Siblings(forest: self, index: 0, end: nodes.count) }

    /// The indices of the nodes right below one.
    public func children(of index: Int) -> Siblings {
        Siblings(forest: self, index: index + 1, end: nodes[index].end)
    }

    /// Nodes next to each other.
    public struct Siblings: Sequence, IteratorProtocol, Sendable {
        let forest: MessageForest
        var index: Int
        let end: Int

        /// The index of the next node.
        public mutating func next() -> Int? {
            guard index < end else { return nil }
            defer { index = forest.nodes[index].end }
            return index
        }
    }
}

/// Which conversations are taken to be one because their first messages have one subject. RFC 5256 §3, step 5.
public enum SubjectGrouping: Hashable, Sendable {
    /// None: only references count.
    case none
    /// Answers join a message with their subject; messages that are no answers stay apart.
    case replies
    /// All with one subject, as RFC 5256 says.
    case all
}

extension MessageForest {
    /// Arranges messages by what they refer to: the algorithm of J. Zawinski as RFC 5256 §3 has it, `REFERENCES`.
    ///
    /// Every message is in the forest once. What a message itself refers to counts more than what others say of it;
    /// references in a circle are broken at one place. A message whose Message-ID was there before stands by itself,
    /// with its own references. The time is that of sorting.
    ///
    /// - Parameters:
    ///   - messages: in any order, which counts only where dates are equal or Message-IDs are.
    ///   - grouping: what equal subjects do.
    ///   - prefixes: more words that stand for `Re`, see `BaseSubject`.
    public init(
        _ messages: [ThreadedMessage<ID>], grouping: SubjectGrouping = .all,
        prefixes: [String] = []
    ) {
        var builder = ThreadBuilder(dates: messages.map { $0.date ?? .min })
        builder.link(messages.map { ($0.messageID, $0.references) })
        builder.prune()
        if grouping != .none {
            builder.group(grouping) { BaseSubject(messages[$0].subject, prefixes: prefixes) }
        }
        nodes = builder.nodes().map { node in
            Node(
                id: node.message.map { messages[$0].id }, parent: node.parent, depth: node.depth,
                end: node.end)
        }
    }
}
