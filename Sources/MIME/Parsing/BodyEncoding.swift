import MartletBytes

/// How the octets of a received body are written. RFC 2045 §6.
enum BodyEncoding: Equatable {
    /// 7bit, 8bit, binary.
    case identity
    case base64
    case quotedPrintable
    case uuencode
    case yEnc
    /// A name that nobody knows: the octets are taken as they are.
    case unknown

    var isIdentity: Bool { self == .identity || self == .unknown }

    /// Reads the value of a `Content-Transfer-Encoding`, with whatever stands around the name.
    init(sniffing value: UnsafeRawBufferPointer) {
        var letters = Letters()
        var depth = 0
        for octet in value {
            switch octet {
            case UInt8(ascii: "("): depth += 1
            case UInt8(ascii: ")"): depth = max(0, depth - 1)
            case _ where depth > 0: break
            case _ where octet.isLetter || octet.isDigit: letters.append(octet.lowercased)
            case UInt8(ascii: ";") where !letters.isEmpty: self = Self.named(letters)
                return
            default: break
            }
        }
        self = Self.named(letters)
    }

    private static func named(_ letters: Letters) -> BodyEncoding {
        switch letters.text {
        case "base64", "b64", "xbase64", "b": .base64
        case "quotedprintable", "xquotedprintable", "qp", "q": .quotedPrintable
        case "7bit", "8bit", "binary", "7bits", "8bits", "": .identity
        case "uuencode", "xuuencode", "xuue", "uue", "xuu": .uuencode
        case "yenc", "xyenc": .yEnc
        default: .unknown
        }
    }

    /// Letters and digits of a name; `Quoted_Printable` and `"base-64"` are meant well.
    private struct Letters {
        var octets: [UInt8] = []
        var isEmpty: Bool { octets.isEmpty }
        var text: String { String(decoding: octets, as: UTF8.self) }
        mutating func append(_ octet: UInt8) { if octets.count < 32 { octets.append(octet) } }
    }
}
