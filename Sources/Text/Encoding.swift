/// How octets become characters: a case for each way.
enum Encoding: Hashable, Sendable {
    case utf8
    case utf7
    case utf16, utf16BE, utf16LE
    case utf32, utf32BE, utf32LE
    case singleOctet(SingleOctetCharset)
    case gb18030, gbk, big5, eucTW
    case shiftJIS, eucJP
    case eucKR
    case iso2022JP, iso2022KR, iso2022CN, hz

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
        case .singleOctet(let charset): charset.name
        case .gb18030: "gb18030"
        case .gbk: "gbk"
        case .big5: "big5"
        case .eucTW: "euc-tw"
        case .shiftJIS: "shift_jis"
        case .eucJP: "euc-jp"
        case .eucKR: "euc-kr"
        case .iso2022JP: "iso-2022-jp"
        case .iso2022KR: "iso-2022-kr"
        case .iso2022CN: "iso-2022-cn"
        case .hz: "hz-gb-2312"
        }
    }

    /// Whether every ASCII octet at a character's start is itself, so that text of ASCII octets needs no
    /// decoder.
    var extendsASCII: Bool {
        switch self {
        case .utf7, .utf16, .utf16BE, .utf16LE, .utf32, .utf32BE, .utf32LE: false
        case .singleOctet(let charset): charset.lowerHalfExceptions.isEmpty
        case .iso2022JP, .iso2022KR, .iso2022CN, .hz: false
        case .utf8, .gb18030, .gbk, .big5, .eucTW, .shiftJIS, .eucJP, .eucKR: true
        }
    }

    /// The set without whose table this encoding cannot be read.
    var essentialSet: CharacterSet? {
        switch self {
        case .gb18030, .gbk, .iso2022CN, .hz: .gbk
        case .big5: .big5
        case .eucTW: .cns11643Plane1
        case .shiftJIS: .shiftJIS
        case .eucJP, .iso2022JP: .jisX0208
        case .eucKR, .iso2022KR: .uhc
        case .utf8, .utf7, .utf16, .utf16BE, .utf16LE, .utf32, .utf32BE, .utf32LE, .singleOctet: nil
        }
    }
}

extension Encoding: CaseIterable {
    static let allCases: [Encoding] =
        [.utf8, .utf7, .utf16, .utf16BE, .utf16LE, .utf32, .utf32BE, .utf32LE]
        + SingleOctetCharset.allCases.map(Encoding.singleOctet)
        + [.gb18030, .gbk, .big5, .eucTW, .shiftJIS, .eucJP, .eucKR]
        + [.iso2022JP, .iso2022KR, .iso2022CN, .hz]
}
