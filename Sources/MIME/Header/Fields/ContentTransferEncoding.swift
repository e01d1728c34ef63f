import MartletBytes

/// The value of a `Content-Transfer-Encoding` field as it was read. RFC 2045 §6.
///
/// Encodings that nobody knows are kept by their name.
public struct ContentTransferEncoding: Hashable, Sendable {
    /// The name in lower case.
    public let name: String

    /// ASCII lines: not encoded. What holds without a field.
    public static let sevenBit = ContentTransferEncoding(name: "7bit")
    /// Lines of any octets: not encoded.
    public static let eightBit = ContentTransferEncoding(name: "8bit")
    /// Any octets: not encoded.
    public static let binary = ContentTransferEncoding(name: "binary")
    /// Quoted-printable.
    public static let quotedPrintable = ContentTransferEncoding(name: "quoted-printable")
    /// Base64.
    public static let base64 = ContentTransferEncoding(name: "base64")
    /// Uuencoded.
    public static let uuencode = ContentTransferEncoding(name: "x-uuencode")
    /// yEncoded.
    public static let yEnc = ContentTransferEncoding(name: "x-yenc")

    /// Whether the body stands as it is: `7bit`, `8bit` or `binary`.
    public var isIdentity: Bool { self == .sevenBit || self == .eightBit || self == .binary }
    /// Whether it is one of those named here.
    public var isKnown: Bool {
        isIdentity || self == .quotedPrintable || self == .base64 || self == .uuencode
            || self == .yEnc
    }
}

extension ContentTransferEncoding: CustomStringConvertible {
    /// The name.
    public var description: String { name }
}

extension ContentTransferEncoding {
    /// Reads a value as it stands in the message, folds included.
    ///
    /// Comments, quotes and what is behind a semicolon are passed over, and spellings such as `8-bit`,
    /// `base-64` and `x-uue` are understood. A name that nobody knows has the defect
    /// `unknownTransferEncoding`; without a name it is `7bit`, with the defect `invalidValue`.
    public static func parse(
        _ value: ArraySlice<UInt8>, limits: MIMELimits = .standard
    ) -> Parsed<ContentTransferEncoding> {
        parse(value.span, limits: limits)
    }

    /// The same for octets that are somewhere in memory.
    package static func parse(
        _ value: UnsafeRawBufferPointer, limits: MIMELimits = .standard
    ) -> Parsed<ContentTransferEncoding> {
        value.withMemoryRebound(to: UInt8.self) { parse($0.span, limits: limits) }
    }

    /// A name, and octets of it that tell nothing, is never longer.
    private static let nameLimit = 200

    static func parse(
        _ octets: Span<UInt8>, limits: MIMELimits
    ) -> Parsed<ContentTransferEncoding> {
        var defects: [Defect] = []
        var cursor = ParameterCursor(
            index: 0, end: limits.readableCount(of: octets.count, &defects))
        var name: [UInt8] = []
        var start: Int?
        while cursor.index < cursor.end, octets[cursor.index] != UInt8(ascii: ";"),
            name.count < nameLimit
        {
            let octet = octets[cursor.index]
            if octet.isFoldingSpace || octet == UInt8(ascii: "(") {
                let before = cursor.index
                cursor.skipBlanks(in: octets)
                if cursor.index > before {
                    if !name.isEmpty { name.append(ASCII.space) }
                    continue
                }
            }
            cursor.index += 1
            if octet == ASCII.quote || octet == UInt8(ascii: ",") { continue }
            if start == nil { start = cursor.index - 1 }
            name.append(octet.lowercased)
        }
        while name.last == ASCII.space { name.removeLast() }
        guard let start, !name.isEmpty else {
            return Parsed(.sevenBit, defects: defects + [Defect(.invalidValue, at: 0)])
        }
        if let known = known(name) { return Parsed(known, defects: defects) }
        return Parsed(
            ContentTransferEncoding(name: HeaderText.decode(name[...]).value),
            defects: defects + [Defect(.unknownTransferEncoding, at: start)])
    }

    private static func known(_ name: [UInt8]) -> ContentTransferEncoding? {
        var plain = name.filter { $0.isLetter || $0.isDigit }[...]
        // `x-uuencode`, `x-base64`; no name begins with this letter otherwise.
        if plain.first == UInt8(ascii: "x") { plain.removeFirst() }
        switch String(decoding: plain, as: UTF8.self) {
        case "7bit", "7bits", "7": return .sevenBit
        case "8bit", "8bits", "8": return .eightBit
        case "binary": return .binary
        case "quotedprintable", "quotedprintible", "qp": return .quotedPrintable
        case "base64", "b64": return .base64
        case "uuencode", "uuencoded", "uue", "uu": return .uuencode
        case "yencode", "yencoded", "yenc": return .yEnc
        default:
            // `base64 base64`, `7bit charset=us-ascii`: the first word is the name.
            guard let space = name.firstIndex(of: ASCII.space) else { return nil }
            return known(Array(name[..<space]))
        }
    }
}
