import MartletBytes

/// The header fields of a message as they stand, for hashing. RFC 5322 §2.2.
///
/// Strict where a tolerant reader might take something for a field or for the start of the body that a signature
/// does not see: such a header has `problem`, and no signature of it is worth anything.
struct HeaderSection: Sendable {
    struct Field: Sendable {
        /// The name in lower case.
        var name: [UInt8]
        /// The name as it stands, without blanks behind it.
        var nameRange: Range<Int>
        /// Behind the colon; the last line end does not belong to it.
        var valueRange: Range<Int>
    }

    /// Why nothing in the header can be relied on.
    enum Problem: Sendable, Hashable {
        case lineWithoutField(offset: Int)
        case bareCR(offset: Int)
        case tooManyFields
        case tooLarge
    }

    /// The longest name of a field, in octets.
    private static let nameLimit = 1_000

    /// The header with the empty line that ends it.
    let octets: [UInt8]
    private(set) var fields: [Field] = []
    private(set) var problem: Problem?
    /// How many authors' fields there are: one, or readers choose differently. RFC 5322 §3.6.
    private(set) var fromCount = 0
    /// Whether all readers see the same fields and authors in it.
    var isReliable: Bool { problem == nil && fromCount == 1 }
    /// The octets of the line that an mbox has before a message: it is no part of it.
    private(set) var separatorSize = 0
    /// Whether lines end with LF alone: the first does.
    let endsLinesWithLF: Bool

    /// The end of the header in `octets`: behind its empty line. `nil` if there is none.
    ///
    /// - Parameter start: where to go on looking: a line starts there.
    static func end(in octets: UnsafeRawBufferPointer, from start: inout Int) -> Int? {
        while let lineEnd = octets.firstOffset(of: ASCII.lf, from: start) {
            let content = lineEnd &- start
            if content == 0 || content == 1 && octets[start] == ASCII.cr { return lineEnd &+ 1 }
            start = lineEnd &+ 1
        }
        return nil
    }

    /// Finds the fields of a header section.
    ///
    /// - Parameter isCut: there is more of it, beyond the limit.
    init(_ octets: [UInt8], isCut: Bool = false, fieldLimit: Int) {
        self.octets = octets
        if isCut { problem = .tooLarge }
        let firstLineEnd = octets.firstIndex(of: ASCII.lf)
        endsLinesWithLF = firstLineEnd.map { $0 == 0 || octets[$0 - 1] != ASCII.cr } ?? false
        octets.withUnsafeBytes { octets in
            var start = 0
            while start < octets.count, problem == nil || isCut {
                let lineEnd = octets.firstOffset(of: ASCII.lf, from: start)
                var end = lineEnd ?? octets.count
                if lineEnd != nil, end > start, octets[end &- 1] == ASCII.cr { end &-= 1 }
                read(start..<end, of: octets, fieldLimit: fieldLimit)
                start = lineEnd.map { $0 &+ 1 } ?? octets.count
            }
        }
    }

    private mutating func read(
        _ line: Range<Int>, of octets: UnsafeRawBufferPointer, fieldLimit: Int
    ) {
        if let cr = octets.firstOffset(of: ASCII.cr, in: line) {
            problem = problem ?? .bareCR(offset: cr)
        } else if line.isEmpty {
            // A reader may look for fields behind it.
            if fields.isEmpty { problem = problem ?? .lineWithoutField(offset: line.lowerBound) }
        } else if octets[line.lowerBound].isBlank, !fields.isEmpty {
            let last = fields.count - 1
            fields[last].valueRange = fields[last].valueRange.lowerBound..<line.upperBound
        } else if let field = Self.field(line, of: octets) {
            guard fields.count < fieldLimit else {
                problem = problem ?? .tooManyFields
                return
            }
            fields.append(field)
            if field.name.elementsEqual("from".utf8) { fromCount += 1 }
        } else if line.lowerBound == 0, octets[line].starts(with: "From ".utf8) {
            separatorSize = octets.firstOffset(of: ASCII.lf, from: 0).map { $0 + 1 } ?? octets.count
        } else {
            problem = problem ?? .lineWithoutField(offset: line.lowerBound)
        }
    }

    private static func field(_ line: Range<Int>, of octets: UnsafeRawBufferPointer) -> Field? {
        let text = line.prefix(nameLimit)
        guard let colon = octets.firstOffset(of: UInt8(ascii: ":"), in: text) else { return nil }
        // RFC 5322 §4.5 has blanks before the colon.
        var nameEnd = colon
        while nameEnd > line.lowerBound, octets[nameEnd - 1].isBlank { nameEnd -= 1 }
        let name = octets[line.lowerBound..<nameEnd]
        // A name that starts with "--" may be a delimiter for a reader of MIME, one with "=" a parameter of the field before.
        guard !name.isEmpty, name.allSatisfy({ $0 > ASCII.space && $0 < ASCII.del }),
            !name.starts(with: "--".utf8), !name.contains(ASCII.equals)
        else { return nil }
        return Field(
            name: name.map(\.lowercased), nameRange: line.lowerBound..<nameEnd,
            valueRange: (colon + 1)..<line.upperBound)
    }

    /// The value of a field as it stands.
    func value(of field: Field) -> ArraySlice<UInt8> { octets[field.valueRange] }
}
