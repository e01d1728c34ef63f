import MartletBytes
import MartletMIME

/// Reads the date that ends a separator line: `Thu Feb  8 18:49:08 1996`, as `asctime` writes it, and the
/// forms that are seen in its place: with a zone before or behind the year (`+0100`, `PST`), without
/// seconds, with the year before the time, or in the order of RFC 5322 (`Thu, 8 Feb 1996 18:49:08 +0000`).
///
/// `MailDate` reads far more than that, which would take prose for a date: here every word must have the form
/// of a part of the date that is still missing.
/// - Parameter tokens: the words of the line, the first of which must belong to the date.
/// - Returns: `nil` where this is no date, or prose follows it.
func mboxDate(_ line: UnsafeRawBufferPointer, _ tokens: ArraySlice<Range<Int>>) -> MailDate? {
    var form = MboxDateForm()
    var rest = tokens
    if let first = rest.first, DateNames.weekday(key(line[first])) != nil {
        rest.removeFirst()
    } else if tokens.startIndex == 0 {
        return nil  // "From May 5 …" is prose: without a sender there must be a weekday
    }
    while let token = rest.first, form.take(line[token]) { rest.removeFirst() }
    if let next = rest.first {
        // `remote from host` of UUCP and comments are the only things seen behind a date.
        let word = line[next]
        guard word.first == UInt8(ascii: "(") || word.elementsEqual("remote".utf8) else {
            return nil
        }
    }
    guard form.isComplete, let first = tokens.first, let last = tokens[..<rest.startIndex].last
    else { return nil }
    return MailDate.parse(line[first.lowerBound..<last.upperBound]).value
}

/// The first three letters of a word in lower case, the first in the lowest octet; 0 where it is no word.
private func key(_ word: Slice<UnsafeRawBufferPointer>) -> UInt32 {
    let letters = word.last == UInt8(ascii: ",") ? word.dropLast() : word
    guard 3...9 ~= letters.count, letters.allSatisfy(\.isLetter) else { return 0 }
    return letters.prefix(3).reversed().reduce(0) { $0 << 8 | UInt32($1.lowercased) }
}

/// Which parts of a date have been seen.
private struct MboxDateForm {
    private var hasMonth = false
    private var hasDay = false
    private var hasYear = false
    private var hasTime = false
    private var zoneCount = 0

    var isComplete: Bool { hasMonth && hasDay && hasYear && hasTime }

    /// Whether the word is a part of the date that is still missing.
    mutating func take(_ word: Slice<UnsafeRawBufferPointer>) -> Bool {
        if word.first!.isDigit {
            return takeNumber(word.last == UInt8(ascii: ",") ? word.dropLast() : word)
        }
        if !hasMonth, DateNames.month(key(word)) != nil {
            hasMonth = true
            return true
        }
        // A zone stands behind the time only, and there is hardly more than `+0100 CET`.
        guard hasTime, zoneCount < 2, isNumericZone(word) || isNamedZone(word) else { return false }
        zoneCount += 1
        return true
    }

    private mutating func takeNumber(_ word: Slice<UnsafeRawBufferPointer>) -> Bool {
        if word.contains(UInt8(ascii: ":")) {
            guard !hasTime, isTime(word) else { return false }
            hasTime = true
            return true
        }
        guard word.allSatisfy(\.isDigit) else { return false }
        if !hasDay, word.count <= 2 {
            hasDay = true
            return true
        }
        guard !hasYear, word.count == 4 || word.count == 2 && hasTime else { return false }
        hasYear = true
        return true
    }

    /// `hh:mm` or `hh:mm:ss`.
    private func isTime(_ word: Slice<UnsafeRawBufferPointer>) -> Bool {
        let parts = word.split(separator: UInt8(ascii: ":"), omittingEmptySubsequences: false)
        return (parts.count == 2 || parts.count == 3)
            && parts.allSatisfy { 1...2 ~= $0.count && $0.allSatisfy(\.isDigit) }
    }

    /// `+hhmm` or `-hhmm`.
    private func isNumericZone(_ word: Slice<UnsafeRawBufferPointer>) -> Bool {
        word.count == 5 && (word.first == UInt8(ascii: "+") || word.first == ASCII.hyphen)
            && word.dropFirst().allSatisfy(\.isDigit)
    }

    private func isNamedZone(_ word: Slice<UnsafeRawBufferPointer>) -> Bool {
        2...5 ~= word.count && word.allSatisfy { $0 &- 0x41 < 26 }
    }
}
