import MartletBytes

/// The members of a JSON object that are strings, numbers or words; what is nested is passed over. RFC 8259.
///
/// Enough for the small objects in which servers say why they refuse a token.
struct JSONMembers {
    /// Most levels of nesting that are passed over.
    static let depthLimit = 16

    private(set) var members: [String: String] = [:]

    /// Reads an object; `nil` where `octets` is none.
    init?(_ octets: [UInt8]) {
        var reader = JSONReader(rest: octets[...])
        guard reader.take("{") else { return nil }
        if reader.take("}") { return }
        repeat {
            guard let name = reader.string(), reader.take(":") else { return nil }
            guard let value = reader.scalar() else {
                guard reader.skipNested() else { return nil }
                continue
            }
            members[name] = value
        } while reader.take(",")
        guard reader.take("}") else { return nil }
    }

    subscript(name: String) -> String? { members[name] }
}

private struct JSONReader {
    var rest: ArraySlice<UInt8>

    /// Takes a mark behind white space, if it is there.
    mutating func take(_ mark: Character) -> Bool {
        rest = rest.drop(while: \.isFoldingSpace)
        guard rest.first == mark.asciiValue else { return false }
        rest = rest.dropFirst()
        return true
    }

    /// A string, a number, or `true`, `false`, `null`.
    mutating func scalar() -> String? {
        if let string = string() { return string }
        let word = rest.prefix {
            $0.isDigit || $0.isLetter || $0 == ASCII.hyphen || $0 == ASCII.dot
                || $0 == UInt8(ascii: "+")
        }
        rest = rest[word.endIndex...]
        return word.isEmpty ? nil : String(decoding: word, as: UTF8.self)
    }

    mutating func string() -> String? {
        guard take("\"") else { return nil }
        var octets: [UInt8] = []
        while let octet = rest.popFirst() {
            switch octet {
            case ASCII.quote: return String(decoding: octets, as: UTF8.self)
            case ASCII.backslash:
                guard let scalar = escaped() else { return nil }
                octets.append(contentsOf: String(scalar).utf8)
            default: octets.append(octet)
            }
        }
        return nil
    }

    private mutating func escaped() -> Unicode.Scalar? {
        switch rest.popFirst() {
        case UInt8(ascii: "n"): return "\n"
        case UInt8(ascii: "r"): return "\r"
        case UInt8(ascii: "t"): return "\t"
        case UInt8(ascii: "b"), UInt8(ascii: "f"): return " "
        case UInt8(ascii: "u"):
            guard let unit = hexUnit() else { return nil }
            guard 0xD800...0xDBFF ~= unit else { return Unicode.Scalar(unit) ?? "\u{FFFD}" }
            // two escapes make one character
            guard rest.starts(with: "\\u".utf8) else { return "\u{FFFD}" }
            rest = rest.dropFirst(2)
            guard let low = hexUnit(), 0xDC00...0xDFFF ~= low else { return "\u{FFFD}" }
            return Unicode.Scalar(0x10000 + (unit - 0xD800) << 10 + (low - 0xDC00))
        case let octet?: return octet < 0x80 ? Unicode.Scalar(octet) : nil
        case nil: return nil
        }
    }

    private mutating func hexUnit() -> UInt32? {
        let digits = rest.prefix(4)
        guard digits.count == 4 else { return nil }
        rest = rest.dropFirst(4)
        var unit: UInt32 = 0
        for digit in digits {
            guard let value = digit.hexValue else { return nil }
            unit = unit << 4 | UInt32(value)
        }
        return unit
    }

    /// Passes over an array or object, counting its levels.
    mutating func skipNested() -> Bool {
        var depth = 0
        repeat {
            rest = rest.drop(while: \.isFoldingSpace)
            switch rest.first {
            case UInt8(ascii: "{"), UInt8(ascii: "["):
                depth += 1
                rest = rest.dropFirst()
            case UInt8(ascii: "}"), UInt8(ascii: "]"):
                guard depth > 0 else { return false }
                depth -= 1
                rest = rest.dropFirst()
            case ASCII.quote: guard string() != nil else { return false }
            case nil: return false
            default:
                guard depth > 0 else { return false }
                rest = rest.dropFirst()
            }
        } while depth > 0 && depth <= JSONMembers.depthLimit
        return depth == 0
    }
}
