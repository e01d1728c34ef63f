/// A character encoding that mail is written in.
///
/// Charsets are read as browsers read them (WHATWG Encoding Standard), since that is how the mail in the
/// wild is written: `iso-8859-1` and `us-ascii` are windows-1252, `gb2312` is GBK, `shift_jis` is Windows'
/// own, and so on. What browsers refuse and mail has (UTF-7, UTF-32, ISO-2022-KR, ISO-2022-CN, HZ, code
/// pages of DOS and of the Macintosh) is read as well.
///
///     let charset = Charset(label: "KS_C_5601-1987") ?? .windows1252
///     let decoded = charset.decode(octets)
///     decoded.text; decoded.malformedCount
public struct Charset: Hashable, Sendable {
    let encoding: Encoding

    init(_ encoding: Encoding) { self.encoding = encoding }

    /// The name of the encoding in lower case, such as `windows-1252`: what `init(label:)` finds again.
    public var name: String { encoding.name }

    /// Whether it can be read here.
    ///
    /// Charsets of East Asia need tables of the C library's iconv, which small systems leave out. Octets in
    /// one that is not available are decoded as if they had no label, and the report says so.
    public var isAvailable: Bool { encoding.essentialSet.map { $0.table != nil } ?? true }

    /// UTF-8. RFC 3629.
    public static let utf8 = Charset(.utf8)
    /// UTF-16 whose order of octets is found by its mark or guessed. RFC 2781.
    public static let utf16 = Charset(.utf16)
    /// Windows' Latin-1, which is also the reading of `us-ascii` and `iso-8859-1`.
    public static let windows1252 = Charset(.singleOctet(.windows1252))

    /// Every charset that can be read.
    public static let all: [Charset] = Encoding.allCases.map(Charset.init)
}

extension Charset {
    /// Whether text in `other` may be labelled as this one: the same, or UTF-16 or UTF-32 where the order of
    /// octets is left open.
    package func includes(_ other: Charset) -> Bool {
        switch encoding {
        case .utf16: [.utf16, .utf16BE, .utf16LE].contains(other.encoding)
        case .utf32: [.utf32, .utf32BE, .utf32LE].contains(other.encoding)
        default: self == other
        }
    }
}

extension Charset: CustomStringConvertible {
    /// The name.
    public var description: String { name }
}

/// A guess at the charset of octets whose label is missing or wrong; `nil` where there is no good one.
///
/// The pointer must not leave the closure.
public typealias CharsetDetector = @Sendable (UnsafeRawBufferPointer) -> Charset?
