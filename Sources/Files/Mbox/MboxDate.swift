import MartletBytes
import MartletMIME

/// Reads the date that ends a separator line: `Thu Feb  8 18:49:08 1996`, as `asctime` writes it, and the
/// forms that are seen in its place: with a zone before or behind the year (`+0100`, `PST`), without
/// seconds, with the year before the time, or in the order of RFC 5322 (`Thu, 8 Feb 1996 18:49:08 +0000`).
///
/// - Parameter tokens: the words of the line, the first of which must belong to the date.
/// - Returns: `nil` where this is no date, or prose follows it.
func mboxDate(_ line: UnsafeRawBufferPointer, _ tokens: ArraySlice<Range<Int>>) -> MailDate? {
    var fields = MboxDateFields()
    var rest = tokens
    if let first = rest.first, MboxDateFields.weekdays.contains(name(line, first)) {
        rest.removeFirst()
    } else if tokens.startIndex == 0 {
        return nil  // "From May 5 …" is prose: without a sender there must be a weekday
    }
    while let token = rest.first, fields.take(line, token) { rest.removeFirst() }
    if let next = rest.first {
        // `remote from host` of UUCP and comments are the only things seen behind a date.
        guard line[next.lowerBound] == 0x28 || name(line, next) == "rem" else { return nil }
    }
    return fields.date
}

/// The first three letters in lower case, without a comma; empty where it is no word.
private func name(_ line: UnsafeRawBufferPointer, _ token: Range<Int>) -> String {
    let octets = line[token].last == 0x2C ? line[token].dropLast() : line[token]
    guard octets.count >= 3, octets.count <= 9, octets.allSatisfy(\.isLetter) else { return "" }
    return String(decoding: octets.prefix(3).map(\.lowercased), as: UTF8.self)
}

private struct MboxDateFields {
    static let weekdays: Set<String> = ["sun", "mon", "tue", "wed", "thu", "fri", "sat"]
    private static let months = [
        "jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec",
    ]
    private static let zones: [String: Int] = [
        "gmt": 0, "utc": 0, "wet": 0, "est": -300, "edt": -240, "cst": -360, "cdt": -300,
        "mst": -420, "mdt": -360, "pst": -480, "pdt": -420, "cet": 60, "met": 60, "bst": 60,
        "ces": 120, "mes": 120, "eet": 120, "ees": 180, "msk": 180, "jst": 540,
    ]

    private var month: Int?
    private var day: Int?
    private var year: Int?
    private var secondOfDay: Int?
    private var offset: Int?
    private var zoneCount = 0

    /// Whether the word is a part of the date that is still missing.
    mutating func take(_ line: UnsafeRawBufferPointer, _ token: Range<Int>) -> Bool {
        let word = line[token]
        if word.first!.isDigit { return takeNumber(word.last == 0x2C ? word.dropLast() : word) }
        if month == nil, let index = Self.months.firstIndex(of: name(line, token)) {
            month = index + 1
            return true
        }
        // A zone stands behind the time only, and there is hardly more than `+0100 CET`.
        guard secondOfDay != nil, zoneCount < 2 else { return false }
        if let minutes = numericZone(word) {
            offset = minutes
        } else if 2...5 ~= word.count, word.allSatisfy({ $0 &- 0x41 < 26 }) {
            offset = offset ?? Self.zones[name(line, token)]
        } else {
            return false
        }
        zoneCount += 1
        return true
    }

    private mutating func takeNumber(_ word: Slice<UnsafeRawBufferPointer>) -> Bool {
        if word.contains(0x3A) {
            guard secondOfDay == nil, let time = time(word) else { return false }
            secondOfDay = time
            return true
        }
        guard word.count <= 4, let number = number(word) else { return false }
        if word.count == 4 {
            guard year == nil, 1900...2999 ~= number else { return false }
            year = number
        } else if day == nil {
            guard word.count <= 2, 1...31 ~= number else { return false }
            day = number
        } else {
            guard year == nil, word.count == 2, secondOfDay != nil else { return false }
            year = number < 70 ? 2000 + number : 1900 + number
        }
        return true
    }

    /// `hh:mm` or `hh:mm:ss`.
    private func time(_ word: Slice<UnsafeRawBufferPointer>) -> Int? {
        let parts = word.split(separator: 0x3A, omittingEmptySubsequences: false)
        guard parts.count == 2 || parts.count == 3, parts.allSatisfy({ 1...2 ~= $0.count }),
            let hour = number(parts[0]), let minute = number(parts[1]),
            let second = parts.count == 3 ? number(parts[2]) : 0,
            hour < 24, minute < 60, second <= 60
        else { return nil }
        return hour * 3_600 + minute * 60 + second
    }

    /// `+hhmm` or `-hhmm`, in minutes.
    private func numericZone(_ word: Slice<UnsafeRawBufferPointer>) -> Int? {
        guard word.count == 5, word.first == 0x2B || word.first == ASCII.hyphen,
            let digits = number(word.dropFirst()), digits % 100 < 60, digits < 2_400
        else { return nil }
        let minutes = digits / 100 * 60 + digits % 100
        return word.first == ASCII.hyphen ? -minutes : minutes
    }

    /// Decimal digits, four of them at most.
    private func number(_ word: Slice<UnsafeRawBufferPointer>) -> Int? {
        guard 1...4 ~= word.count, word.allSatisfy(\.isDigit) else { return nil }
        return word.reduce(0) { $0 * 10 + Int($1 - ASCII.zero) }
    }

    /// The moment, if nothing but the zone is missing.
    var date: MailDate? {
        guard let month, let day, let year, let secondOfDay else { return nil }
        let offset = offset ?? 0
        // Days since 1 Jan 1970, years counted from March so that the leap day is the last.
        let marchYear = month > 2 ? year : year - 1
        let dayOfYear = (153 * (month > 2 ? month - 3 : month + 9) + 2) / 5 + day - 1
        let days = marchYear * 365 + marchYear / 4 - marchYear / 100 + marchYear / 400 + dayOfYear
        return MailDate(
            secondsSinceEpoch: Int64((days - 719_468) * 86_400 + secondOfDay - offset * 60),
            offsetInMinutes: offset)
    }
}
