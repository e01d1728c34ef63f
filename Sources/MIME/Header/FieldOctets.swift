import MartletBytes

/// The octets of a field's value in memory, for readers that look back and ahead.
///
/// Every place may be asked for: one outside of the value reads as NUL, so that no reader needs a bounds
/// check of its own and none can read past the end. It must not leave the closure that it is given to.
struct FieldOctets {
    private let base: UnsafeBufferPointer<UInt8>
    /// The number of octets.
    let count: Int
    /// Whether there were more than the limit.
    let isCut: Bool

    /// The first octets of `base`, at most `limit` of them.
    init(_ base: UnsafeBufferPointer<UInt8>, limit: Int = .max) {
        self.base = base
        count = min(base.count, max(limit, 0))
        isCut = count < base.count
    }

    /// The octet at `index`; NUL outside.
    @inline(__always)
    subscript(index: Int) -> UInt8 {
        // Unsigned, a negative index is larger than any count; `count` is at most that of `base`.
        UInt(bitPattern: index) < UInt(bitPattern: count) ? base[index] : 0
    }

    /// A copy of the octets of `range`, cut to what is there.
    subscript(range: Range<Int>) -> [UInt8] { [UInt8](buffer(range)) }

    /// The octets of `range` in memory, cut to what is there.
    func buffer(_ range: Range<Int>) -> UnsafeBufferPointer<UInt8> {
        // Clamped to `count`, which is at most that of `base`.
        UnsafeBufferPointer(rebasing: base[range.clamped(to: 0..<count)])
    }

    /// The octets of `range` as text; what is not UTF-8 in them as U+FFFD.
    func text(_ range: Range<Int>) -> String {
        String(decoding: buffer(range), as: UTF8.self)
    }

    /// Whether the octets from `index` on are `word`, given in lower case, in any case.
    func has(_ word: StaticString, at index: Int) -> Bool {
        word.withUTF8Buffer { word in
            for offset in 0..<word.count where self[index + offset].lowercased != word[offset] {
                return false
            }
            return index + word.count <= count
        }
    }

    /// `range` without the white space at both ends.
    func trimmed(_ range: Range<Int>) -> Range<Int> {
        var (start, end) = (range.lowerBound, range.upperBound)
        while start < end, self[start].isFoldingSpace { start += 1 }
        while start < end, self[end - 1].isFoldingSpace { end -= 1 }
        return start..<end
    }

    /// Behind the white space at `index`.
    @inline(__always)
    func skippingSpace(from index: Int) -> Int {
        var index = index
        while self[index].isFoldingSpace { index += 1 }
        return index
    }

    /// Behind the comment that begins at `start`, and how deep it is nested; `nil` if nothing closes it.
    // comment = "(" *([FWS] ccontent) [FWS] ")" ; RFC 5322 §3.2.2. Depth is counted, not recursed.
    func comment(at start: Int) -> (end: Int, depth: Int)? {
        var index = start
        var (depth, deepest) = (0, 0)
        while index < count {
            switch base[index] {
            case ASCII.backslash: index += 1
            case UInt8(ascii: "("):
                depth += 1
                deepest = max(deepest, depth)
            case UInt8(ascii: ")"): depth -= 1
            default: break
            }
            index += 1
            if depth == 0, index <= count { return (index, deepest) }
        }
        return nil
    }

    /// Behind the quoted string that begins at `start`; `nil` if nothing closes it.
    // quoted-string = DQUOTE *([FWS] qcontent) [FWS] DQUOTE ; RFC 5322 §3.2.4
    func quotedString(at start: Int) -> Int? {
        var index = start + 1
        while index < count {
            switch base[index] {
            case ASCII.backslash: index += 2
            case ASCII.quote: return index + 1
            default: index += 1
            }
        }
        return nil
    }

    /// What the quoted string, comment or other text at `range` says: no backslashes, no line ends.
    func unescaped(_ range: Range<Int>) -> [UInt8] {
        var content: [UInt8] = []
        content.reserveCapacity(range.count)
        var isEscaped = false
        for index in range.clamped(to: 0..<count) {
            let octet = base[index]
            if octet == ASCII.backslash, !isEscaped {
                isEscaped = true
                continue
            }
            if octet != ASCII.cr && octet != ASCII.lf { content.append(octet) }
            isEscaped = false
        }
        return content
    }
}

extension Collection<UInt8> {
    /// Calls `body` with these octets in memory, at most `limit` of them.
    func withFieldOctets<Result>(limit: Int = .max, _ body: (FieldOctets) -> Result) -> Result {
        if let result = withContiguousStorageIfAvailable({ body(FieldOctets($0, limit: limit)) }) {
            return result
        }
        return Array(self).withUnsafeBufferPointer { body(FieldOctets($0, limit: limit)) }
    }

    /// Reads these octets, the value of a field, with a defect if they are more than the limit.
    func readField<Value>(
        within limits: MIMELimits, _ read: (FieldOctets) -> Parsed<Value>
    ) -> Parsed<Value> {
        withFieldOctets(limit: limits.valueSizeInOctets) { octets in
            var parsed = read(octets)
            if octets.isCut {
                parsed.defects.append(
                    Defect(.limitReached, at: octets.count, limit: "valueSizeInOctets"))
            }
            return parsed
        }
    }
}
