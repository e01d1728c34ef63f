/// U+FEFF at the start of text, which says how the text is encoded.
enum ByteOrderMark {
    /// The encoding that `octets` are in and where their text starts, when their label says `encoding`.
    ///
    /// A mark is believed more than the label, as browsers do it. It is not part of the text.
    static func resolve(
        _ octets: UnsafeRawBufferPointer, labelled encoding: Encoding
    ) -> (encoding: Encoding, start: Int) {
        switch encoding {
        case .utf32, .utf32BE, .utf32LE:
            if begins(octets, 0, 0, 0xFE, 0xFF) { return (.utf32BE, 4) }
            if begins(octets, 0xFF, 0xFE, 0, 0) { return (.utf32LE, 4) }
            if encoding != .utf32 { return (encoding, 0) }
            return (UTF32Decoder.seemsBigEndian(octets) ? .utf32BE : .utf32LE, 0)
        default:
            break
        }
        if octets.count >= 3, octets[0] == 0xEF, octets[1] == 0xBB, octets[2] == 0xBF {
            return (.utf8, 3)
        }
        // Two octets alone may well be what the label says.
        if encoding.isUTF16 ? octets.count >= 2 : octets.count >= 4 && octets.count % 2 == 0 {
            if octets[0] == 0xFE, octets[1] == 0xFF { return (.utf16BE, 2) }
            if octets[0] == 0xFF, octets[1] == 0xFE { return (.utf16LE, 2) }
        }
        if encoding != .utf16 { return (encoding, 0) }
        return (UTF16Decoder.seemsBigEndian(octets) ? .utf16BE : .utf16LE, 0)
    }

    private static func begins(
        _ octets: UnsafeRawBufferPointer, _ first: UInt8, _ second: UInt8, _ third: UInt8,
        _ fourth: UInt8
    ) -> Bool {
        octets.count >= 4 && octets[0] == first && octets[1] == second && octets[2] == third
            && octets[3] == fourth
    }
}

extension Encoding {
    fileprivate var isUTF16: Bool { self == .utf16 || self == .utf16BE || self == .utf16LE }
}
