import MartletBytes
import MartletMIME

extension IMAPCursor {
    // date-time = DQUOTE date-day-fixed "-" date-month "-" date-year SP time SP zone DQUOTE
    /// A date with its time. From a server, anything that can be read as one.
    package mutating func internalDate() throws(ParseFailure) -> MailDate {
        let start = index
        let text = try string()
        if let date = Self.dateTime(text) { return date }
        guard !isStrict, let date = MailDate.parse(text).value else {
            index = start
            throw failure("date-time")
        }
        return date
    }

    /// ` 1-Jan-2026 09:30:00 +0100`, exactly.
    private static func dateTime(_ text: ArraySlice<UInt8>) -> MailDate? {
        guard text.count == 26 else { return nil }
        let base = text.startIndex
        func digits(_ range: Range<Int>) -> Int? {
            var value = 0
            for offset in range {
                let octet = text[base + offset]
                guard octet.isDigit else {
                    // The day may begin with a space.
                    if offset == 0, octet == ASCII.space { continue }
                    return nil
                }
                value = value * 10 + Int(octet - ASCII.zero)
            }
            return value
        }
        let colon = UInt8(ascii: ":")
        let marks: [(Int, UInt8)] = [
            (2, ASCII.hyphen), (6, ASCII.hyphen), (11, ASCII.space), (14, colon), (17, colon),
            (20, ASCII.space),
        ]
        for (offset, mark) in marks where text[base + offset] != mark { return nil }
        let name = text[(base + 3)..<(base + 6)]
        guard let month = months.firstIndex(where: { $0.utf8.equalsIgnoringCase(name) }),
            let day = digits(0..<2), let year = digits(7..<11), let hour = digits(12..<14),
            let minute = digits(15..<17), let second = digits(18..<20), let zone = digits(22..<26)
        else { return nil }
        let sign = text[base + 21]
        let isNegative = sign == ASCII.hyphen
        guard isNegative || sign == UInt8(ascii: "+"), 1_900...9_999 ~= year, day >= 1,
            day <= MailDate.length(ofMonth: month + 1, year: year), hour < 24,
            minute < 60, second <= 60, zone % 100 < 60, zone < 2_400
        else { return nil }
        let days = MailDate.daysSinceEpoch(year: year, month: month + 1, day: day)
        let offset = (zone / 100 * 60 + zone % 100) * (isNegative ? -1 : 1)
        let local = Int64(days) * 86_400 + Int64(hour * 3_600 + minute * 60 + second)
        return MailDate(secondsSinceEpoch: local - Int64(offset) * 60, offsetInMinutes: offset)
    }

    /// The names of the months, as IMAP writes them.
    static let months = [
        "Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec",
    ]
}
