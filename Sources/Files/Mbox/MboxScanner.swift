import MartletBytes
import MartletMIME

/// Finds the separator lines of an mbox.
struct MboxScanner: Sendable {
    /// A separator line and what it says.
    struct Separator: Sendable {
        var range: Range<Int>
        var sender: String?
        var date: MailDate?
        var hasSimpleSender: Bool
        var isMozilla: Bool
    }

    /// What a separator may look like without a date: learned from the first one.
    private struct Habit: Sendable {
        var isMozilla = false
        var isUndated = false
    }

    /// Octets that must be at hand behind the start of a line to judge it: the line, and the name of the
    /// header field that follows.
    private static let lookaheadInOctets = 2 * MboxSeparatorLine.limitInOctets
    /// Octets before a line that say whether the line before is empty.
    private static let lookbehindInOctets = 3

    var window: OctetWindow
    private var habit = Habit()

    init(_ window: OctetWindow) { self.window = window }

    var sizeInOctets: Int { window.sizeInOctets }

    /// The first separator. Behind a byte order mark and empty lines it may be without a date.
    mutating func firstSeparator() throws(FileError) -> Separator? {
        let start = try window.look(at: 0, count: Self.lookaheadInOctets) { octets, _ in
            var offset = octets.starts(with: [0xEF, 0xBB, 0xBF]) ? 3 : 0
            let limit = min(octets.count, Self.lookaheadInOctets / 2)
            while offset < limit, octets[offset] == ASCII.lf || octets[offset] == ASCII.cr {
                offset += 1
            }
            return offset
        }
        let first =
            if let separator = try judge(start, position: .fileStart) {
                separator
            } else {
                try nextSeparator(from: start, behind: -1)
            }
        habit.isMozilla = first?.isMozilla ?? false
        habit.isUndated = first.map { $0.date == nil && $0.hasSimpleSender } ?? false
        return first
    }

    /// The message behind a separator, and the separator that ends it.
    mutating func message(
        behind separator: Separator, trustingLength isTrusting: Bool
    ) throws(FileError) -> (range: Range<Int>, next: Separator?) {
        let start = separator.range.upperBound
        if isTrusting, let told = try messageByLength(at: start) { return told }
        let next = try nextSeparator(from: start, behind: start)
        let end = next?.range.lowerBound ?? sizeInOctets
        let from = max(start, end - Self.lookbehindInOctets)
        let isLast = next == nil
        let cut = try window.glance(at: from, count: end - from) { octets, base in
            Self.lineEndCount(before: end - base, from: start - base, in: octets, isLast: isLast)
        }
        return (start..<end - cut, next)
    }

    /// The octets of the line end that belongs to the separator. At the end of the file only an empty
    /// line is left out, since most files end with the line end of the last message.
    private static func lineEndCount(
        before end: Int, from start: Int, in octets: UnsafeRawBufferPointer, isLast: Bool
    ) -> Int {
        let start = max(start, 0)
        guard end > start, octets[end - 1] == ASCII.lf else { return 0 }
        let count = end - 1 > start && octets[end - 2] == ASCII.cr ? 2 : 1
        guard isLast else { return count }
        return end - count == start || octets[end - count - 1] == ASCII.lf ? count : 0
    }

    // MARK: Lines

    /// The next separator at or behind `offset`, which is the start of a line.
    ///
    /// - Parameter message: where the message began: a `From ` line there is a part of it.
    private mutating func nextSeparator(
        from offset: Int, behind message: Int
    ) throws(FileError) -> Separator? {
        var cursor = offset
        var isLineStart = true
        while cursor < sizeInOctets {
            // What stands before the line must be in the window with it.
            let from = max(0, cursor - Self.lookbehindInOctets)
            let size = sizeInOctets
            let found = try window.look(
                at: from, count: Self.lookbehindInOctets + Self.lookaheadInOctets
            ) { octets, base in
                Self.candidate(
                    in: octets, base: base, from: cursor, isLineStart: isLineStart,
                    isEnd: base + octets.count == size)
            }
            cursor = found.offset
            isLineStart = found.isLineStart
            guard found.isCandidate else { continue }
            if cursor != message, let separator = try judge(cursor, position: .inside) {
                return separator
            }
            // Not a separator: the search goes on inside of the line.
            cursor += 5
            isLineStart = false
        }
        return nil
    }

    private struct Found {
        var offset: Int
        var isLineStart: Bool
        var isCandidate = false
    }

    /// The next line that starts with `From `, or how far the window was searched.
    ///
    /// Every access is inside: `place` is below `octets.count` where an octet is read.
    private static func candidate(
        in octets: UnsafeRawBufferPointer, base: Int, from cursor: Int, isLineStart: Bool,
        isEnd: Bool
    ) -> Found {
        var place = cursor - base
        var isLineStart = isLineStart
        while place < octets.count {
            if isLineStart, octets[place] == 0x46 {
                if place + 5 > octets.count {
                    guard isEnd else { break }  // a larger window will show it
                } else if MboxSeparatorLine.hasPrefix(octets, at: place) {
                    return Found(offset: base + place, isLineStart: true, isCandidate: true)
                }
            }
            guard let lineEnd = octets.firstOffset(of: ASCII.lf, from: place) else {
                return Found(offset: base + octets.count, isLineStart: false)
            }
            place = lineEnd + 1
            isLineStart = true
        }
        return Found(offset: base + place, isLineStart: isLineStart)
    }

    // MARK: Judging a line

    enum Position {
        /// The first line that is not empty.
        case fileStart
        /// A line behind another.
        case inside
        /// Where a Content-Length says that the message ends.
        case told
    }

    /// Whether the line at `offset` is a separator here.
    mutating func judge(_ offset: Int, position: Position) throws(FileError) -> Separator? {
        let from = max(0, offset - Self.lookbehindInOctets)
        let count = Self.lookbehindInOctets + Self.lookaheadInOctets
        let habit = habit
        func judge(_ octets: UnsafeRawBufferPointer, _ base: Int) -> Separator? {
            Self.judge(offset - base, in: octets, base: base, position: position, habit: habit)
        }
        // A length may lead anywhere, and often wrongly: the window stays.
        return position == .told
            ? try window.glance(at: from, count: count, judge)
            : try window.look(at: from, count: count, judge)
    }

    private static func judge(
        _ start: Int, in octets: UnsafeRawBufferPointer, base: Int, position: Position,
        habit: Habit
    ) -> Separator? {
        let limit = min(octets.count, start + MboxSeparatorLine.limitInOctets)
        guard start < limit, MboxSeparatorLine.hasPrefix(octets, at: start) else { return nil }
        let lineEnd = octets[start..<limit].firstIndex(of: ASCII.lf)
        // Without its end the line must be the last of the file.
        guard lineEnd != nil || limit < start + MboxSeparatorLine.limitInOctets else { return nil }
        var textEnd = lineEnd ?? limit
        if textEnd > start, octets[textEnd - 1] == ASCII.cr { textEnd -= 1 }
        let text = UnsafeRawBufferPointer(rebasing: octets[start..<textEnd])
        guard let line = MboxSeparatorLine(text) else { return nil }
        let next = lineEnd.map { $0 + 1 } ?? limit
        let isBehindEmptyLine = position == .told || isEmptyLine(before: start, in: octets)
        let isSeparator =
            if position == .fileStart {
                line.date != nil || startsField(at: next, in: octets)
            } else if line.date != nil {
                isBehindEmptyLine || startsField(at: next, in: octets)
            } else if line.isMozilla {
                habit.isMozilla && startsField(at: next, in: octets)
            } else {
                habit.isUndated && line.hasSimpleSender && isBehindEmptyLine
                    && startsField(at: next, in: octets)
            }
        guard isSeparator else { return nil }
        return Separator(
            range: base + start..<base + next, sender: line.senderText(in: text), date: line.date,
            hasSimpleSender: line.hasSimpleSender, isMozilla: line.isMozilla)
    }

    /// Whether the line that ends before `start` is empty.
    private static func isEmptyLine(before start: Int, in octets: UnsafeRawBufferPointer) -> Bool {
        guard start >= 1, octets[start - 1] == ASCII.lf else { return false }
        guard start >= 2 else { return true }
        if octets[start - 2] == ASCII.lf { return true }
        guard octets[start - 2] == ASCII.cr else { return false }
        return start == 2 || octets[start - 3] == ASCII.lf
    }

    /// Whether a header field stands at `offset`: a name and a colon, as RFC 5322 §2.2 and obs- forms
    /// have it; also a `>From ` line, which old mailers put in front.
    private static func startsField(at offset: Int, in octets: UnsafeRawBufferPointer) -> Bool {
        if offset < octets.count, octets[offset] == ASCII.greater {
            return MboxSeparatorLine.hasPrefix(octets, at: offset + 1)
        }
        var place = offset
        let limit = min(octets.count, offset + 256)
        while place < limit, 33...126 ~= octets[place], octets[place] != 0x3A { place += 1 }
        guard place > offset else { return false }
        while place < limit, octets[place].isBlank { place += 1 }
        return place < limit && octets[place] == 0x3A
    }
}
