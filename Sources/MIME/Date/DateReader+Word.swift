import MartletBytes

extension DateReader {
    /// Reads a name: of a month, a day of the week, a half of the day or a zone.
    mutating func readWord() {
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
        if word.count == 3, month == nil, let number = DateNames.foreignMonth(code) {
            month = (number, numberCount)
            defects.append(Defect(.invalidDate, at: 0))
            return
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
