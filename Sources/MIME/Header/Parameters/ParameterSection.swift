import MartletBytes

/// A parameter whose name has the signs of RFC 2231: `name*`, `name*0` or `name*0*`.
struct ParameterSection {
    /// The name in lower case, without the signs.
    var name: String
    /// Which section it is; `nil` for the whole value in one, `name*`.
    var number: Int?
    /// Whether the value is percent-encoded, the first with its charset and language.
    var isExtended: Bool
    var octets: [UInt8]
    /// Where the value stands.
    var start: Int
    /// Whether the name says what the value is.
    var hasStar = true

    /// `nil` if the name is none of that kind.
    init?(name: Range<Int>, value: ParameterCursor.Value, in octets: Span<UInt8>) {
        let star = UInt8(ascii: "*")
        guard let first = name.first(where: { octets[$0] == star }), first > name.lowerBound else {
            return nil
        }
        var index = first + 1
        var number: Int?
        while index < name.upperBound, octets[index].isDigit {
            let digit = Int(octets[index] - ASCII.zero)
            // Far above any limit: no need to tell such numbers apart.
            number = min((number ?? 0) * 10 + digit, 1_000_000_000)
            index += 1
        }
        var isExtended = number == nil
        if number != nil, index < name.upperBound, octets[index] == star {
            isExtended = true
            index += 1
        }
        guard index == name.upperBound else { return nil }
        self.name = octets.lowercasedName(name.lowerBound..<first)
        self.number = number
        self.isExtended = isExtended
        self.octets = value.gathered ?? octets.array(value.range)
        start = value.start
    }

    /// `filename="utf-8''%C3%A4.txt"`: some programs forget the star.
    init?(
        name: Range<Int>, withoutStar value: ParameterCursor.Value, in octets: Span<UInt8>
    ) {
        guard value.gathered == nil, octets.isPercentEncoded(value.range) else { return nil }
        let name = octets.lowercasedName(name)
        guard name == "filename" || name == "name" else { return nil }
        self.name = name
        isExtended = true
        self.octets = octets.array(value.range)
        start = value.start
        hasStar = false
    }
}

extension Span<UInt8> {
    /// Whether `range` is `charset'language'` of a charset that can be read, and text with percent-encoded octets.
    fileprivate func isPercentEncoded(_ range: Range<Int>) -> Bool {
        let (labelLimit, languageLimit) = (20, 10)
        let apostrophe = UInt8(ascii: "'")
        guard let first = range.prefix(labelLimit).first(where: { self[$0] == apostrophe }),
            let second = range[(first + 1)...].prefix(languageLimit).first(where: {
                self[$0] == apostrophe
            }), FieldCharset(label: extracting(range.lowerBound..<first)).isKnown
        else { return false }
        return range[(second + 1)...].dropLast(2).contains { index in
            self[index] == UInt8(ascii: "%") && self[index + 1].hexValue != nil
                && self[index + 2].hexValue != nil
        }
    }
}

/// The value that sections of one name are together. RFC 2231 §3, §4, §4.1.
///
/// They may come in any order, with gaps, and begin with any number. The first extended section says the
/// charset for all; those that are not extended are taken as they are, percent signs included. Octets
/// are joined before they are decoded, since programs cut characters between sections.
struct JoinedSections {
    private(set) var value = ""
    /// The octets of the value, before its charset is applied.
    private(set) var octets: [UInt8] = []
    private(set) var language: String?
    private(set) var defects: [Defect] = []

    private var charset: FieldCharset?
    private var label: [UInt8] = []

    init(_ sections: [ParameterSection], limits: MIMELimits) {
        let chosen = choose(sections)
        for section in chosen {
            guard section.isExtended else {
                octets += section.octets
                continue
            }
            let text =
                charset == nil
                ? withoutCharset(section.octets, at: section.start)
                : withoutRepeatedCharset(section.octets)
            if !octets.append(percentEncoded: text) {
                defects.append(Defect(.invalidParameter, at: section.start))
            }
        }
        decode(at: chosen[0].start, limits: limits)
    }

    /// The sections in their order, each number once. The whole value in one wins over sections.
    private mutating func choose(_ sections: [ParameterSection]) -> [ParameterSection] {
        var chosen: [ParameterSection] = []
        // Sorting is stable: the first of a number comes first.
        for section in Self.sorted(sections) {
            guard let last = chosen.last else {
                chosen.append(section)
                continue
            }
            if last.number == section.number {
                defects.append(Defect(.repeatedParameter, at: section.start))
                continue
            }
            if last.number == nil { break }
            if let number = section.number, let before = last.number, number != before + 1 {
                defects.append(Defect(.invalidParameter, at: section.start))
            }
            chosen.append(section)
        }
        if let number = chosen[0].number, number > 0 {
            defects.append(Defect(.invalidParameter, at: chosen[0].start))
        }
        return chosen
    }

    private static func sorted(_ sections: [ParameterSection]) -> [ParameterSection] {
        func number(_ section: ParameterSection) -> Int { section.number ?? -1 }
        let isSorted = zip(sections, sections.dropFirst()).allSatisfy { number($0) <= number($1) }
        return isSorted ? sections : sections.sorted { number($0) < number($1) }
    }

    // MARK: Charset

    /// Reads `charset'language'` and gives what is behind it; everything if there is no such thing.
    private mutating func withoutCharset(
        _ octets: [UInt8], at start: Int
    ) -> ArraySlice<UInt8> {
        charset = FieldCharset.none
        let apostrophe = UInt8(ascii: "'")
        guard let first = octets.firstIndex(of: apostrophe), first <= 80 else {
            defects.append(Defect(.invalidParameter, at: start))
            return octets[...]
        }
        label = octets[..<first].map(\.lowercased)
        let known = FieldCharset(label: label.span)
        let isKnown = known.isKnown
        let second = octets[(first + 1)...].prefix(while: \.isUsualInLanguage).endIndex
        if second < octets.count, octets[second] == apostrophe,
            isKnown || label.allSatisfy({ $0.isUsualInLanguage || $0 == UInt8(ascii: "_") })
        {
            charset = known
            if !isKnown, !label.isEmpty { defects.append(Defect(.unknownCharset, at: start)) }
            if second > first + 1 {
                language = String(decoding: octets[(first + 1)..<second], as: UTF8.self)
            }
            return octets[(second + 1)...]
        }
        defects.append(Defect(.invalidParameter, at: start))
        guard isKnown else {
            label = []
            return octets[...]
        }
        charset = known
        return octets[(first + 1)...]
    }

    /// Some programs put the charset before every section.
    private func withoutRepeatedCharset(_ octets: [UInt8]) -> ArraySlice<UInt8> {
        let apostrophe = UInt8(ascii: "'")
        guard !label.isEmpty, octets.count > label.count, octets[label.count] == apostrophe,
            zip(octets, label).allSatisfy({ $0.lowercased == $1 })
        else { return octets[...] }
        let rest = octets[(label.count + 1)...]
        let second = rest.prefix(while: \.isUsualInLanguage).endIndex
        guard second < octets.count, octets[second] == apostrophe else { return rest }
        return octets[(second + 1)...]
    }

    // MARK: Octets

    private mutating func decode(at start: Int, limits: MIMELimits) {
        var builder = HeaderTextBuilder(limits: limits, expectedSize: octets.count)
        if let charset, charset != .none {
            builder.decoded(octets, charset: charset, at: start)
        } else {
            builder.text(0..<octets.count, of: octets.span)
        }
        let parsed = builder.finish()
        value = parsed.value
        for defect in parsed.defects {
            defects.append(Defect(defect.kind, at: start, limit: defect.limit))
        }
    }
}

extension [UInt8] {
    /// Appends text in which `%41` stands for an octet; other `%` stand for themselves. RFC 3986 §2.1, RFC 2231 §4.
    ///
    /// - Returns: whether there was none of the others.
    mutating func append(percentEncoded text: ArraySlice<UInt8>) -> Bool {
        var isClean = true
        var index = text.startIndex
        while index < text.endIndex {
            let octet = text[index]
            index += 1
            guard octet == UInt8(ascii: "%") else {
                append(octet)
                continue
            }
            if index + 1 < text.endIndex, let high = text[index].hexValue,
                let low = text[index + 1].hexValue
            {
                append(high << 4 | low)
                index += 2
            } else {
                isClean = false
                append(octet)
            }
        }
        return isClean
    }
}

extension UInt8 {
    /// What languages, and names of charsets, are made of.
    fileprivate var isUsualInLanguage: Bool { isLetter || isDigit || self == ASCII.hyphen }
}
