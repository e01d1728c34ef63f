import MartletBytes

extension MboxScanner {
    /// Octets of a header section in which Content-Length is looked for.
    private static let headerLimitInOctets = 256 * 1024
    /// How many messages are looked at to find the variant.
    private static let detectionCount = 16
    /// Octets of each such message in which a `From ` line is looked for.
    private static let detectionLimitInOctets = 1 << 20

    /// The message at `start`, if its Content-Length is right: a separator or the end stands behind as many
    /// octets of body and one or two line ends.
    mutating func messageByLength(
        at start: Int
    ) throws(FileError) -> (range: Range<Int>, next: Separator?)? {
        let told = try window.look(at: start, count: Self.headerLimitInOctets) { octets, base in
            let end = min(start - base + Self.headerLimitInOctets, octets.count)
            let stretch = UnsafeRawBufferPointer(rebasing: octets[..<end])
            return ContentLengthField.read(in: stretch, from: start - base).map {
                (bodyStart: $0.bodyStart + base, length: $0.length)
            }
        }
        guard let told, told.length <= sizeInOctets - told.bodyStart else { return nil }
        let end = told.bodyStart + told.length
        let size = sizeInOctets
        let (place, isEnd) = try window.glance(at: end, count: 5) { octets, base in
            var place = end - base
            for _ in 0..<2 where place < octets.count {
                if octets[place] == ASCII.lf {
                    place += 1
                } else if place + 1 < octets.count, octets[place] == ASCII.cr,
                    octets[place + 1] == ASCII.lf
                {
                    place += 2
                }
            }
            return (base + place, base + place == size)
        }
        if isEnd { return (start..<end, nil) }
        guard let next = try judge(place, position: .told) else { return nil }
        return (start..<end, next)
    }

    /// Finds out whether Content-Length counts in this mbox, and whether lines are escaped besides.
    ///
    /// Each of the first messages must have a right one: a single message could bring it along.
    mutating func detectVariant(first: Separator) throws(FileError) -> MboxVariant {
        var separator = first
        var hasFromLine = false
        for _ in 0..<Self.detectionCount {
            guard let told = try messageByLength(at: separator.range.upperBound) else {
                return .mboxrd
            }
            if !hasFromLine { hasFromLine = try holdsFromLine(told.range) }
            guard let next = told.next else { break }
            separator = next
        }
        return hasFromLine ? .mboxcl2 : .mboxcl
    }

    /// Whether a line of `range` starts with `From `.
    private func holdsFromLine(_ range: Range<Int>) throws(FileError) -> Bool {
        let count = min(range.count, Self.detectionLimitInOctets)
        return try window.glance(at: range.lowerBound, count: count) { octets, base in
            var place = range.lowerBound - base
            let end = min(place + count, octets.count)
            // In bounds: `place` < `end` <= `octets.count`.
            while place < end {
                if MboxSeparatorLine.hasPrefix(octets, at: place) { return true }
                guard let lineEnd = octets.firstOffset(of: ASCII.lf, in: place..<end) else { break }
                place = lineEnd + 1
            }
            return false
        }
    }
}

/// The Content-Length field of a message in an mbox.
enum ContentLengthField {
    /// The name in lower case.
    static let name = Array("content-length".utf8)

    /// The length and where the body starts. `nil` if the header section has no end, no such field, two
    /// that differ, or one that is no number.
    static func read(
        in octets: UnsafeRawBufferPointer, from start: Int
    ) -> (bodyStart: Int, length: Int)? {
        var length: Int?
        var place = start
        // In bounds: `place` < `octets.count`, and a line goes from there to the octet before `lineEnd`.
        while place < octets.count, let lineEnd = octets.firstOffset(of: ASCII.lf, from: place) {
            // A message without an end of its header section must not make this read on to the end of
            // the file: no field starts so.
            if place != start, MboxSeparatorLine.hasPrefix(octets, at: place) { return nil }
            var line = octets[place..<lineEnd]
            if line.last == ASCII.cr { line.removeLast() }
            if line.isEmpty { return length.map { (lineEnd + 1, $0) } }
            if let value = value(of: line) {
                guard let number = number(value), length == nil || length == number else {
                    return nil
                }
                length = number
            }
            place = lineEnd + 1
        }
        return nil
    }

    /// What stands behind the colon, if the line is this field.
    private static func value(
        of line: Slice<UnsafeRawBufferPointer>
    ) -> Slice<UnsafeRawBufferPointer>? {
        guard line.count > name.count,
            zip(line, name).allSatisfy({ $0.lowercased == $1 })
        else { return nil }
        let rest = line.dropFirst(name.count).drop(while: \.isBlank)
        return rest.first == 0x3A ? rest.dropFirst() : nil
    }

    /// Digits between blanks; 18 of them at most, which no file exceeds.
    private static func number(_ value: Slice<UnsafeRawBufferPointer>) -> Int? {
        let digits = value.drop(while: \.isBlank).prefix(while: \.isDigit)
        let rest = value.drop(while: \.isBlank).dropFirst(digits.count)
        guard 1...18 ~= digits.count, rest.allSatisfy(\.isBlank) else { return nil }
        return digits.reduce(0) { $0 * 10 + Int($1 - ASCII.zero) }
    }
}
