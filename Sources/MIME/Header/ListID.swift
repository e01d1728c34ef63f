import MartletBytes

/// The value of a `List-ID` field: the name of a mailing list that does not change. RFC 2919.
public struct ListID: Hashable, Sendable {
    /// The name for people, decoded.
    public var description: String?
    /// The name in brackets, such as `commonspace.list-id.within.com`. It means the same in any case.
    public var identifier: String

    /// A list with its identifier.
    public init(_ identifier: String, description: String? = nil) {
        self.identifier = identifier
        self.description = description
    }

    /// Reads the value of the field, which may be folded. Never fails; takes time linear in its length.
    ///
    /// - Returns: the list; `nil` with `invalidValue` where there is no identifier. One without brackets is taken, with a
    ///   defect, if nothing else is there.
    public static func parse(
        _ octets: some Collection<UInt8>, limits: MIMELimits = .standard
    ) -> Parsed<ListID?> {
        // list-id-header = "List-ID:" [phrase] "<" list-id ">" CRLF ; RFC 2919 §3
        octets.readField(within: limits) { octets in
            var scanner = AddressScanner(octets, keepsEncodedWords: true)
            var open: Int?
            var close: Int?
            var words: [Range<Int>] = []
            while let token = scanner.next(), close == nil {
                switch token.kind {
                case .less: open = token.start
                case .greater where open != nil: close = token.start
                case .comment: break
                default:
                    if open == nil, words.count < 2, words.last?.upperBound == token.start {
                        words[words.count - 1] = words[words.count - 1].lowerBound..<token.end
                    } else if open == nil, words.count < 2 {
                        words.append(token.range)
                    }
                }
            }
            guard let open else {
                guard words.count == 1, let only = words.first else {
                    return Parsed(nil, defects: [Defect(.invalidValue, at: 0)])
                }
                let text = shownText(octets.unescaped(octets.unquoted(only))[...])
                return Parsed(
                    text.nonEmpty.map { ListID($0) }, defects: [Defect(.invalidValue, at: 0)])
            }
            var phrase = HeaderText.decodePhrase(octets[0..<open][...], limits: limits)
            if close == nil { phrase.defects.append(Defect(.unclosedBracket, at: open)) }
            let content = octets[(open + 1)..<(close ?? octets.count)].filter { !$0.isFoldingSpace }
            guard !content.isEmpty else {
                return Parsed(nil, defects: phrase.defects + [Defect(.invalidValue, at: open)])
            }
            return Parsed(
                ListID(shownText(content[...]), description: phrase.value.nonEmpty),
                defects: phrase.defects)
        }
    }
}

extension FieldOctets {
    /// `range` without the quotes at both ends.
    func unquoted(_ range: Range<Int>) -> Range<Int> {
        guard range.count >= 2, self[range.lowerBound] == ASCII.quote,
            self[range.upperBound - 1] == ASCII.quote
        else { return range }
        return (range.lowerBound + 1)..<(range.upperBound - 1)
    }
}
