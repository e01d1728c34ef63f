import MartletBytes

/// A message in a thread. RFC 5256 §4.
///
/// A response is the list of all nodes, each behind the one that it answers, so that no depth is too deep.
///
///     * THREAD (2)(3 6 (4 23)(44 7 96))
public struct ThreadNode: Hashable, Sendable {
    /// The message, a UID in the answer to UID THREAD, else a sequence number; `nil` for one that is missing and
    /// whose answers are there.
    public var number: UInt32?
    /// The place in the list of the node that this one answers; `nil` for the first of a thread.
    public var parent: Int?

    /// Makes one.
    public init(number: UInt32?, parent: Int?) {
        self.number = number
        self.parent = parent
    }
}

extension IMAPCursor {
    // thread-data = "THREAD" [SP 1*thread-list]
    // thread-list = "(" (thread-members / thread-nested) ")" ; RFC 5256 §5
    /// All nodes. Depth has no limit: the open parentheses are a list, not calls.
    mutating func threadNodes() throws(ParseFailure) -> [ThreadNode] {
        var nodes: [ThreadNode] = []
        // For each open parenthesis, the node that its first member answers.
        var parents: [Int?] = []
        var parent: Int?
        var isAtStart = true
        while true {
            skipSpaces()
            if isAtEnd {
                guard parents.isEmpty else { throw failure("\")\"") }
                return nodes
            }
            if takeIfPresent(UInt8(ascii: "(")) {
                // "((3)(5))": the message that both answer is missing.
                if isAtStart, !parents.isEmpty {
                    nodes.append(ThreadNode(number: nil, parent: parent))
                    parent = nodes.count - 1
                }
                parents.append(parent)
                isAtStart = true
            } else if takeIfPresent(UInt8(ascii: ")")) {
                guard let outer = parents.popLast() else { throw failure("\"(\"") }
                parent = outer
                isAtStart = false
            } else {
                guard !parents.isEmpty else { throw failure("\"(\"") }
                nodes.append(ThreadNode(number: try nzNumber(), parent: parent))
                parent = nodes.count - 1
                isAtStart = false
            }
        }
    }
}
