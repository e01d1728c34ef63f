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
