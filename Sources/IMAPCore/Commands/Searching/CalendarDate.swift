import MartletMIME

/// A day, without a time of day or a zone. RFC 9051 §9 `date`.
public struct CalendarDate: Hashable, Comparable, Sendable, CustomStringConvertible {
    /// The year, 1 to 9999.
    public let year: Int
    /// The month, 1 to 12.
    public let month: Int
    /// The day of the month, from 1.
    public let day: Int

    /// Makes one; `nil` for a day that does not exist.
    public init?(year: Int, month: Int, day: Int) {
        guard 1...9_999 ~= year, 1...12 ~= month, day >= 1,
            day <= MailDate.length(ofMonth: month, year: year)
        else { return nil }
        self.year = year
        self.month = month
        self.day = day
    }

    /// By time.
    public static func < (left: CalendarDate, right: CalendarDate) -> Bool {
        (left.year, left.month, left.day) < (right.year, right.month, right.day)
    }

    /// `1-Feb-1994`.
    public var description: String {
        let digits = String(year)
        return "\(day)-\(IMAPCursor.months[month - 1])-"
            + String(repeating: "0", count: 4 - digits.utf8.count) + digits
    }
}
