import MartletBytes

/// A line of yEnc that says something: a keyword, then `name=value` several times.
struct YEncLine {
    private var values: [String: Substring] = [:]
    /// The value of `name`, which is the last one and may hold anything; `nil` if it is missing.
    private(set) var name: [UInt8]?

    /// Names and numbers are short; a line of other things is no such line.
    private static let sizeLimit = 1024

    /// `nil` if the line does not begin with `keyword`.
    init?(_ text: UnsafeRawBufferPointer, _ line: Range<Int>, keyword: StaticString) {
        guard line.count <= Self.sizeLimit, text.hasPrefix(keyword, in: line) else { return nil }
        let rest = text.withoutTrailingBlanks(
            line.lowerBound + keyword.utf8CodeUnitCount..<line.upperBound)
        // A keyword that goes on is another word.
        if let first = rest.first, !text[first - 1].isBlank, !text[first].isBlank { return nil }
        var octets = text[rest]
        while let start = octets.firstIndex(where: { !$0.isBlank }) {
            octets = octets[start...]
            if octets.starts(with: "name=".utf8) {
                name = Self.unquoted([UInt8](octets.dropFirst(5)))
                return
            }
            let field = octets.prefix { !$0.isBlank }
            octets = octets[field.endIndex...]
            let string = String(decoding: field, as: UTF8.self)
            guard let equals = string.firstIndex(of: "=") else { continue }
            let key = String(string[..<equals])
            if values[key] == nil { values[key] = string[string.index(after: equals)...] }
        }
    }

    /// A decimal number.
    func number(_ key: String) -> Int? {
        values[key].flatMap { Int($0) }.flatMap { $0 >= 0 ? $0 : nil }
    }

    /// The first of the checksums that is there: up to eight hexadecimal digits.
    func checksum(_ keys: [String]) -> UInt32? {
        for key in keys {
            if let value = values[key].flatMap({ UInt32($0, radix: 16) }) { return value }
        }
        return nil
    }

    private static func unquoted(_ name: [UInt8]) -> [UInt8]? {
        guard name.count > 2, name.first == ASCII.quote, name.last == ASCII.quote else {
            return name.isEmpty ? nil : name
        }
        return [UInt8](name.dropFirst().dropLast())
    }
}
