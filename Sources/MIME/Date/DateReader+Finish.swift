import MartletBytes

/// A time of day as it was written.
struct TimeOfDay {
    var start = 0
    var hour = 0
    var minute = 0
    var second = 0
    /// From `AM` and `PM`.
    var isAfternoon: Bool?

    /// Seconds since midnight, `nil` if a number is out of its range. RFC 5322 §3.3: a leap second is 60.
    var seconds: Int? {
        var hour = hour
        if let isAfternoon, (1...12).contains(hour) { hour = hour % 12 + (isAfternoon ? 12 : 0) }
        let isMidnight = hour == 24 && minute == 0 && second == 0
        guard hour < 24 || isMidnight, minute < 60, second <= 60 else { return nil }
        return hour * 3_600 + minute * 60 + second
    }
}

extension DateReader {
    /// The date of what has been gathered.
    mutating func finish() -> MailDate? {
        guard let date = dayMonthYear() else { return nil }
        let days = MailDate.daysSinceEpoch(year: date.year, month: date.month, day: date.day)
        if let weekday, weekday.number != ((days + 4) % 7 + 7) % 7 {
            defects.append(Defect(.invalidDate, at: weekday.start))
        }
        var offset = 0
        switch zone {
        case .named(let minutes), .number(let minutes): offset = minutes
        case .missing: defects.append(Defect(.missingZone, at: octets.count))
        }
        guard let time else {
            defects.append(Defect(.invalidDate, at: octets.count))
            return MailDate(secondsSinceEpoch: Int64(days) * 86_400)
        }
        guard let seconds = time.seconds else {
            defects.append(Defect(.dateOutOfRange, at: time.start))
            return nil
        }
        if time.hour == 24 { defects.append(Defect(.dateOutOfRange, at: time.start)) }
        let shown = Int64(days) * 86_400 + Int64(seconds)
        // The end of the last day, or its leap second, is in the year 10000.
        guard MailDate.secondsRange.contains(shown) else {
            defects.append(Defect(.dateOutOfRange, at: time.start))
            return nil
        }
        return MailDate(
            secondsSinceEpoch: shown - Int64(offset) * 60, offsetInMinutes: offset)
    }

    /// Which number is what. Adds the defect where it is no date.
    private mutating func dayMonthYear() -> (year: Int, month: Int, day: Int)? {
        guard isDateKnown else {
            defects.append(Defect(.invalidDate, at: 0))
            return nil
        }
        var (day, year) = (numbers.0, numbers.1)
        var monthNumber: Int
        if let month {
            // A number that can be no day is the year.
            if day.digits >= 3 || day.value > 31 { swap(&day, &year) }
            if month.position != 1 || day.start > year.start {
                defects.append(Defect(.invalidDate, at: 0))
            }
            monthNumber = month.number
        } else {
            defects.append(Defect(.invalidDate, at: 0))
            // Three numbers with blanks between are a date only beside a time.
            let separator = octets[numbers.1.start - 1]
            guard time != nil || !separator.isFoldingSpace else { return nil }
            if numbers.0.digits >= 3 {
                (year, monthNumber, day) = (numbers.0, numbers.1.small, numbers.2)
            } else {
                let first = numbers.0.small
                let second = numbers.1.small
                let isMonthFirst =
                    separator == UInt8(ascii: "/") ? first <= 12 : first <= 12 && second > 12
                monthNumber = isMonthFirst ? first : second
                day = isMonthFirst ? numbers.1 : numbers.0
                year = numbers.2
            }
        }
        let yearNumber = fullYear(year)
        guard (1_900...9_999).contains(yearNumber), (1...12).contains(monthNumber),
            day.digits <= 2, day.value >= 1,
            day.value <= MailDate.length(ofMonth: monthNumber, year: yearNumber)
        else {
            defects.append(Defect(.dateOutOfRange, at: numbers.0.start))
            return nil
        }
        return (yearNumber, monthNumber, day.value)
    }

    // obs-year ; RFC 5322 §4.3: two digits are 1950 to 2049, three are years since 1900.
    private mutating func fullYear(_ number: Number) -> Int {
        switch number.digits {
        case 1:
            defects.append(Defect(.invalidDate, at: number.start))
            return 2_000 + number.value
        case 2: return number.value + (number.value < 50 ? 2_000 : 1_900)
        case 3: return number.value + 1_900
        case 4: return number.value
        default: return .max
        }
    }
}
