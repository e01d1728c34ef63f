import MartletBytes

/// Decodes bodies from their transfer encoding. RFC 2045 §6.
enum BodyDecoding {
    /// The octets that a body stands for.
    static func decode(
        _ body: UnsafeRawBufferPointer, _ encoding: ContentTransferEncoding,
        limits: MIMELimits = .standard
    ) -> Parsed<[UInt8]> {
        var defects: [Defect] = []
        var body = body
        if body.count > limits.bodySizeInOctets {
            body = UnsafeRawBufferPointer(rebasing: body.prefix(limits.bodySizeInOctets))
            defects.append(
                Defect(.limitReached, at: limits.bodySizeInOctets, limit: "bodySizeInOctets"))
        }
        var octets: [UInt8] = []
        switch encoding {
        case .base64:
            let report = Base64.decodeLenient(body, into: &octets)
            if let offset = report.firstOddOffset {
                defects.append(Defect(.invalidBase64, at: offset))
            }
        case .quotedPrintable:
            let report = QuotedPrintable.decodeLenient(body, into: &octets)
            if let offset = report.firstOddOffset {
                defects.append(Defect(.invalidQuotedPrintable, at: offset))
            }
        case .uuencode:
            let file = Uuencode.decode(body)
            return Parsed(file.value.octets, defects: defects + file.defects)
        case .yEnc:
            let file = YEnc.decode(body)
            return Parsed(file.value.octets, defects: defects + file.defects)
        default:
            if !encoding.isKnown { defects.append(Defect(.unknownTransferEncoding, at: 0)) }
            octets = [UInt8](body)
        }
        return Parsed(octets, defects: defects)
    }
}
