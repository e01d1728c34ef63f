import MartletBytes

/// Decodes a body that comes in pieces, as from a server, so that a large one is never in memory as a whole.
///
///     var decoder = TransferDecoder(ContentTransferEncoding(named: part.transferEncoding))
///     try file.write(decoder.decode(piece))
///     try file.write(decoder.finish())
///
/// Octets that cannot be in the encoding are passed over. Uuencoded and yEncoded bodies come as a whole from `finish`, and
/// are cut at the limit for bodies.
public struct TransferDecoder: Sendable {
    private enum State {
        case identity
        case base64(Base64Decoder)
        case quotedPrintable(QuotedPrintableDecoder)
        case whole(ContentTransferEncoding, [UInt8])
    }

    private var state: State
    private let limits: MIMELimits

    /// Begins; encodings that nobody knows leave the octets as they are.
    public init(_ encoding: ContentTransferEncoding, limits: MIMELimits = .standard) {
        self.limits = limits
        state =
            switch encoding {
            case .base64: .base64(Base64Decoder())
            case .quotedPrintable: .quotedPrintable(QuotedPrintableDecoder())
            case .uuencode, .yEnc: .whole(encoding, [])
            default: .identity
            }
    }

    /// Takes the next octets of the body, and gives what can be decoded of it so far.
    public mutating func decode(_ piece: ArraySlice<UInt8>) -> [UInt8] {
        var output: [UInt8] = []
        switch state {
        case .identity: return Array(piece)
        case .base64(var decoder):
            state = .identity  // so that there is one owner while it changes
            decoder.decode(piece, into: &output)
            state = .base64(decoder)
        case .quotedPrintable(var decoder):
            state = .identity
            decoder.decode(piece, into: &output)
            state = .quotedPrintable(decoder)
        case .whole(let encoding, var octets):
            state = .identity
            octets += piece.prefix(max(0, limits.bodySizeInOctets - octets.count))
            state = .whole(encoding, octets)
        }
        return output
    }

    /// Gives what is left, at the end of the body.
    public mutating func finish() -> [UInt8] {
        var output: [UInt8] = []
        switch state {
        case .identity: break
        case .base64(var decoder): _ = decoder.finish(into: &output)
        case .quotedPrintable(var decoder): _ = decoder.finish(into: &output)
        case .whole(let encoding, let octets):
            output = encoding.decode(octets, limits: limits).value
        }
        state = .identity
        return output
    }
}
