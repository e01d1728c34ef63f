import MartletBytes

/// The value of a `Keywords` field, or of another that is a list of phrases. RFC 5322 §3.6.5.
public struct Keywords: Hashable, Sendable {
    /// The phrases in their order, decoded. Empty ones are left out.
    public var phrases: [String]

    /// A list of `phrases`.
    public init(_ phrases: [String] = []) { self.phrases = phrases }

    /// Reads the value of a field, which may be folded. Commas in quoted strings, comments and encoded words
    /// separate nothing. Never fails; takes time linear in its length.
    ///
    /// - Parameter limits: `valueSizeInOctets`, and `parameterCount` for the number of phrases; what is beyond is
    ///   not in the list.
    public static func parse(
        _ octets: some Collection<UInt8>, limits: MIMELimits = .standard
    ) -> Parsed<Keywords> {
        // keywords = "Keywords:" phrase *("," phrase) CRLF ; RFC 5322 §3.6.5
        octets.readField(within: limits) { octets in
            var scanner = AddressScanner(octets, keepsEncodedWords: true)
            var keywords = Keywords()
            var defects: [Defect] = []
            /// Adds a phrase; `false` at the limit.
            func add(_ range: Range<Int>) -> Bool {
                let range = octets.trimmed(range)
                let phrase = HeaderText.decodePhrase(octets[range][...], limits: limits)
                guard phrase.value.isEmpty || keywords.phrases.count < limits.parameterCount else {
                    defects.append(
                        Defect(.limitReached, at: range.lowerBound, limit: "parameterCount"))
                    return false
                }
                defects += phrase.defects.map { $0.moved(by: range.lowerBound) }
                if !phrase.value.isEmpty { keywords.phrases.append(phrase.value) }
                return true
            }
            var start = 0
            while let token = scanner.next() {
                guard token.kind == .comma else { continue }
                guard add(start..<token.start) else { return Parsed(keywords, defects: defects) }
                start = token.end
            }
            _ = add(start..<octets.count)
            return Parsed(keywords, defects: defects)
        }
    }
}
