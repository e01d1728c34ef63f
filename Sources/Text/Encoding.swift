/// How octets become characters: a case for each way.
enum Encoding: Hashable, Sendable {
    case utf8
    case utf7
    case utf16, utf16BE, utf16LE
    case utf32, utf32BE, utf32LE
    case singleOctet(SingleOctetCharset)

    var name: String {
        switch self {
        case .utf8: "utf-8"
        case .utf7: "utf-7"
        case .utf16: "utf-16"
        case .utf16BE: "utf-16be"
        case .utf16LE: "utf-16le"
        case .utf32: "utf-32"
        case .utf32BE: "utf-32be"
        case .utf32LE: "utf-32le"
        case .singleOctet(let charset): charset.rawValue
        }
    }

    /// Whether every ASCII octet at a character's start is itself, so that text of ASCII octets needs no
    /// decoder.
    var extendsASCII: Bool {
        switch self {
        case .utf7, .utf16, .utf16BE, .utf16LE, .utf32, .utf32BE, .utf32LE: false
        case .singleOctet(let charset): charset.lowerHalfExceptions.isEmpty
        case .utf8: true
        }
    }
}

extension Encoding: CaseIterable {
    static let allCases: [Encoding] =
        [.utf8, .utf7, .utf16, .utf16BE, .utf16LE, .utf32, .utf32BE, .utf32LE]
        + SingleOctetCharset.allCases.map(Encoding.singleOctet)
}
