import MartletBytes

/// UIDs.
public typealias UIDSet = MessageNumberSet<UID>
/// Sequence numbers.
public typealias SequenceSet = MessageNumberSet<SequenceNumber>

/// A set of message numbers, kept as sorted ranges that neither touch nor overlap. RFC 9051 §9 `sequence-set`.
///
///     2,4:7,9,12:*
///
/// It may end with `*`, the last message of the mailbox, whichever that is: `n:*` holds all from `n` on and
/// the last message even if its number is less than `n`.
public struct MessageNumberSet<Number: MessageNumber>: Hashable, Sendable {
    /// What stands at the open end.
    public enum OpenEnd: Hashable, Sendable {
        /// `*`: the last message alone.
        case last
        /// `n:*`: from `n` on.
        case from(Number)
    }

    /// Sorted; no two touch.
    public internal(set) var ranges: [ClosedRange<UInt32>] = []
    /// The open end, if there is one.
    public internal(set) var openEnd: OpenEnd?

    /// Nothing.
    public init() {}

    /// One number.
    public init(_ number: Number) { ranges = [number.rawValue...number.rawValue] }

    /// All numbers from one to another; in either order, as the RFC has it.
    public init(_ first: Number, through last: Number) {
        ranges = [min(first, last).rawValue...max(first, last).rawValue]
    }

    /// All numbers of a range.
    public init(_ range: ClosedRange<Number>) {
        ranges = [range.lowerBound.rawValue...range.upperBound.rawValue]
    }

    /// `n:*`: all from `first` on, and the last message in any case.
    public init(from first: Number) { openEnd = .from(first) }

    /// All numbers of a sequence, in any order.
    public init(_ numbers: some Sequence<Number>) {
        self.init(sorted: numbers.map(\.rawValue).sorted())
    }

    /// `*`: the last message.
    public static var last: Self {
        var set = Self()
        set.openEnd = .last
        return set
    }

    /// `1:*`: all messages.
    public static var all: Self { Self(from: Number(1).unsafelyUnwrapped) }

    init(sorted numbers: [UInt32]) {
        for number in numbers {
            if let last = ranges.last,
                number <= last.upperBound
                    || (number > 0 && number - 1 == last.upperBound)
            {
                if number > last.upperBound {
                    ranges[ranges.count - 1] = last.lowerBound...number
                }
            } else {
                ranges.append(number...number)
            }
        }
    }

    /// Whether there is nothing in it.
    public var isEmpty: Bool { ranges.isEmpty && openEnd == nil }

    /// How many numbers it holds; `nil` when `*` leaves that open.
    public var count: Int? {
        guard openEnd == nil else { return nil }
        return ranges.reduce(0) { $0 + $1.count }
    }

    /// Whether `number` is one of its ranges', or not less than the start of an open end. `*` alone holds no number
    /// that could be told.
    public func contains(_ number: Number) -> Bool {
        if case .from(let first) = openEnd, number >= first { return true }
        return range(holding: number.rawValue) != nil
    }

    private func range(holding number: UInt32) -> Int? {
        let index = firstRange(endingAtOrAfter: number)
        return index < ranges.count && ranges[index].contains(number) ? index : nil
    }

    func firstRange(endingAtOrAfter number: UInt32) -> Int {
        var low = 0
        var high = ranges.count
        while low < high {
            let middle = (low + high) / 2
            if ranges[middle].upperBound < number { low = middle + 1 } else { high = middle }
        }
        return low
    }

    /// The numbers in order, as far as they can be told: without the open end. They can be 4 billion.
    public var numbers: some Sequence<Number> & Sendable {
        MessageNumberRuns<Number>(ranges.map { .init($0.lowerBound, through: $0.upperBound) })
    }

    /// The set with `*` replaced: what it means in a mailbox whose last number is `last`.
    public func resolved(last: Number) -> Self {
        guard let openEnd else { return self }
        var set = self
        set.openEnd = nil
        switch openEnd {
        case .last: set.insert(last)
        case .from(let first): set.insert(min(first, last).rawValue...last.rawValue)
        }
        return set
    }
}

extension MessageNumberSet: ExpressibleByArrayLiteral {
    /// The numbers, in any order.
    public init(arrayLiteral numbers: Number...) { self.init(numbers) }
}
