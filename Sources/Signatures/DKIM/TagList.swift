import MartletBytes

/// `a=rsa-sha256; d=example.org; …`: names and values. RFC 6376 §3.2.
///
/// Empty items are passed over, and octets above 127 are taken, since domains may be UTF-8 (RFC 8616).
struct TagList: Sendable {
    struct Tag: Sendable {
        var name: String
        /// The value without blanks around it.
        var value: Range<Int>
        /// From behind the `=` to the `;` or the end.
        var span: Range<Int>
    }

    private let octets: [UInt8]
    private(set) var tags: [Tag] = []

    /// Reads `range` of `octets`.
    init(_ octets: [UInt8], in range: Range<Int>, limit: Int) throws(DKIMProblem) {
        self.octets = octets
        var start = range.lowerBound
        while start < range.upperBound {
            let end =
                octets[start..<range.upperBound].firstIndex(of: UInt8(ascii: ";"))
                ?? range.upperBound
            let item = Self.trimmed(start..<end, of: octets)
            if !item.isEmpty {
                guard tags.count < limit else { throw .tooManyTags(limit: limit) }
                try read(item, upTo: end)
            }
            start = end + 1
        }
    }

    private mutating func read(_ item: Range<Int>, upTo end: Int) throws(DKIMProblem) {
        guard let equals = octets[item].firstIndex(of: ASCII.equals) else {
            throw .malformedTagList(offset: item.lowerBound)
        }
        let range = Self.trimmed(item.lowerBound..<equals, of: octets)
        let name = octets[range]
        // tag-name = ALPHA *ALNUMPUNC ; RFC 6376 §3.2
        guard let first = name.first, first.isLetter,
            name.allSatisfy({ $0.isLetter || $0.isDigit || $0 == UInt8(ascii: "_") })
        else { throw .malformedTagList(offset: item.lowerBound) }
        let value = Self.trimmed((equals + 1)..<item.upperBound, of: octets)
        guard octets[value].allSatisfy({ !$0.isControl || $0.isFoldingSpace }) else {
            throw .malformedTagList(offset: value.lowerBound)
        }
        let text = String(decoding: name, as: UTF8.self)
        guard self[text] == nil else { throw .repeatedTag(text) }
        tags.append(Tag(name: text, value: value, span: (equals + 1)..<end))
    }

    /// The tag of that name. Names keep their case.
    subscript(name: String) -> Tag? { tags.first { $0.name == name } }

    /// The value without blanks around it.
    func text(_ name: String) -> String? {
        self[name].map { String(decoding: octets[$0.value], as: UTF8.self) }
    }

    /// The value without any blanks and line ends.
    func packed(_ name: String) -> [UInt8]? {
        self[name].map { octets[$0.value].filter { !$0.isFoldingSpace } }
    }

    /// The items of a value between colons, without blanks around them.
    func items(_ name: String) -> [[UInt8]]? {
        self[name].map { tag in
            octets[tag.value].split(separator: UInt8(ascii: ":"), omittingEmptySubsequences: false)
                .map {
                    [UInt8](octets[Self.trimmed($0.startIndex..<$0.endIndex, of: octets)])
                }
        }
    }

    private static func trimmed(_ range: Range<Int>, of octets: [UInt8]) -> Range<Int> {
        var (start, end) = (range.lowerBound, range.upperBound)
        while start < end, octets[start].isFoldingSpace { start += 1 }
        while end > start, octets[end - 1].isFoldingSpace { end -= 1 }
        return start..<end
    }
}
