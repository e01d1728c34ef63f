import CMartletUchardet
import MartletBytes
import MartletText

/// The part of a text by which its charset is guessed.
struct CharsetSample {
    let octets: UnsafeRawBufferPointer
    /// Whether the text goes on behind it.
    private let isCut: Bool

    /// Octets that are looked at. uchardet reads 2 MB a second.
    static let sizeLimitInOctets = 16 * 1024
    /// Octets of ASCII before the first others that are looked at as well.
    private static let leadInLimit = 256

    /// The octets from the line with the first one above 127 on.
    init(of text: UnsafeRawBufferPointer) {
        let end = ASCIIRun.end(in: text, from: 0)
        let first = end < text.count ? end : 0
        let earliest = max(0, first - Self.leadInLimit)
        let start = text[earliest..<first].lastIndex(of: ASCII.lf).map { $0 + 1 } ?? earliest
        octets = UnsafeRawBufferPointer(rebasing: text[start...].prefix(Self.sizeLimitInOctets))
        isCut = start + octets.count < text.count
    }

    /// The label of uchardet's guess.
    static func guess(_ octets: UnsafeRawBufferPointer) -> String? {
        guard let detector = uchardet_new() else { return nil }
        defer { uchardet_delete(detector) }
        let characters = octets.bindMemory(to: CChar.self)
        guard uchardet_handle_data(detector, characters.baseAddress, characters.count) == 0 else {
            return nil
        }
        uchardet_data_end(detector)
        let label = uchardet_get_charset(detector).map { String(cString: $0) }
        return label?.isEmpty == false ? label : nil
    }

    /// Whether the octets are text of `charset`, and enough of it.
    func speaks(for charset: Charset) -> Bool {
        let malformedCount = charset.decode(octets).malformedCount
        // One piece may be cut at the end.
        if malformedCount > octets.count / 200 + (isCut ? 1 : 0) { return false }
        let highCount = octets.lazy.filter { $0 >= 0x80 }.prefix(4).count
        return highCount >= 4 || highCount == 0 || charset.isMultiOctet
    }
}

extension Charset {
    /// Whether a character may be several octets: in those charsets, little text tells much.
    fileprivate var isMultiOctet: Bool {
        decode([0x2E, 0xB0, 0xA1, 0xB0, 0xA1]).text.unicodeScalars.count < 5
    }
}
