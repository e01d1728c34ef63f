import MartletMIME

/// What a search needs to know beside the messages.
package struct SearchSurroundings: Sendable {
    /// The number of the last message, for `*`; `nil` in an empty mailbox.
    package var lastNumber: SequenceNumber?
    /// The UID of the last message.
    package var lastUID: UID?
    /// What the last search with `SAVE` found. RFC 5182.
    package var savedResult: UIDSet
    /// The time, in seconds since 1970, for `OLDER` and `YOUNGER`.
    package var now: Int64
    /// Whether the mailbox knows when messages came. RFC 8514.
    package var hasSaveDates: Bool

    /// Makes a value.
    package init(
        lastNumber: SequenceNumber?, lastUID: UID?, savedResult: UIDSet = UIDSet(), now: Int64,
        hasSaveDates: Bool = false
    ) {
        self.lastNumber = lastNumber
        self.lastUID = lastUID
        self.savedResult = savedResult
        self.now = now
        self.hasSaveDates = hasSaveDates
    }
}

/// A search, made ready for many messages. RFC 9051 §6.4.4.
///
///     var search = MessageSearch(key, in: surroundings)
///     let found = messages.filter { search.matches($0) }
///
/// What the mailbox knows is asked first, then headers, then texts of bodies; nothing is asked that cannot change the
/// answer. Texts are compared as `FoldedText`, wherever they stand and however they are encoded.
package struct MessageSearch: Sendable {
    /// What it costs to ask.
    enum Cost: Int, Comparable, Sendable, CaseIterable {
        case facts, header, body

        static func < (left: Cost, right: Cost) -> Bool { left.rawValue < right.rawValue }
    }

    private let nodes: [SearchKey.Node]
    /// Behind each node, the place of the first that is not of it.
    private let ends: [Int]
    /// The criterion of a node that is one.
    private let tests: [SearchTest?]
    private let costs: [Cost]
    // What is known of the criteria for the message at hand.
    private var answers: [Bool?]
    private var open: [Frame] = []

    /// A node whose parts are being asked.
    private struct Frame {
        var node: Int
        /// The places of parts that are left.
        var next: Int
        var isUnknown = false
    }

    /// Whether it asks for changes: the answer then has the highest mod-sequence. RFC 7162 §3.1.5.
    package let asksForModSeq: Bool
    /// A criterion that is another server's own, which nobody here can answer: it is never true.
    package let unsupported: SearchCriterion?

    /// Prepares a search.
    package init(_ key: SearchKey, in surroundings: SearchSurroundings) {
        nodes = key.nodes
        var ends = [Int](repeating: 0, count: nodes.count)
        var costs = [Cost](repeating: .facts, count: nodes.count)
        var tests = [SearchTest?](repeating: nil, count: nodes.count)
        // From the back: the places of a node's parts are on the stack when it is its turn.
        var starts: [Int] = []
        for index in nodes.indices.reversed() {
            switch nodes[index] {
            case .criterion(let criterion):
                let test = SearchTest(criterion, surroundings)
                tests[index] = test
                costs[index] = test.cost
                ends[index] = index + 1
            case .not, .fuzzy:
                ends[index] = starts.popLast().map { ends[$0] } ?? index + 1
            case .and(let count), .or(let count):
                ends[index] = index + 1
                for _ in 0..<count {
                    if let start = starts.popLast() { ends[index] = ends[start] }
                }
            }
            starts.append(index)
        }
        self.ends = ends
        self.costs = costs
        self.tests = tests
        answers = Array(repeating: nil, count: nodes.count)
        asksForModSeq = key.criteria.contains { if case .modSeq = $0 { true } else { false } }
        unsupported = key.criteria.first { $0.isForeign }
    }

    /// Whether the message is one of those that are sought.
    package mutating func matches(_ message: some MailboxMessage) -> Bool {
        guard !nodes.isEmpty else { return true }
        for index in answers.indices { answers[index] = nil }
        var contents: ServedMessage?
        for cost in Cost.allCases {
            if let answer = evaluate(upTo: cost, message, &contents) { return answer }
        }
        return false
    }

    /// The value of the search as far as criteria that cost no more can tell; `nil` where others are needed.
    private mutating func evaluate(
        upTo cost: Cost, _ message: some MailboxMessage, _ contents: inout ServedMessage?
    ) -> Bool? {
        open.removeAll(keepingCapacity: true)
        var node = 0
        while true {
            // Down to a criterion.
            var value: Bool?
            switch nodes[node] {
            case .criterion:
                value = ask(node, upTo: cost, message, &contents)
            case .and(0): value = true
            case .or(0): value = false
            case .not, .fuzzy, .and, .or:
                open.append(Frame(node: node, next: ends[node + 1]))
                node += 1
                continue
            }
            // Up again, past all that are decided by it.
            while true {
                guard let last = open.indices.last else { return value }
                var isDecided = false
                switch nodes[open[last].node] {
                case .not: value = value.map { !$0 }
                case .and:
                    if value == nil { open[last].isUnknown = true }
                    isDecided = value == false
                    if !isDecided { value = open[last].isUnknown ? nil : true }
                case .or:
                    if value == nil { open[last].isUnknown = true }
                    isDecided = value == true
                    if !isDecided { value = open[last].isUnknown ? nil : false }
                default: break
                }
                let next = open[last].next
                if isDecided || next >= ends[open[last].node] {
                    open.removeLast()
                    continue
                }
                node = next
                open[last].next = ends[next]
                break
            }
        }
    }

    private mutating func ask(
        _ node: Int, upTo cost: Cost, _ message: some MailboxMessage,
        _ contents: inout ServedMessage?
    ) -> Bool? {
        if let answer = answers[node] { return answer }
        guard costs[node] <= cost, let test = tests[node] else { return nil }
        let answer: Bool
        if costs[node] == .facts {
            answer = test.isTrue(of: message)
        } else {
            var message = contents ?? message.contents
            answer = test.isTrue(of: &message)
            contents = message
        }
        answers[node] = answer
        return answer
    }
}
