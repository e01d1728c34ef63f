/// Message numbers in the order in which a server gave them, as runs. RFC 9051 §9 `sequence-set`.
///
/// Unlike `UIDSet` it keeps the order, which tells in `COPYUID` which UID became which, and in a sorted `ESEARCH`
/// what comes first. Whether the numbers are UIDs depends on the command.
public struct MessageNumberList: Hashable, Sendable {
    /// Numbers that follow each other, such as `4:7`.
    public struct Run: Hashable, Sendable {
        /// The first, 1 or more.
        public var first: UInt32
        /// The last; less than `first` where they descend.
        public var last: UInt32

        /// Makes a run.
        public init(_ first: UInt32, through last: UInt32) {
            self.first = first
            self.last = last
        }

        /// How many numbers it is.
        public var count: Int { Int(max(first, last) - min(first, last)) + 1 }
    }

    /// The runs in their order.
    public var runs: [Run]

    /// Makes a list.
    public init(runs: [Run] = []) { self.runs = runs }

    /// Makes a list of single numbers.
    public init(_ numbers: some Sequence<UInt32>) {
        runs = []
        for number in numbers {
            if let last = runs.last, last.first <= last.last, last.last < number,
                number - last.last == 1
            {
                runs[runs.count - 1].last = number
            } else {
                runs.append(Run(number, through: number))
            }
        }
    }

    /// How many numbers there are. They can be billions: a few octets are enough to say so.
    public var count: Int { runs.reduce(0) { $0 + $1.count } }

    /// The numbers in their order, made one by one.
    public var numbers: Numbers { Numbers(runs: runs) }

    /// The numbers of a list.
    public struct Numbers: Sequence, IteratorProtocol, Sendable {
        private let runs: [Run]
        private var run = 0
        // The number that comes next; `nil` at the start of a run.
        private var number: UInt32?

        init(runs: [Run]) { self.runs = runs }

        /// The next number.
        public mutating func next() -> UInt32? {
            guard run < runs.count else { return nil }
            let (first, last) = (runs[run].first, runs[run].last)
            let current = number ?? first
            if current == last {
                run += 1
                number = nil
            } else {
                number = first < last ? current + 1 : current - 1
            }
            return current
        }
    }

    /// The numbers as UIDs, without their order.
    public var uids: UIDSet { unordered() }
    /// The numbers as sequence numbers, without their order.
    public var sequenceNumbers: SequenceSet { unordered() }

    private func unordered<Number>() -> MessageNumberSet<Number> {
        let ranges = runs.map { min($0.first, $0.last)...max($0.first, $0.last) }
        var set = MessageNumberSet<Number>()
        for range in ranges.sorted(by: { $0.lowerBound < $1.lowerBound }) { set.insert(range) }
        return set
    }
}
