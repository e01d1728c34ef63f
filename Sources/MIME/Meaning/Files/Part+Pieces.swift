import MartletBytes

extension Part {
    /// How many octets of the body are decoded at a time.
    private static let pieceSizeInOctets = 64 * 1024

    /// Decodes the body in pieces, so that a large file is never in memory as a whole beside the message.
    ///
    ///     try part.decodeBody { try file.write($0) }
    ///
    /// Of a message inside of a message these are the octets of that message. Uuencoded and yEncoded bodies come in one
    /// piece.
    /// - Parameter sink: gets the pieces in order; a pointer must not leave it. What it throws ends the decoding.
    /// - Returns: what is wrong with the encoding; offsets are of the body.
    @discardableResult
    public func decodeBody<Failure: Error>(
        to sink: (UnsafeRawBufferPointer) throws(Failure) -> Void
    ) throws(Failure) -> [Defect] {
        if let message = embeddedMessage {
            try message.passOn(message.range, to: sink)
            return []
        }
        guard kind == .leaf else {
            try passOn(bodyRange, to: sink)
            return []
        }
        let range = bodyRange.prefix(table.limits.bodySizeInOctets)
        var defects: [Defect] = []
        if range.count < bodyRange.count {
            defects.append(Defect(.limitReached, at: range.count, limit: "bodySizeInOctets"))
        }
        switch transferEncoding {
        case .base64:
            try decode(
                range, by: Base64Decoder(), oddity: .invalidBase64, &defects, to: sink)
        case .quotedPrintable:
            try decode(
                range, by: QuotedPrintableDecoder(), oddity: .invalidQuotedPrintable, &defects,
                to: sink)
        case .uuencode, .yEnc:
            let body = decodedBody()
            try body.value.span.withUnsafeBytes(sink)
            defects = body.defects
        case let encoding:
            if !encoding.isKnown { defects.append(Defect(.unknownTransferEncoding, at: 0)) }
            try passOn(range, to: sink)
        }
        return defects
    }

    /// How many octets the decoded body has. It is decoded for that, but not kept.
    public var decodedSizeInOctets: Int {
        var size = 0
        decodeBody { size += $0.count }
        return size
    }

    private func passOn<Failure: Error>(
        _ range: Range<Int>, to sink: (UnsafeRawBufferPointer) throws(Failure) -> Void
    ) throws(Failure) {
        var rest = range
        while !rest.isEmpty {
            let piece = rest.prefix(Self.pieceSizeInOctets)
            try octets.withUnsafeBytes { (octets) throws(Failure) in
                try sink(UnsafeRawBufferPointer(rebasing: octets[piece]))
            }
            rest = piece.upperBound..<rest.upperBound
        }
    }

    private func decode<Decoder: LenientDecoder, Failure: Error>(
        _ range: Range<Int>, by decoder: Decoder, oddity: Defect.Kind, _ defects: inout [Defect],
        to sink: (UnsafeRawBufferPointer) throws(Failure) -> Void
    ) throws(Failure) {
        var decoder = decoder
        var output: [UInt8] = []
        try passOn(range) { (piece) throws(Failure) in
            output.removeAll(keepingCapacity: true)
            decoder.decode(piece, into: &output)
            if !output.isEmpty { try output.span.withUnsafeBytes(sink) }
        }
        output.removeAll(keepingCapacity: true)
        let report = decoder.finish(into: &output)
        if !output.isEmpty { try output.span.withUnsafeBytes(sink) }
        if let offset = report.firstOddOffset { defects.append(Defect(oddity, at: offset)) }
    }
}
