import MartletBytes

/// The boundaries of the multiparts that are open, innermost last. RFC 2046 §5.1.1.
///
/// A candidate line is hashed once and compared by hash, so that the cost does not grow with the number of open
/// multiparts times the length of the line.
struct BoundaryStack {
    struct Boundary {
        /// The place of the multipart among the open parts.
        var level: Int
        var octets: [UInt8]
        var hash: UInt64
        /// Whether lines are compared with it; if not, the first line that looks like a delimiter makes it.
        var isKnown: Bool
        /// Whether it was found in the body, because the one of the parameter is not there.
        var isFound = false
    }

    /// What a line that starts with `--` is.
    enum Match: Equatable {
        case none
        /// The delimiter of the boundary at this place; a body part follows.
        case delimiter(Int, hasJunk: Bool)
        /// The closing delimiter of the boundary at this place.
        case closing(Int, hasJunk: Bool)
    }

    private(set) var boundaries: [Boundary] = []
    private var longest = 0
    private var shortest = Int.max
    /// What the boundaries begin with, as many octets as the shortest has, at most four.
    private var prefixes = BitSet()
    /// The hashes of the boundaries.
    private var hashes = BitSet()
    /// How many wait for the first line that looks like a delimiter, having no boundary parameter.
    private var unknownCount = 0
    /// How many were found in the body.
    private(set) var foundCount = 0

    var isEmpty: Bool { boundaries.isEmpty }
    subscript(place: Int) -> Boundary { boundaries[place] }
    var last: Boundary? { boundaries.last }

    /// Opens a multipart. Without octets, the first line that looks like a delimiter makes them.
    mutating func push(_ octets: [UInt8], level: Int) {
        if octets.isEmpty { unknownCount += 1 }
        boundaries.append(
            Boundary(
                level: level, octets: octets, hash: Self.hash(octets[...]),
                isKnown: !octets.isEmpty))
        note(boundaries.count - 1)
    }

    /// Adds a boundary to what lines are refused by before they are looked at as a whole.
    private mutating func note(_ place: Int) {
        let boundary = boundaries[place]
        guard boundary.isKnown else { return }
        longest = max(longest, boundary.octets.count)
        hashes.insert(boundary.hash)
        if boundary.octets.count < min(shortest, Self.prefixLimit) {
            shortest = boundary.octets.count
            prefixes = BitSet()
            for known in boundaries where known.isKnown {
                prefixes.insert(prefix(of: known.octets))
            }
        } else {
            shortest = min(shortest, boundary.octets.count)
            prefixes.insert(prefix(of: boundary.octets))
        }
    }

    private static let prefixLimit = 4

    private func prefix(of octets: [UInt8]) -> UInt64 {
        octets.prefix(min(shortest, Self.prefixLimit)).reduce(Self.hashStart, Self.step)
    }

    /// Whether a line may be a delimiter, by what stands behind its `--`: from `start` on, as far as it has come.
    @inline(__always)
    func mayBegin(_ octets: UnsafeRawBufferPointer, at start: Int) -> Bool {
        if unknownCount > 0, Self.isLikely(octets[start]) { return true }
        let end = start + min(shortest, Self.prefixLimit)
        guard end <= octets.count else { return true }
        var hash = Self.hashStart
        for index in start..<end { hash = Self.step(hash, octets[index]) }
        return prefixes.contains(hash)
    }

    /// Closes the multiparts from `place` on.
    mutating func removeAll(from place: Int) {
        guard place < boundaries.count else { return }
        for boundary in boundaries[place...] {
            if !boundary.isKnown { unknownCount -= 1 }
            if boundary.isFound { foundCount -= 1 }
        }
        boundaries.removeSubrange(place...)
        (longest, shortest, prefixes, hashes) = (0, .max, BitSet(), BitSet())
        for place in boundaries.indices { note(place) }
    }

    /// What a line is that starts with `--`; `content` is the line without its line end.
    mutating func match(_ octets: UnsafeRawBufferPointer, _ content: Range<Int>) -> Match {
        let text = Self.text(octets, content)
        let found = matchKnown(text)
        if found != .none || unknownCount == 0 { return found }
        return adopt(text)
    }

    /// Whether the line is a delimiter or a closing delimiter of a boundary that is known.
    func isDelimiter(_ octets: UnsafeRawBufferPointer, _ content: Range<Int>) -> Bool {
        !isEmpty && matchKnown(Self.text(octets, content)) != .none
    }

    /// The line without `--` and without the blanks that gateways put behind it.
    static func text(
        _ octets: UnsafeRawBufferPointer, _ content: Range<Int>
    ) -> UnsafeRawBufferPointer {
        let start = content.lowerBound + 2
        var end = content.upperBound
        while end > start, octets[end - 1].isBlank { end -= 1 }
        return UnsafeRawBufferPointer(rebasing: octets[start..<max(start, end)])
    }

    private func matchKnown(_ line: UnsafeRawBufferPointer) -> Match {
        guard line.count >= shortest else { return .none }
        var hashes = Hashes(line, longest: longest)
        // The longest boundary wins: the whole line before the line without its "--".
        if let whole = hashes.whole, let place = place(of: whole, line[...]) {
            return .delimiter(place, hasJunk: false)
        }
        if let closing = hashes.closing, let place = place(of: closing, line.dropLast(2)) {
            return .closing(place, hasJunk: false)
        }
        // RFC 2046 §5.1.1: it is sufficient that the boundary is at the start of the line.
        while let (count, hash) = hashes.nextWord() {
            let isClosing =
                count >= 2 && line[count - 1] == ASCII.hyphen
                && line[count - 2] == ASCII.hyphen
            if let place = place(of: hash, line.prefix(count)) {
                // `--b --`: the blank is the last one of the parameter, which `ContentTypeField.boundary` is without.
                return Self.isClosing(line.dropFirst(count))
                    ? .closing(place, hasJunk: true) : .delimiter(place, hasJunk: true)
            }
            if isClosing, let place = place(of: hashes.hashBeforeDashes, line.prefix(count - 2)) {
                return .closing(place, hasJunk: true)
            }
        }
        return .none
    }

    /// Whether what is behind a boundary is blanks and two hyphens.
    private static func isClosing(_ rest: Slice<UnsafeRawBufferPointer>) -> Bool {
        rest.drop(while: \.isBlank).elementsEqual("--".utf8)
    }

    private func place(of hash: UInt64, _ text: Slice<UnsafeRawBufferPointer>) -> Int? {
        guard hashes.contains(hash) else { return nil }
        return boundaries.lastIndex {
            $0.hash == hash && $0.octets.count == text.count && $0.isKnown
                && $0.octets.elementsEqual(text)
        }
    }

    /// Takes the line as the delimiter of the innermost multipart that has no boundary parameter.
    private mutating func adopt(_ line: UnsafeRawBufferPointer) -> Match {
        let isLikely =
            !line.isEmpty && line.count <= 70
            && line.allSatisfy(Self.isLikely)
            && line.contains { $0 != ASCII.hyphen }
        guard isLikely, let place = boundaries.lastIndex(where: { !$0.isKnown }) else {
            return .none
        }
        set(place, to: line)
        return .delimiter(place, hasJunk: false)
    }

    private static func isLikely(_ octet: UInt8) -> Bool {
        octet > ASCII.space && octet < ASCII.del
    }

    private mutating func set(_ place: Int, to line: UnsafeRawBufferPointer) {
        if !boundaries[place].isKnown { unknownCount -= 1 }
        boundaries[place].isKnown = true
        boundaries[place].octets = [UInt8](line)
        boundaries[place].hash = Self.hash(boundaries[place].octets[...])
        note(place)
    }

    // MARK: Boundaries that are not as their parameter says

    /// Gives the innermost multipart another boundary: what a line is behind its `--`.
    mutating func replaceLast(with line: UnsafeRawBufferPointer) {
        let place = boundaries.count - 1
        set(place, to: line)
        if !boundaries[place].isFound { foundCount += 1 }
        boundaries[place].isFound = true
    }

    /// Whether a line, without its `--`, has the letters and digits of the innermost boundary, in any case.
    func resemblesLast(_ line: UnsafeRawBufferPointer) -> Bool {
        guard let last = boundaries.last, last.isKnown, line.count <= last.octets.count + 8,
            !line.suffix(2).elementsEqual("--".utf8)
        else { return false }
        let letters = line.lazy.filter { $0.isLetter || $0.isDigit }.map(\.lowercased)
        let wanted = last.octets.lazy.filter { $0.isLetter || $0.isDigit }.map(\.lowercased)
        return !letters.isEmpty && letters.elementsEqual(wanted)
    }

    @inline(__always)
    static func step(_ hash: UInt64, _ octet: UInt8) -> UInt64 {
        (hash ^ UInt64(octet)) &* 0x0000_0100_0000_01B3
    }

    static let hashStart: UInt64 = 0xCBF2_9CE4_8422_2325

    private static func hash(_ octets: ArraySlice<UInt8>) -> UInt64 {
        octets.reduce(hashStart, step)
    }

    /// Hashes by their last ten bits: what it does not contain was not put in.
    private struct BitSet {
        private var words = [UInt64](repeating: 0, count: 16)

        mutating func insert(_ hash: UInt64) {
            words[Int(hash >> 6 & 15)] |= 1 << (hash & 63)
        }

        @inline(__always)
        func contains(_ hash: UInt64) -> Bool {
            words[Int(hash >> 6 & 15)] & 1 << (hash & 63) != 0
        }
    }

    /// The hashes of a line, of the line without its last two octets, and of its starts that end at a blank.
    private struct Hashes {
        private let line: UnsafeRawBufferPointer
        /// Where a start of the line may end; 0 if no blank is there.
        private var limit = 0
        private(set) var whole: UInt64?
        private(set) var closing: UInt64?
        private var offset = 0
        private var running = BoundaryStack.hashStart
        private(set) var hashBeforeDashes = BoundaryStack.hashStart
        private var one = BoundaryStack.hashStart

        init(_ line: UnsafeRawBufferPointer, longest: Int) {
            self.line = line
            let end = min(line.count, longest + 3)
            let dashes = line.count - 2
            var hash = BoundaryStack.hashStart
            var hasBlank = false
            for index in 0..<end {
                if index == dashes, line[index] == ASCII.hyphen, line[index + 1] == ASCII.hyphen {
                    closing = hash
                }
                if line[index].isBlank { hasBlank = true }
                hash = BoundaryStack.step(hash, line[index])
            }
            if hasBlank { limit = min(line.count, longest + 2) }
            guard line.count <= longest + 2 else {
                closing = nil
                return
            }
            whole = hash
        }

        /// The next start of the line that a blank follows: its length and hash.
        mutating func nextWord() -> (count: Int, hash: UInt64)? {
            while offset < limit {
                hashBeforeDashes = one
                one = running
                running = BoundaryStack.step(running, line[offset])
                offset += 1
                if offset < line.count, line[offset].isBlank { return (offset, running) }
            }
            return nil
        }
    }
}
