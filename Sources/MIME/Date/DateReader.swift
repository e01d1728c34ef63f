import MartletBytes

extension MailDate {
    /// Reads the value of a `Date` field, or the date of any other, tolerantly. Never fails; takes time
    /// linear in the length of the value.
    ///
    /// RFC 5322 §3.3 with the obsolete forms of §4.3 (comments and folding everywhere, years of two and
    /// three digits, zones by name), and what else is found in mail: a missing or wrong day of the week,
    /// long names, no seconds, fractions of a second, `8:44 PM`, month first, year last (`asctime`),
    /// ISO 8601, numbers only (`26.03.2003`; `3/26/2003` and `4/3/2003` are month first), text before a
    /// semicolon.
    ///
    /// - A zone that is missing, or whose name says nothing (single letters but `Z`, unknown names), is
    ///   read as UTC, as RFC 5322 §4.3 says, with `missingZone`.
    /// - `24:00:00` is the start of the next day; second 60 is the next second.
    /// - A date without a time of day is read as midnight, with `invalidDate`.
    /// - An hour, day, month, year or other number out of its range gives no date, with `dateOutOfRange`; what
    ///   is no date at all gives none, with `invalidDate`. A zone out of range is read as UTC.
    ///
    /// - Returns: the date, `nil` if there is none, and what was wrong.
    public static func parse(_ octets: some Collection<UInt8>) -> Parsed<MailDate?> {
        octets.withFieldOctets { octets in
            var reader = DateReader(octets)
            return reader.read()
        }
    }

    /// Reads a date from text; see `parse(_:)` for octets.
    public static func parse(_ text: String) -> Parsed<MailDate?> { parse(text.utf8) }
}

/// Gathers what a date is made of, in whatever order it comes: numbers, a month's name, a time, a zone.
struct DateReader {
    /// Digits, and what they say.
    struct Number {
        var value = 0
        var digits = 0
        var start = 0
    }

    let octets: FieldOctets
    var index = 0
    var defects: [Defect] = []

    // Day and year; day, month and year if there is no name of a month.
    var numbers = (Number(), Number(), Number())
    var numberCount = 0
    /// The month by its name, and how many numbers came before it.
    var month: (number: Int, position: Int)?
    /// The day of the week by its name, 0 for Sunday.
    var weekday: (number: Int, start: Int)?
    var time: TimeOfDay?
    var zone = Zone.missing

    /// What is known of the zone.
    enum Zone: Equatable {
        case missing
        /// Minutes east of UTC by a name, which a number may still correct: `GMT+0200`.
        case named(Int)
        case number(Int)
    }

    init(_ octets: FieldOctets) { self.octets = octets }

    mutating func read() -> Parsed<MailDate?> {
        while index < octets.count, !isComplete { step() }
        let date = finish()
        if defects.count > 1 { defects.sort { $0.offset < $1.offset } }
        return Parsed(date, defects: defects)
    }

    /// Whether day, month and year have been seen.
    var isDateKnown: Bool { numberCount >= (month == nil ? 3 : 2) }

    // A zone by name may be followed by a year or by digits, a number ends everything.
    private var isComplete: Bool {
        guard isDateKnown, time != nil, case .number = zone else { return false }
        return true
    }

    private mutating func step() {
        let octet = octets[index]
        switch octet {
        case ASCII.space, ASCII.tab:
            index += 1
        case _ where octet.isDigit:
            readNumber()
        case _ where octet.isLetter:
            readWord()
        case UInt8(ascii: "+"), ASCII.hyphen:
            readSign()
        case UInt8(ascii: "("):
            skipComment()
        case UInt8(ascii: ";"):
            // No date has one: what was before it belongs to another field, such as Received.
            self = DateReader(octets, from: index + 1)
        default:
            index += 1
        }
    }

    private init(_ octets: FieldOctets, from index: Int) {
        self.octets = octets
        self.index = index
        defects = [Defect(.invalidDate, at: 0)]
    }

    private mutating func skipComment() {
        if let comment = octets.comment(at: index) {
            index = comment.end
        } else {
            // All the rest is in the comment.
            defects.append(Defect(.unclosedComment, at: index))
            index = octets.count
        }
    }

    /// Behind the folding white space and comments at `index`, which is left where nothing closes one.
    private mutating func skipSpaceAndComments() {
        while true {
            index = octets.skippingSpace(from: index)
            guard octets[index] == UInt8(ascii: "("), let comment = octets.comment(at: index) else {
                return
            }
            index = comment.end
        }
    }

    // MARK: Numbers

    /// The digits at `index`, which there must be. Numbers that are far too large keep their count of digits.
    private mutating func digits() -> Number {
        var number = Number(start: index)
        while octets[index].isDigit {
            if number.digits < 9 { number.value = number.value * 10 + Int(octets[index] & 0x0F) }
            number.digits += 1
            index += 1
        }
        return number
    }

    private mutating func readNumber() {
        let number = digits()
        if time == nil, number.digits <= 2, readTime(hour: number) { return }
        if number.digits == 8, numberCount == 0, month == nil,
            octets[index].lowercased == UInt8(ascii: "t")
        {
            // 20030701T105237, ISO 8601 basic format
            append(number.cut(0, 4))
            append(number.cut(4, 2))
            append(number.cut(6, 2))
            index += 1
            readBasicTime()
            return
        }
        append(number)
    }

    private mutating func append(_ number: Number) {
        switch numberCount {
        case 0: numbers.0 = number
        case 1: numbers.1 = number
        case 2: numbers.2 = number
        default: return
        }
        numberCount += 1
    }

    // time-of-day = hour ":" minute [ ":" second ] ; RFC 5322 §3.3, with [CFWS] around all of them in §4.3
    private mutating func readTime(hour: Number) -> Bool {
        let start = index
        skipSpaceAndComments()
        let sign = octets[index]
        // 10.52.37 is a time only where a date has been: 26.03.2003 is one.
        guard sign == UInt8(ascii: ":") || (sign == ASCII.dot && isDateKnown && index == start)
        else {
            index = start
            return false
        }
        index += 1
        skipSpaceAndComments()
        guard octets[index].isDigit else {
            index = start
            return false
        }
        var read = TimeOfDay(start: hour.start, hour: hour.value, minute: digits().small)
        let end = index
        skipSpaceAndComments()
        if octets[index] == sign {
            index += 1
            skipSpaceAndComments()
            if octets[index].isDigit {
                read.second = digits().small
                if octets[index] == ASCII.dot || octets[index] == UInt8(ascii: ","),
                    octets[index + 1].isDigit
                {
                    index += 1
                    _ = digits()
                }
            }
        } else {
            index = end
        }
        time = read
        return true
    }

    private mutating func readBasicTime() {
        guard octets[index].isDigit else { return }
        let number = digits()
        guard number.digits == 4 || number.digits == 6 else { return }
        time = TimeOfDay(
            start: number.start, hour: number.cut(0, 2).value, minute: number.cut(2, 2).value,
            second: number.digits == 6 ? number.cut(4, 2).value : 0)
    }

    // MARK: Zones by number

    // zone = (FWS ( "+" / "-" ) 4DIGIT) / obs-zone ; RFC 5322 §3.3
    private mutating func readSign() {
        let start = index
        let isEast = octets[index] == UInt8(ascii: "+")
        let isBehindSpace = octets[index - 1].isFoldingSpace
        index += 1
        guard time != nil, isEast || isDateKnown || isBehindSpace else { return }
        let digitsStart = octets.skippingSpace(from: index)
        guard octets[digitsStart].isDigit else { return }
        index = digitsStart
        let number = digits()
        var hours = number.value / 100
        var minutes = number.value % 100
        if number.digits <= 2 {
            (hours, minutes) = (number.value, 0)
            if octets[index] == UInt8(ascii: ":"), octets[index + 1].isDigit {
                index += 1
                minutes = digits().small
            }
        }
        guard number.digits <= 4, hours < 24, minutes < 60 else {
            defects.append(Defect(.dateOutOfRange, at: start))
            zone = .number(0)
            return
        }
        zone = .number((isEast ? 1 : -1) * (hours * 60 + minutes))
    }

    // MARK: Words

    private mutating func readWord() {
        let start = index
        var code: UInt32 = 0
        while octets[index].isLetter {
            if index - start < 4 {
                code |= UInt32(octets[index].lowercased) << UInt32(8 * (index - start))
            }
            index += 1
        }
        let word = start..<index
        if word.count >= 3 {
            let key = code & 0xFF_FFFF
            if month == nil, let number = DateNames.month(key),
                isPrefix(word, DateNames.months[number - 1])
            {
                month = (number, numberCount)
                return
            }
            if weekday == nil, let number = DateNames.weekday(key),
                isPrefix(word, DateNames.weekdays[number])
            {
                weekday = (number, start)
                return
            }
        }
        if word.count == 1, code == UInt32(UInt8(ascii: "t")), time == nil { return }
        // EST5EDT is one word.
        while octets[index].isDigit || octets[index].isLetter { index += 1 }
        readNamed(code, letters: word.count)
    }

    private mutating func readNamed(_ code: UInt32, letters: Int) {
        guard time != nil else { return }
        if letters == 2, DateNames.halfOfDay(code) != nil, time?.isAfternoon == nil {
            time?.isAfternoon = DateNames.halfOfDay(code)
        } else if zone == .missing, letters <= 4, let minutes = DateNames.zone(code) {
            zone = .named(minutes)
        }
    }

    private func isPrefix(_ word: Range<Int>, _ name: StaticString) -> Bool {
        // The first three letters have been compared.
        guard word.count > 3 else { return true }
        return name.withUTF8Buffer { name in
            word.count <= name.count
                && (3..<word.count).allSatisfy {
                    octets[word.lowerBound + $0].lowercased == name[$0]
                }
        }
    }
}

extension DateReader.Number {
    /// `count` of the eight or six digits, from `position` on.
    func cut(_ position: Int, _ count: Int) -> DateReader.Number {
        var value = value
        for _ in (position + count)..<max(digits, position + count) { value /= 10 }
        var modulus = 1
        for _ in 0..<count { modulus *= 10 }
        return DateReader.Number(value: value % modulus, digits: count, start: start + position)
    }

    /// The value, or one that is out of every range if there are more than two digits.
    var small: Int { digits <= 2 ? value : 99 }
}
