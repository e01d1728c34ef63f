import MartletBytes

extension MailDate {
    /// Reads the value of a `Date` field, or the date of any other, tolerantly. Never fails; takes time
    /// linear in the length of the value.
    ///
    /// RFC 5322 §3.3 with the obsolete forms of §4.3 (comments and folding everywhere, years of two and
    /// three digits, zones by name), and what else is found in mail: a missing or wrong day of the week,
    /// long names, names of months in other languages of Europe, no seconds, fractions of a second, `8:44 PM`, month first, year last (`asctime`),
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
    /// - Parameter limits: `valueSizeInOctets`; what is beyond is not read.
    /// - Returns: the date, `nil` if there is none, and what was wrong.
    public static func parse(
        _ octets: some Collection<UInt8>, limits: MIMELimits = .standard
    ) -> Parsed<MailDate?> {
        octets.readField(within: limits) { octets in
            guard octets.hasEncodedWord else {
                var reader = DateReader(octets)
                return reader.read()
            }
            // Nothing in a date is ever encoded (RFC 2047 §5), and what is encoded even so is the date.
            let text = HeaderText.decode(octets[0..<octets.count][...], limits: limits).value
            let date = text.utf8.withFieldOctets { octets in
                var reader = DateReader(octets)
                return reader.read().value
            }
            return Parsed(date, defects: [Defect(.invalidDate, at: 0)])
        }
    }

    /// Reads a date from text; see `parse(_:)` for octets.
    public static func parse(_ text: String) -> Parsed<MailDate?> { parse(text.utf8) }
}

extension FieldOctets {
    /// Whether the start of an encoded word is somewhere.
    fileprivate var hasEncodedWord: Bool {
        UnsafeRawBufferPointer(buffer(0..<count)).firstOffset(
            of: ASCII.equals, before: UInt8(ascii: "?"), from: 0) != nil
    }
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
    mutating func skipSpaceAndComments() {
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
    mutating func digits() -> Number {
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
        if isDateKnown, time != nil, zone == .missing, number.digits == 4, number.isOffset,
            octets[number.start - 1].isFoldingSpace
        {
            // Only the sign is missing, and most clocks are east of UTC.
            zone = .number(number.value / 100 * 60 + number.value % 100)
            defects.append(Defect(.invalidDate, at: 0))
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

    /// Whether it may be hours and minutes that a clock is off UTC.
    var isOffset: Bool { value <= 1_400 && value % 100 < 60 }

    /// The value, or one that is out of every range if there are more than two digits.
    var small: Int { digits <= 2 ? value : 99 }
}
