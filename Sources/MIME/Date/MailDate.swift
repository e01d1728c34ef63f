import MartletBytes

/// A moment and the offset of the clock that showed it: the value of a `Date` field.
///
/// There is no clock in here; callers give the time.
public struct MailDate: Hashable, Sendable {
    /// The first and last second that a clock with offset 0 can say in a `Date` field: from the start of 1 Jan 1900 to the
    /// end of 31 Dec 9999. RFC 5322 §3.3 (year of four digits, not before 1900).
    public static let secondsRange: ClosedRange<Int64> = -2_208_988_800...253_402_300_799
    /// The offsets that are in use on Earth and beyond, in minutes.
    public static let offsetRange: ClosedRange<Int> = -1_439...1_439

    /// Seconds since 1 Jan 1970, 00:00:00 UTC.
    public let secondsSinceEpoch: Int64
    /// Minutes east of UTC.
    public let offsetInMinutes: Int

    /// Makes a date. Where the offset is outside of `offsetRange`, or what the clock shows outside of `secondsRange`, it
    /// becomes the nearest inside.
    public init(secondsSinceEpoch: Int64, offsetInMinutes: Int = 0) {
        func clamp<Value>(_ value: Value, to range: ClosedRange<Value>) -> Value {
            min(max(value, range.lowerBound), range.upperBound)
        }
        let offset = clamp(offsetInMinutes, to: Self.offsetRange)
        let first = Self.secondsRange.lowerBound - Int64(offset) * 60
        let last = Self.secondsRange.upperBound - Int64(offset) * 60
        self.secondsSinceEpoch = clamp(secondsSinceEpoch, to: first...last)
        self.offsetInMinutes = offset
    }

    /// `Mon, 30 Nov 2026 03:22:55 +0100`, RFC 5322 §3.3.
    public var text: String {
        let local = secondsSinceEpoch + Int64(offsetInMinutes) * 60
        let day = Int((local - (local % 86_400 + 86_400) % 86_400) / 86_400)
        let second = Int(local - Int64(day) * 86_400)
        let date = Self.civil(daysSinceEpoch: day)
        let zone = abs(offsetInMinutes)
        return Self.weekdays[((day + 4) % 7 + 7) % 7] + ", \(date.day) "
            + Self.months[date.month - 1] + " \(date.year) "
            + Self.two(second / 3_600) + ":" + Self.two(second / 60 % 60) + ":"
            + Self.two(second % 60) + (offsetInMinutes < 0 ? " -" : " +")
            + Self.two(zone / 60) + Self.two(zone % 60)
    }

    private static let weekdays = ["Sun", "Mon", "Tue", "Wed", "Thu", "Fri", "Sat"]
    private static let months = [
        "Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec",
    ]

    private static func two(_ number: Int) -> String { (number < 10 ? "0" : "") + String(number) }

    /// The days of a month, 1 to 12, of the Gregorian calendar.
    package static func length(ofMonth month: Int, year: Int) -> Int {
        if month == 2 {
            return year % 4 == 0 && (year % 100 != 0 || year % 400 == 0) ? 29 : 28
        }
        return month == 4 || month == 6 || month == 9 || month == 11 ? 30 : 31
    }

    /// Days since 1 Jan 1970 of a day of the Gregorian calendar after the year 1600.
    package static func daysSinceEpoch(year: Int, month: Int, day: Int) -> Int {
        // Counted from 1 March 1600, as in `civil`.
        let marchMonth = month > 2 ? month - 3 : month + 9
        let years = (month > 2 ? year : year - 1) - 1_600
        return years * 365 + years / 4 - years / 100 + years / 400 + (153 * marchMonth + 2) / 5
            + day - 1 - 135_080
    }

    /// Day, month and year of the Gregorian calendar.
    private static func civil(daysSinceEpoch: Int) -> (year: Int, month: Int, day: Int) {
        // Counted from 1 March 1600, so that a leap day is the last day of its year and of its cycle
        // of 4, 100 and 400 years: each division below needs only its last piece held back.
        let cycles = (daysSinceEpoch + 135_080).quotientAndRemainder(dividingBy: 146_097)
        let centuries = min(cycles.remainder / 36_524, 3)
        let inCentury = cycles.remainder - centuries * 36_524
        let inFour = inCentury % 1_461
        let years = min(inFour / 365, 3)
        let dayOfYear = inFour - years * 365
        // March starts at 0; five months of 31, 30, 31, 30, 31 days make 153.
        let month = (5 * dayOfYear + 2) / 153
        let year = 1_600 + cycles.quotient * 400 + centuries * 100 + inCentury / 1_461 * 4 + years
        return (
            month < 10 ? year : year + 1, month < 10 ? month + 3 : month - 9,
            dayOfYear - (153 * month + 2) / 5 + 1
        )
    }
}

extension MailDate: CustomStringConvertible {
    /// `text`.
    public var description: String { text }
}
