import MartletBytes

/// How the octets of a body are written. RFC 2045 §6.
enum TransferEncoding: String {
    case sevenBit = "7bit"
    case eightBit = "8bit"
    case quotedPrintable = "quoted-printable"
    case base64

    /// The best way for text in canonical form: as it is where that is possible, else the shorter of
    /// the two encodings.
    init(for text: [UInt8], profile: OctetProfile, allows8Bit: Bool) {
        if let identity = TransferEncoding(identityFor: profile, allows8Bit: allows8Bit) {
            self = identity
            return
        }
        // Quoted-printable adds two octets for each escape, base64 a good third of everything.
        let added = 2 * QuotedPrintable.escapeCount(in: text)
        self =
            added <= Base64LineEncoder.encodedSize(of: text.count) - text.count
            ? .quotedPrintable : .base64
    }

    /// `7bit` or `8bit` where octets may travel as they are; `nil` if they must be encoded.
    init?(identityFor profile: OctetProfile, allows8Bit: Bool) {
        let isLines =
            !profile.hasNUL && !profile.hasBareCR && !profile.hasBareLF
            && profile.longestLineInOctets <= HeaderWriter.lineLimit
        guard isLines, allows8Bit || !profile.has8Bit else { return nil }
        self = profile.has8Bit ? .eightBit : .sevenBit
    }
}

/// `text` with CRLF at the end of each line, whatever it had before.
func canonicalLines(_ text: some Collection<UInt8>) -> [UInt8] {
    let octets = [UInt8](text)
    let profile = OctetProfile(octets)
    guard profile.hasBareCR || profile.hasBareLF else { return octets }
    var lines: [UInt8] = []
    lines.reserveCapacity(profile.canonicalSizeInOctets)
    var start = 0
    var index = 0
    while index < octets.count {
        let octet = octets[index]
        index += 1
        guard octet == ASCII.cr || octet == ASCII.lf else { continue }
        lines += octets[start..<(index - 1)]
        lines.append(ASCII.cr)
        lines.append(ASCII.lf)
        if octet == ASCII.cr, index < octets.count, octets[index] == ASCII.lf { index += 1 }
        start = index
    }
    lines += octets[start...]
    return lines
}
