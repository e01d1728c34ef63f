extension MessageNumberSet {
    /// Adds one number.
    public mutating func insert(_ number: Number) { insert(number.rawValue...number.rawValue) }

    /// Adds all numbers of a range.
    public mutating func insert(_ range: ClosedRange<Number>) {
        insert(range.lowerBound.rawValue...range.upperBound.rawValue)
    }

    mutating func insert(_ range: ClosedRange<UInt32>) {
        if let last = ranges.last {
            if range.lowerBound > last.upperBound, range.lowerBound - 1 > last.upperBound {
                return ranges.append(range)
            }
        } else {
            return ranges.append(range)
        }
        // All ranges that touch or overlap become one.
        let start = firstRange(endingAtOrAfter: range.lowerBound == 0 ? 0 : range.lowerBound - 1)
        var end = start
        var low = range.lowerBound
        var high = range.upperBound
        while end < ranges.count,
            ranges[end].lowerBound <= high || ranges[end].lowerBound - 1 == high
        {
            low = min(low, ranges[end].lowerBound)
            high = max(high, ranges[end].upperBound)
            end += 1
        }
        ranges.replaceSubrange(start..<end, with: CollectionOfOne(low...high))
    }

    /// Takes one number away, if it is in a range. An open end stays as it is.
    public mutating func remove(_ number: Number) {
        self = subtracting(Self(number))
    }

    /// Adds all of `other`.
    public mutating func formUnion(_ other: Self) {
        if ranges.isEmpty {
            ranges = other.ranges
        } else if other.ranges.count > 8 {
            ranges = Self.merged(ranges, other.ranges)
        } else {
            for range in other.ranges { insert(range) }
        }
        switch (openEnd, other.openEnd) {
        case (_, nil): break
        case (.from(let own)?, .from(let others)?): openEnd = .from(min(own, others))
        case (.from?, .last?): break
        case (_, let others): openEnd = others
        }
    }

    /// All of both.
    public func union(_ other: Self) -> Self {
        var set = self
        set.formUnion(other)
        return set
    }

    private static func merged(
        _ left: [ClosedRange<UInt32>], _ right: [ClosedRange<UInt32>]
    ) -> [ClosedRange<UInt32>] {
        var result: [ClosedRange<UInt32>] = []
        result.reserveCapacity(left.count + right.count)
        var i = 0
        var j = 0
        while i < left.count || j < right.count {
            let takesLeft =
                j == right.count || i < left.count && left[i].lowerBound <= right[j].lowerBound
            let next = takesLeft ? left[i] : right[j]
            if takesLeft { i += 1 } else { j += 1 }
            if let last = result.last,
                next.lowerBound <= last.upperBound || next.lowerBound - 1 == last.upperBound
            {
                if next.upperBound > last.upperBound {
                    result[result.count - 1] = last.lowerBound...next.upperBound
                }
            } else {
                result.append(next)
            }
        }
        return result
    }

    /// What is in both, as far as it can be told: the open ends of both count as "from there on", `*` alone as nothing.
    public func intersection(_ other: Self) -> Self {
        var result = Self()
        let left = closedRanges
        let right = other.closedRanges
        var i = 0
        var j = 0
        while i < left.count, j < right.count {
            let low = max(left[i].lowerBound, right[j].lowerBound)
            let high = min(left[i].upperBound, right[j].upperBound)
            if low <= high { result.ranges.append(low...high) }
            if left[i].upperBound < right[j].upperBound { i += 1 } else { j += 1 }
        }
        return result
    }

    /// What is in this one and not in `other`, as far as it can be told; see `intersection`.
    public func subtracting(_ other: Self) -> Self {
        var result = Self()
        let holes = other.closedRanges
        var j = 0
        for range in closedRanges {
            var low = range.lowerBound
            var isOver = false
            while j < holes.count, holes[j].upperBound < low { j += 1 }
            var k = j
            while k < holes.count, holes[k].lowerBound <= range.upperBound {
                if holes[k].lowerBound > low { result.ranges.append(low...holes[k].lowerBound - 1) }
                guard holes[k].upperBound < range.upperBound else {
                    isOver = true
                    break
                }
                low = holes[k].upperBound + 1
                k += 1
            }
            if !isOver { result.ranges.append(low...range.upperBound) }
        }
        if openEnd != nil, other.openEnd == nil { result.reopen(like: self) }
        return result
    }

    /// What its ranges hold up to `last`, and its open end: what may be asked of a mailbox whose last number that is, where
    /// servers refuse the others.
    public func limited(toLast last: Number) -> Self {
        guard let first = Number(1) else { return self }
        var result = self
        result.openEnd = nil
        result = result.intersection(Self(first...last))
        result.openEnd = openEnd
        return result
    }

    /// What it holds below `number`; its open end counts as far as that, `*` alone not at all.
    public func below(_ number: Number) -> Self {
        guard let first = Number(1), number > first, let last = Number(number.rawValue - 1) else {
            return []
        }
        return intersection(Self(first...last))
    }

    /// The set in pieces of at most `count` numbers each; as it is where its end is open, or where that were more than
    /// `pieceLimit` pieces: then its numbers are not all of messages.
    public func pieces(ofAtMost count: Int) -> [Self] {
        let size = max(1, count)
        guard let all = self.count, all > size, all / size < Self.pieceLimit else { return [self] }
        var pieces: [Self] = []
        var piece = Self()
        var room = size
        for range in ranges {
            var low = range.lowerBound
            while true {
                let taken = min(room, Int(range.upperBound - low) + 1)
                let high = low + UInt32(taken - 1)
                piece.ranges.append(low...high)
                room -= taken
                if room == 0 {
                    pieces.append(piece)
                    (piece, room) = (Self(), size)
                }
                guard high < range.upperBound else { break }
                low = high + 1
            }
        }
        if !piece.isEmpty { pieces.append(piece) }
        return pieces
    }

    /// How many pieces a set is cut into by count.
    private static var pieceLimit: Int { 1_000 }

    // The open end as a range up to the largest number.
    private var closedRanges: [ClosedRange<UInt32>] {
        guard case .from(let first) = openEnd else { return ranges }
        var set = self
        set.openEnd = nil
        set.insert(first.rawValue...UInt32.max)
        return set.ranges
    }

    // A range up to the largest number that came from an open end becomes one again.
    private mutating func reopen(like set: Self) {
        guard case .from = set.openEnd else { return openEnd = set.openEnd }
        guard let last = ranges.last, last.upperBound == UInt32.max,
            let first = Number(last.lowerBound)
        else { return }
        ranges.removeLast()
        openEnd = .from(first)
    }
}
