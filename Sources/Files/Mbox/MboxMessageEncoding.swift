import MartletBytes

/// Writes one message as a variant of mbox has it, piece by piece.
struct MboxMessageEncoding {
    private var lines: MboxLineEncoder
    /// There as long as the header section lasts, in the variants with Content-Length.
    private var filter: ContentLengthFilter?
    private let bodyLength: Int
    /// The octets that the body has once it is written, so far.
    private(set) var bodySizeInOctets = 0

    /// - Parameter bodyLength: what the Content-Length field says; `nil` writes none and leaves those of
    ///   the message.
    init(variant: MboxVariant, lineEnds: MboxWriter.LineEnds, bodyLength: Int?) {
        lines = MboxLineEncoder(variant: variant, convertingLineEnds: lineEnds == .lf)
        filter = bodyLength == nil ? nil : ContentLengthFilter()
        self.bodyLength = bodyLength ?? 0
    }

    /// Whether the last octet ended a line.
    var endsLine: Bool { lines.endsLine }

    mutating func add(_ piece: [UInt8], to output: inout [UInt8]) {
        guard filter != nil else {
            addBody(piece, to: &output)
            return
        }
        var header: [UInt8] = []
        let body = filter!.take(piece, header: &header)
        lines.encode(header, into: &output)
        guard let emptyLine = filter!.emptyLine else { return }
        endHeader(emptyLine, into: &output)
        addBody([UInt8](body), to: &output)
    }

    mutating func finish(into output: inout [UInt8]) {
        if filter != nil {
            // A header section without an end gets one: there is no other place for the field.
            var header: [UInt8] = []
            filter!.finish(header: &header)
            lines.encode(header, into: &output)
            lines.finish(into: &output)
            if !lines.endsLine { lines.encode([ASCII.lf], into: &output) }
            endHeader([ASCII.lf], into: &output)
        }
        let before = output.count
        lines.finish(into: &output)
        bodySizeInOctets += output.count - before
    }

    private mutating func addBody(_ octets: [UInt8], to output: inout [UInt8]) {
        let before = output.count
        lines.encode(octets, into: &output)
        bodySizeInOctets += output.count - before
    }

    private mutating func endHeader(_ emptyLine: [UInt8], into output: inout [UInt8]) {
        let field = "Content-Length: \(bodyLength)"
        lines.encode(Array(field.utf8) + emptyLine + emptyLine, into: &output)
        filter = nil
    }
}
