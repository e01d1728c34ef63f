/// A moment in a certificate, to the second.
public struct TLSTime: Sendable, Hashable, Comparable, CustomStringConvertible {
    /// Seconds since 1970-01-01 00:00:00 UTC.
    public let secondsSinceEpoch: Int64

    /// A moment.
    public init(secondsSinceEpoch: Int64) { self.secondsSinceEpoch = secondsSinceEpoch }

    /// Earlier first.
    public static func < (left: TLSTime, right: TLSTime) -> Bool {
        left.secondsSinceEpoch < right.secondsSinceEpoch
    }

    /// `2026-11-30 09:05:00 UTC`.
    public var description: String {
        func digits(_ number: Int64, _ width: Int) -> String {
            let text = String(number)
            return String(repeating: "0", count: max(0, width - text.count)) + text
        }
        let second = ((secondsSinceEpoch % 86400) + 86400) % 86400
        // Days are counted from 0000-03-01, so that the leap day is the last of its year; 400 years
        // have 146,097 days.
        let days = (secondsSinceEpoch - second) / 86400 + 719_468
        let era = (days >= 0 ? days : days - 146_096) / 146_097
        let dayOfEra = days - era * 146_097
        let yearOfEra = (dayOfEra - dayOfEra / 1460 + dayOfEra / 36524 - dayOfEra / 146_096) / 365
        let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
        let shifted = (5 * dayOfYear + 2) / 153
        let day = dayOfYear - (153 * shifted + 2) / 5 + 1
        let month = shifted < 10 ? shifted + 3 : shifted - 9
        let year = yearOfEra + era * 400 + (month <= 2 ? 1 : 0)
        return "\(digits(year, 4))-\(digits(month, 2))-\(digits(day, 2)) "
            + "\(digits(second / 3600, 2)):\(digits(second / 60 % 60, 2)):\(digits(second % 60, 2)) UTC"
    }
}
