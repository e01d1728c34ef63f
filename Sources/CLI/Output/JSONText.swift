/// A value of RFC 8259 with its members in the order they were written: results stay easy to compare.
package enum JSONText: Sendable, ExpressibleByStringLiteral, ExpressibleByIntegerLiteral,
    ExpressibleByBooleanLiteral, ExpressibleByNilLiteral
{
    case null
    case bool(Bool)
    case integer(Int)
    /// A finite number, written as Swift does.
    case number(Double)
    /// A time, written with three decimals.
    case milliseconds(Duration)
    case string(String)
    case array([JSONText])
    case object([(name: String, value: JSONText)])

    package init(nilLiteral: ()) { self = .null }
    package init(booleanLiteral value: Bool) { self = .bool(value) }
    package init(integerLiteral value: Int) { self = .integer(value) }
    package init(stringLiteral value: String) { self = .string(value) }

    /// `null` for `nil`.
    package static func optional(_ text: String?) -> JSONText { text.map { .string($0) } ?? .null }

    /// `null` for `nil`; what is beyond `Int` as its largest.
    package static func count(_ number: (some BinaryInteger)?) -> JSONText {
        number.map { .integer(Int(clamping: $0)) } ?? .null
    }

    /// One line.
    package var text: String {
        var text = ""
        write(to: &text)
        return text
    }

    private func write(to text: inout String) {
        switch self {
        case .null: text += "null"
        case .bool(let value): text += value ? "true" : "false"
        case .integer(let value): text += String(value)
        case .number(let value): text += value.isFinite ? "\(value)" : "null"
        case .milliseconds(let duration): text += duration.millisecondsText
        case .string(let value): Self.write(value, to: &text)
        case .array(let values):
            text += "["
            for (index, value) in values.enumerated() {
                if index > 0 { text += "," }
                value.write(to: &text)
            }
            text += "]"
        case .object(let members):
            text += "{"
            for (index, member) in members.enumerated() {
                if index > 0 { text += "," }
                Self.write(member.name, to: &text)
                text += ":"
                member.value.write(to: &text)
            }
            text += "}"
        }
    }

    private static func write(_ value: String, to text: inout String) {
        var value = value
        text += "\""
        value.withUTF8 { octets in
            var start = 0
            var index = 0
            while index < octets.count {
                let size = escapedSize(in: octets, at: index)
                if size > 0 {
                    text += String(decoding: octets[start..<index], as: UTF8.self)
                    text += escape(String(decoding: octets[index..<(index + size)], as: UTF8.self))
                    start = index + size
                }
                index += max(size, 1)
            }
            text += String(decoding: octets[start...], as: UTF8.self)
        }
        text += "\""
    }

    /// How many octets the character has that begins here; 0 if it may stand in a string as it is.
    private static func escapedSize(in octets: UnsafeBufferPointer<UInt8>, at index: Int) -> Int {
        switch octets[index] {
        case UInt8(ascii: "\""), UInt8(ascii: "\\"), UInt8(ascii: "\n"), UInt8(ascii: "\t"): 1
        // Controls, C1 included, and marks that turn the direction: a terminal may obey them.
        default: Unprintable.size(in: octets, at: index, includesDirections: true)
        }
    }

    private static func escape(_ character: String) -> String {
        switch character {
        case "\"": return "\\\""
        case "\\": return "\\\\"
        case "\n": return "\\n"
        case "\r": return "\\r"
        case "\t": return "\\t"
        default:
            let digits = String(character.unicodeScalars.first?.value ?? 0, radix: 16)
            return "\\u" + String(repeating: "0", count: 4 - digits.count) + digits
        }
    }
}

extension Duration {
    /// `12.345`, in milliseconds.
    var millisecondsText: String {
        let microseconds = Int((self / .microseconds(1)).rounded())
        let fraction = String(microseconds % 1_000 + 1_000).dropFirst()
        return "\(microseconds / 1_000).\(fraction)"
    }
}
