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
            func add(_ range: Range<Int>) {
                let range = octets.trimmed(range)
                let phrase = HeaderText.decodePhrase(octets[range][...], limits: limits)
                defects += phrase.defects.map {
                    Defect($0.kind, at: $0.offset + range.lowerBound, limit: $0.limit)
                }
                if !phrase.value.isEmpty { keywords.phrases.append(phrase.value) }
            }
            var start = 0
            while let token = scanner.next() {
                guard token.kind == .comma else { continue }
                if keywords.phrases.count >= limits.parameterCount {
                    defects.append(Defect(.limitReached, at: start, limit: "parameterCount"))
                    return Parsed(keywords, defects: defects)
                }
                add(start..<token.start)
                start = token.end
            }
            add(start..<octets.count)
            return Parsed(keywords, defects: defects)
        }
    }
}
