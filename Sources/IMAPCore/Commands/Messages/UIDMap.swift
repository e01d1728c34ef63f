/// Which UIDs the copies of messages got. RFC 9051 §7.1 `COPYUID`.
///
/// A server needs few octets to name billions of messages: they are kept as runs and never written out.
public struct UIDMap: Hashable, Sendable {
    /// Messages whose UIDs follow each other, and so do those of their copies.
    struct Run: Hashable, Sendable {
        let source: ClosedRange<UInt32>
        /// The copy of the first.
        let destination: UInt32
        /// Whether the copies' UIDs descend.
        let descends: Bool

        func copy(of uid: UInt32) -> UInt32 {
            let distance = uid - source.lowerBound
            return descends ? destination - distance : destination + distance
        }

        var destinations: ClosedRange<UInt32> {
            let last = copy(of: source.upperBound)
            return min(destination, last)...max(destination, last)
        }
    }

    // By source, without overlaps.
    let runs: [Run]

    /// Joins the UIDs of messages and of their copies.
    ///
    /// - Returns: `nil` for what cannot be: another number of copies than of messages, or a UID twice.
    public init?(from source: MessageNumberList, to destination: MessageNumberList) {
        guard source.count == destination.count else { return nil }
        var runs: [Run] = []
        var left = source.runs[...]
        var right = destination.runs[...]
        while let from = left.first, let to = right.first {
            let count = min(from.count, to.count)
            runs.append(Self.run(from, to, count))
            Self.drop(count, of: &left)
            Self.drop(count, of: &right)
        }
        runs.sort { $0.source.lowerBound < $1.source.lowerBound }
        guard Self.areDisjoint(runs.map(\.source)),
            Self.areDisjoint(runs.map(\.destinations).sorted { $0.lowerBound < $1.lowerBound })
        else { return nil }
        self.runs = runs
    }

    private static func run(
        _ from: MessageNumberList.Run, _ to: MessageNumberList.Run, _ count: Int
    ) -> Run {
        // Both runs have `count` numbers or more, so that neither end is beyond theirs.
        let steps = UInt32(count - 1)
        let sourceAscends = from.first <= from.last
        let destinationAscends = to.first <= to.last
        let end = sourceAscends ? from.first + steps : from.first - steps
        let lastCopy = destinationAscends ? to.first + steps : to.first - steps
        return Run(
            source: min(from.first, end)...max(from.first, end),
            destination: sourceAscends ? to.first : lastCopy,
            descends: steps > 0 && sourceAscends != destinationAscends)
    }

    private static func drop(_ count: Int, of runs: inout ArraySlice<MessageNumberList.Run>) {
        guard var run = runs.first else { return }
        guard run.count > count else {
            runs.removeFirst()
            return
        }
        run.first = run.first <= run.last ? run.first + UInt32(count) : run.first - UInt32(count)
        runs[runs.startIndex] = run
    }

    private static func areDisjoint(_ ranges: [ClosedRange<UInt32>]) -> Bool {
        ranges.allSatisfy { $0.lowerBound > 0 }
            && zip(ranges, ranges.dropFirst()).allSatisfy { $0.upperBound < $1.lowerBound }
    }

    /// The UID of the copy of a message; `nil` where it was not copied.
    public subscript(uid: UID) -> UID? {
        var low = 0
        var high = runs.count
        while low < high {
            let middle = (low + high) / 2
            if runs[middle].source.upperBound < uid.rawValue {
                low = middle + 1
            } else {
                high = middle
            }
        }
        guard low < runs.count, runs[low].source.contains(uid.rawValue) else { return nil }
        return UID(runs[low].copy(of: uid.rawValue))
    }

    /// How many messages were copied.
    public var count: Int { runs.reduce(0) { $0 + $1.source.count } }

    /// The UIDs of the messages.
    public var sources: UIDSet {
        var set = UIDSet()
        for run in runs { set.insert(run.source) }
        return set
    }

    /// The UIDs of their copies.
    public var destinations: UIDSet {
        var set = UIDSet()
        let ranges = runs.map(\.destinations)
        for range in ranges.sorted(by: { $0.lowerBound < $1.lowerBound }) { set.insert(range) }
        return set
    }

    /// Each message with its copy, by the UIDs of the messages. They can be billions.
    public var pairs: some Sequence<(source: UID, destination: UID)> & Sendable {
        Pairs(runs: runs)
    }
}

/// The pairs of a map, made one by one.
private struct Pairs: Sequence, IteratorProtocol, Sendable {
    private let runs: [UIDMap.Run]
    private var index = 0
    private var distance: UInt32 = 0

    init(runs: [UIDMap.Run]) { self.runs = runs }

    mutating func next() -> (source: UID, destination: UID)? {
        guard index < runs.count else { return nil }
        let run = runs[index]
        let uid = run.source.lowerBound + distance
        if uid == run.source.upperBound {
            index += 1
            distance = 0
        } else {
            distance += 1
        }
        guard let source = UID(uid), let destination = UID(run.copy(of: uid)) else { return nil }
        return (source, destination)
    }
}
