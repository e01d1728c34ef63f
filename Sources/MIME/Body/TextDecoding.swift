import MartletBytes
import MartletText

/// Finds out which charset a text is in, and reads it.
struct TextDecoding {
    /// The charset that the part names, as it was written.
    var label: String?
    var isHTML = false
    var detector: CharsetDetector?

    /// The text, with U+FFFD for octets that are nothing in its charset.
    ///
    /// An HTML text may name its charset itself; a label that is known goes before that.
    func text(of octets: UnsafeRawBufferPointer) -> Parsed<String> {
        var defects: [Defect] = []
        var named = label.flatMap { Charset(label: $0) }
        if label != nil, named == nil { defects.append(Defect(.unknownCharset, at: 0)) }
        var label = label
        if named == nil, isHTML {
            named = HTMLCharset.find(in: octets)
            label = named?.name ?? label
        }
        let decoded = Charset.decode(octets, label: label, detector: detector)
        if let offset = decoded.firstMalformedOffset {
            defects.append(Defect(.malformedText, at: offset))
        } else if let named, !named.includes(decoded.charset), !Self.isPlain(octets) {
            // The text cannot be in that charset, and was read in another.
            defects.append(Defect(.malformedText, at: 0))
        }
        return Parsed(decoded.text, defects: defects)
    }

    /// ASCII is the same in most charsets.
    private static func isPlain(_ octets: UnsafeRawBufferPointer) -> Bool {
        ASCIIRun.end(in: octets, from: 0) == octets.count
            && octets.firstOffset(of: ASCII.escape) == nil
    }
}
