import MartletBytes

/// Reads `authres-payload` of RFC 8601 §2.2.
struct AuthenticationResultsReader {
    private let octets: FieldOctets
    private let limits: MIMELimits
    private var index = 0
    private var count = 0
    private var field = AuthenticationResults()
    private var defects: [Defect] = []
    /// The first comment since the last result began.
    private var comment: Range<Int>?

    init(_ octets: FieldOctets, limits: MIMELimits) {
        self.octets = octets
        self.limits = limits
    }

    // authres-payload = [CFWS] authserv-id [ CFWS authres-version ] ( no-result / 1*resinfo ) [CFWS] ; RFC 8601 §2.2
    mutating func read() -> Parsed<AuthenticationResults> {
        readInstance()
        readServer()
        while index < octets.count, count < limits.parameterCount {
            skipSpaceAndComments()
            if octets[index] == UInt8(ascii: ";") { index += 1 }
            readResult()
        }
        if index < octets.count {
            defects.append(Defect(.limitReached, at: index, limit: "parameterCount"))
        }
        return Parsed(field, defects: defects)
    }

    // arc-info = instance [CFWS] ";" authres-payload ; RFC 8617 §4.1.1
    private mutating func readInstance() {
        skipSpaceAndComments()
        let start = position
        guard octets.has("i", at: index) else { return }
        index += 1
        skipSpaceAndComments()
        if octets[index] == ASCII.equals {
            index += 1
            skipSpaceAndComments()
            if let number = number() {
                skipSpaceAndComments()
                if octets[index] == UInt8(ascii: ";") {
                    index += 1
                    field.instance = number
                    return
                }
            }
        }
        goBack(to: start)
    }

    private mutating func readServer() {
        skipSpaceAndComments()
        let start = position
        let name = value(isKey: false)
        skipSpaceAndComments()
        let isResult = octets[start.index] != ASCII.quote && name.utf8.contains(ASCII.equals)
        if isResult || octets[index] == ASCII.equals || name.isEmpty {
            // The first result stands where the server should be.
            goBack(to: start)
            defects.append(Defect(.invalidValue, at: index))
            return
        }
        field.authservID = name
        if let version = number() { field.version = version }
    }

    // resinfo = [CFWS] ";" methodspec [ CFWS reasonspec ] [ CFWS 1*propspec ] ; RFC 8601 §2.2
    private mutating func readResult() {
        comment = nil
        skipSpaceAndComments()
        let start = index
        guard index < octets.count, octets[index] != UInt8(ascii: ";") else { return }
        let name = value(isKey: true)
        skipSpaceAndComments()
        var version: Int?
        if octets[index] == UInt8(ascii: "/") {
            index += 1
            skipSpaceAndComments()
            version = number()
            skipSpaceAndComments()
        }
        guard octets[index] == ASCII.equals, !name.isEmpty else {
            let isNone = name.utf8.map(\.lowercased).elementsEqual("none".utf8)
            if !isNone { defects.append(Defect(.invalidValue, at: start)) }
            skipToSemicolon()
            return
        }
        index += 1
        skipSpaceAndComments()
        var result = AuthenticationResults.Result(
            method: lowercased(name), result: lowercased(value(isKey: false)))
        result.methodVersion = version
        count += 1
        readProperties(of: &result)
        if let comment {
            let text = HeaderText.decodeComment(octets[comment][...], limits: limits).value
            result.comment = withoutControlCharacters(text, replacement: " ").nonEmpty
        }
        field.results.append(result)
    }

    // propspec = ptype [CFWS] "." [CFWS] property [CFWS] "=" pvalue ; RFC 8601 §2.2
    private mutating func readProperties(of result: inout AuthenticationResults.Result) {
        var isOdd = false
        while true {
            skipSpaceAndComments()
            guard index < octets.count, octets[index] != UInt8(ascii: ";"),
                count < limits.parameterCount
            else { return }
            let start = index
            var name = lowercased(value(isKey: true))
            skipSpaceAndComments()
            while octets[index] == ASCII.dot
                || (name.utf8.last == ASCII.dot && isKeyOctet(octets[index]))
            {
                // White space around the dot.
                name += lowercased(value(isKey: true))
                skipSpaceAndComments()
            }
            guard octets[index] == ASCII.equals, !name.isEmpty else {
                if !isOdd { defects.append(Defect(.invalidValue, at: start)) }
                isOdd = true
                if index == start { index += 1 }
                continue
            }
            index += 1
            skipSpaceAndComments()
            let value = value(isKey: false)
            if name == "reason" {
                result.reason = result.reason ?? value
                continue
            }
            count += 1
            let dot = name.utf8.firstIndex(of: ASCII.dot)
            result.properties.append(
                AuthenticationResults.Property(
                    type: dot.map { String(name[..<$0]) } ?? "",
                    name: dot.map { String(name[name.utf8.index(after: $0)...]) } ?? name,
                    value: value))
        }
    }

    // MARK: Places

    private var position: (index: Int, defectCount: Int) { (index, defects.count) }

    /// Reads again from `start`, where what was found behind it will be found again.
    private mutating func goBack(to start: (index: Int, defectCount: Int)) {
        index = start.index
        defects.removeLast(defects.count - start.defectCount)
    }

    // MARK: Words

    /// A quoted string without its quotes, or the octets up to white space, a semicolon or a comment; of a key also
    /// up to `=` and `/`.
    private mutating func value(isKey: Bool) -> String {
        let start = index
        if octets[index] == ASCII.quote, let end = octets.quotedString(at: index),
            end <= octets.count
        {
            index = end
            return shownText(octets.unescaped((start + 1)..<(end - 1))[...])
        }
        while index < octets.count, isKey ? isKeyOctet(octets[index]) : isValueOctet(octets[index])
        {
            index += 1
        }
        return octets.shown(start..<index)
    }

    private func isValueOctet(_ octet: UInt8) -> Bool {
        !octet.isFoldingSpace && octet != UInt8(ascii: ";") && octet != UInt8(ascii: "(")
    }

    private func isKeyOctet(_ octet: UInt8) -> Bool {
        isValueOctet(octet) && octet != ASCII.equals && octet != UInt8(ascii: "/")
            && octet > ASCII.space
    }

    private func lowercased(_ text: String) -> String {
        String(decoding: text.utf8.map(\.lowercased), as: UTF8.self)
    }

    private mutating func number() -> Int? {
        let start = index
        var number = 0
        while octets[index].isDigit, index - start < 9 {
            number = number * 10 + Int(octets[index] & 0x0F)
            index += 1
        }
        return index > start ? number : nil
    }

    private mutating func skipSpaceAndComments() {
        while true {
            index = octets.skippingSpace(from: index)
            guard octets[index] == UInt8(ascii: "(") else { return }
            let start = index
            if let end = octets.comment(at: index) {
                index = end.end
                if comment == nil { comment = (start + 1)..<(index - 1) }
            } else {
                // All the rest is in the comment.
                defects.append(Defect(.unclosedComment, at: start))
                index = octets.count
            }
        }
    }

    private mutating func skipToSemicolon() {
        while index < octets.count, octets[index] != UInt8(ascii: ";") {
            let start = index
            _ = value(isKey: false)
            skipSpaceAndComments()
            if index == start { index += 1 }
        }
    }
}
