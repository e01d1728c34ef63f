import MartletBytes

extension DateReader {
    // time-of-day = hour ":" minute [ ":" second ] ; RFC 5322 §3.3, with [CFWS] around all of them in §4.3
    mutating func readTime(hour: Number) -> Bool {
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

    mutating func readBasicTime() {
        guard octets[index].isDigit else { return }
        let number = digits()
        guard number.digits == 4 || number.digits == 6 else { return }
        time = TimeOfDay(
            start: number.start, hour: number.cut(0, 2).value, minute: number.cut(2, 2).value,
            second: number.digits == 6 ? number.cut(4, 2).value : 0)
    }

    // MARK: Zones by number

    // zone = (FWS ( "+" / "-" ) 4DIGIT) / obs-zone ; RFC 5322 §3.3
    mutating func readSign() {
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
}
