import MartletBytes
import MartletText

/// Finds out which charset a text is in, and reads it.
struct TextDecoding {
    /// The charset that the part names, as it was written.
    var label: String?
    var isHTML = false
    var detector: CharsetDetector?

    /// The text, with U+FFFD for octets that are nothing in its charset.
    func text(of octets: UnsafeRawBufferPointer) -> Parsed<String> {
        var defects: [Defect] = []
        if let label {
            if let charset = Charset(label: label) {
                if let text = text(of: octets, in: charset, &defects) {
                    return Parsed(text, defects: defects)
                }
            } else {
                defects.append(Defect(.unknownCharset, at: 0))
            }
        } else if isHTML, let charset = HTMLCharset.find(in: octets),
            let text = text(of: octets, in: charset, &defects)
        {
            return Parsed(text, defects: defects)
        }
        let text = guess(octets)
        if text.malformedCount > 0 { defects.append(Defect(.malformedText, at: 0)) }
        return Parsed(text.text, defects: defects)
    }

    /// The text in the charset of the label; `nil` if it cannot be in that one.
    private func text(
        of octets: UnsafeRawBufferPointer, in charset: Charset, _ defects: inout [Defect]
    ) -> String? {
        // Octets above 127 and the shifts of ISO-2022 are in no ASCII.
        if namesASCII {
            let end = ASCIIRun.end(in: octets, from: 0)
            guard end < octets.count || octets.firstOffset(of: Self.escape) != nil else {
                return charset.decode(octets).text
            }
            defects.append(Defect(.malformedText, at: end < octets.count ? end : 0))
            return nil
        }
        let decoded = charset.decode(octets)
        guard let offset = decoded.firstMalformedOffset else { return decoded.text }
        defects.append(Defect(.malformedText, at: offset))
        // A few broken characters are damage; a text that is mostly broken is in another charset.
        let characters = decoded.text.utf8.reduce(0) { $0 + ($1 >= 0xC0 ? 1 : 0) }
        let isDamage = characters - decoded.malformedCount > decoded.malformedCount
        return isDamage && !(Charset.unlabelled(octets) == .utf8) ? decoded.text : nil
    }

    private static let escape: UInt8 = 0x1B

    private var namesASCII: Bool {
        guard let label = label?.lowercased() else { return false }
        return label.contains("ascii") || label.contains("x3.4") || label.contains("646")
    }

    private func guess(_ octets: UnsafeRawBufferPointer) -> DecodedText {
        Charset.decodeUnlabelled(octets, detector: detector)
    }
}
