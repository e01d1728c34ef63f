/// Arranges messages, which it knows by their indices. Places above the messages' are of messages that are not there.
struct ThreadBuilder {
    /// A place in the finished forest.
    struct Node {
        var message: Int?
        var parent: Int?
        var depth: Int
        var end: Int
    }

    private let messageCount: Int
    private var dates: [Int64]
    private var parents: [Int]
    // Whether a place is in the forest at all.
    private var isKept: [Bool]
    // Leads to the root of each tree while it grows, by ever shorter ways.
    private var ways: [Int]

    init(dates: [Int64]) {
        messageCount = dates.count
        self.dates = dates
        parents = Array(repeating: -1, count: dates.count)
        isKept = Array(repeating: true, count: dates.count)
        ways = Array(dates.indices)
    }

    private func isMessage(_ place: Int) -> Bool { place < messageCount }

    private mutating func add(date: Int64 = .max) -> Int {
        parents.append(-1)
        dates.append(date)
        isKept.append(true)
        ways.append(parents.count - 1)
        return parents.count - 1
    }

    // MARK: Steps 1 and 2: references

    /// Puts each message below the one it refers to.
    mutating func link(_ messages: [(id: String?, references: [String])]) {
        var places: [String: Int] = [:]
        places.reserveCapacity(messages.count * 2)
        for (index, message) in messages.enumerated() {
            guard let id = message.id, !id.isEmpty, places[id] == nil else { continue }
            places[id] = index
        }
        // First what messages say of themselves, since that cannot be undone; then what others say.
        var chains: [[Int]] = []
        chains.reserveCapacity(messages.count)
        for (index, message) in messages.enumerated() {
            var chain: [Int] = []
            chain.reserveCapacity(message.references.count)
            for reference in message.references where reference != message.id {
                let place = places[reference] ?? add()
                places[reference] = place
                chain.append(place)
            }
            if let parent = chain.last { put(index, below: parent) }
            chains.append(chain)
        }
        for chain in chains {
            for (parent, child) in zip(chain, chain.dropFirst()) { put(child, below: parent) }
        }
    }

    /// Puts a place that has none above it below another, unless that is below it.
    private mutating func put(_ child: Int, below parent: Int) {
        guard parents[child] < 0 else { return }
        let root = root(of: parent)
        guard root != child else { return }
        parents[child] = parent
        ways[child] = root
    }

    private mutating func root(of place: Int) -> Int {
        var place = place
        while ways[place] != place {
            ways[place] = ways[ways[place]]
            place = ways[place]
        }
        return place
    }

    // MARK: Step 3: what is not there

    /// Leaves out messages that are not there, but those at a root that hold several together.
    mutating func prune() {
        // The nearest message above each place, or else the topmost place of a missing one.
        var above = Array(repeating: -1, count: parents.count)
        for place in topDown() where parents[place] >= 0 {
            let parent = parents[place]
            above[place] = isMessage(parent) || above[parent] < 0 ? parent : above[parent]
        }
        var counts = Array(repeating: 0, count: parents.count)
        for place in 0..<messageCount where above[place] >= 0 { counts[above[place]] += 1 }
        for place in 0..<messageCount {
            let parent = above[place]
            parents[place] = parent < 0 || isMessage(parent) || counts[parent] > 1 ? parent : -1
        }
        for place in messageCount..<parents.count {
            parents[place] = -1
            isKept[place] = counts[place] > 1
        }
        dateMissing()
    }

    /// All places, each behind its parent.
    private func topDown() -> [Int] {
        let children = Children(parents)
        var order = children.roots
        order.reserveCapacity(parents.count)
        var index = 0
        while index < order.count {
            order += children[order[index]]
            index += 1
        }
        return order
    }

    /// What is not there is as old as the oldest message below it.
    private mutating func dateMissing() {
        for place in messageCount..<parents.count { dates[place] = .max }
        for place in 0..<messageCount where parents[place] >= messageCount {
            dates[parents[place]] = min(dates[parents[place]], dates[place])
        }
    }

    // MARK: Step 5: subjects

    /// Joins trees whose first messages have one subject.
    mutating func group(_ grouping: SubjectGrouping, _ subject: (Int) -> BaseSubject) {
        let sorted = sortedPlaces()
        let roots = sorted.filter { parents[$0] < 0 }
        // A missing root has the subject of its first message.
        var representatives: [Int: Int] = [:]
        var members: [Int: [Int]] = [:]
        for place in sorted where parents[place] >= messageCount {
            if representatives[parents[place]] == nil { representatives[parents[place]] = place }
            members[parents[place], default: []].append(place)
        }
        let subjects = roots.map { subject(representatives[$0] ?? $0) }
        let keys = subjects.map(\.key)
        var table = firsts(roots, subjects, keys)
        for (index, root) in roots.enumerated() {
            guard let (other, otherIsReply) = table[keys[index]], other != root else { continue }
            let isReply = subjects[index].isReplyOrForward
            if !isMessage(other) {
                if isMessage(root) {
                    guard grouping == .all || isReply else { continue }
                    parents[root] = other
                } else {
                    for member in members[root] ?? [] { parents[member] = other }
                    isKept[root] = false
                }
            } else if isReply && !otherIsReply {
                parents[root] = other
            } else if grouping == .all || isReply {
                let both = add()
                parents[other] = both
                parents[root] = both
                table[keys[index]] = (both, false)
            }
        }
        dateMissing()
    }

    /// For each subject the root that others join: one that is not there, else one that is no answer, else the oldest.
    private func firsts(
        _ roots: [Int], _ subjects: [BaseSubject], _ keys: [String]
    ) -> [String: (place: Int, isReply: Bool)] {
        var table: [String: (place: Int, isReply: Bool)] = [:]
        for (index, root) in roots.enumerated() where !keys[index].isEmpty {
            let isReply = subjects[index].isReplyOrForward
            if let (place, isReplyThere) = table[keys[index]] {
                let isBetter =
                    isMessage(place) && (!isMessage(root) || isReplyThere && !isReply)
                guard isBetter else { continue }
            }
            table[keys[index]] = (root, isReply)
        }
        return table
    }

    // MARK: Steps 4 and 6: order

    private func sortedPlaces() -> [Int] {
        parents.indices.filter { isKept[$0] }.sorted {
            dates[$0] != dates[$1] ? dates[$0] < dates[$1] : $0 < $1
        }
    }

    /// The forest, each place before those below it.
    func nodes() -> [Node] {
        let children = Children(parents, in: sortedPlaces())
        var nodes: [Node] = []
        nodes.reserveCapacity(parents.count)
        var open: [(place: Int, parent: Int?)] = children.roots.reversed().map { ($0, nil) }
        while let (place, parent) = open.popLast() {
            let index = nodes.count
            nodes.append(
                Node(
                    message: isMessage(place) ? place : nil, parent: parent,
                    depth: parent.map { nodes[$0].depth + 1 } ?? 0, end: index + 1))
            for child in children[place].reversed() { open.append((child, index)) }
        }
        for index in nodes.indices.reversed() {
            if let parent = nodes[index].parent {
                nodes[parent].end = max(nodes[parent].end, nodes[index].end)
            }
        }
        return nodes
    }

    /// Who is below whom, in one list.
    private struct Children {
        private(set) var roots: [Int] = []
        private var list: [Int]
        private var starts: [Int]

        init(_ parents: [Int]) { self.init(parents, in: parents.indices) }

        /// The places of `order`, brothers in that order.
        init(_ parents: [Int], in order: some Sequence<Int>) {
            starts = Array(repeating: 0, count: parents.count + 1)
            let order = Array(order)
            for place in order where parents[place] >= 0 { starts[parents[place] + 1] += 1 }
            for index in starts.indices.dropFirst() { starts[index] += starts[index - 1] }
            var next = starts
            list = Array(repeating: 0, count: starts[parents.count])
            for place in order {
                let parent = parents[place]
                if parent < 0 {
                    roots.append(place)
                } else {
                    list[next[parent]] = place
                    next[parent] += 1
                }
            }
        }

        subscript(place: Int) -> ArraySlice<Int> { list[starts[place]..<starts[place + 1]] }
    }
}
