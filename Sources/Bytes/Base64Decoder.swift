internal import CMartletOctets

/// Reads base64 as it is found in mail, in pieces of any size. RFC 2045 §6.8.
///
///     var decoder = Base64Decoder()
///     decoder.decode(piece, into: &octets)        // as often as there are pieces
///     let report = decoder.finish(into: &octets)
///
/// Everything gives octets; what is odd is in the report. White space may be anywhere, lines of any length end
/// with LF, CRLF or CR. Octets outside of the alphabet are passed over, as the RFC wants; `-` and `_` of the
/// alphabet for URLs are such octets too. Padding ends a run, behind which another one may begin (`QQ==Qg==`
/// is two octets); at the end it may be missing.
///
/// Text behind the data, as mailing lists add it, is told from data line by line, see `trailerOffset` in
/// `Base64Report`.
public struct Base64Decoder: Sendable {
    private enum Phase { case data, line, trailer }

    private var phase = Phase.data
    // The quantum that is being read: up to three characters.
    private var bits: UInt32 = 0
    private var characterCount = 0
    // Whether the line has nothing but white space so far, and whether the last octet was CR.
    private var isLineEmpty = true
    private var isAfterCR = false
    private var isAfterJunk = false
    // Padding or an empty line came behind data: what follows may be text.
    private var isAfterPadding = false
    private var isAfterEmptyLine = false
    private var isAfterBlank = false
    private var hasData = false
    // The start of a line that may be text.
    private var line: [UInt8] = []
    private var lineOffset = 0
    private var isLineBehindBlank = false
    private var isRestOfLine = false
    // Octets of the pieces before this one.
    private var offset = 0
    private var report = Base64Report()
    private let variant: martlet_variant

    /// Starts a body.
    public init() { self.init(variant: martlet_best_variant()) }

    init(variant: martlet_variant) { self.variant = variant }

    /// Reads the next octets of the body and appends what they stand for.
    public mutating func decode(_ text: UnsafeRawBufferPointer, into output: inout [UInt8]) {
        output.append(decoding: text, with: &self)
    }

    /// Reads the next octets of the body and appends what they stand for.
    public mutating func decode(_ text: some Collection<UInt8>, into output: inout [UInt8]) {
        text.withUnsafeOctets { decode($0, into: &output) }
    }

    /// Ends the body: appends the octets of the last characters, says what was odd, and is ready for another
    /// body.
    public mutating func finish(into output: inout [UInt8]) -> Base64Report {
        withUnsafeTemporaryAllocation(of: UInt8.self, capacity: room(for: 0)) { memory in
            var rest = OutputPiece(memory)
            if phase == .line { judgeLine(into: &rest) }
            if characterCount > 0 {
                report.note(characterCount == 1 ? .stray : .missingPadding, at: offset)
                endQuantum(into: &rest)
            }
            output.append(contentsOf: rest.octets)
        }
        defer { self = Base64Decoder(variant: variant) }
        return report
    }

}

extension Base64Decoder: PieceDecoder {
    /// The octets of all characters, of those that wait, and of a block that is stored whole.
    func room(for count: Int) -> Int { (count + Base64Line.limit + 4) / 4 * 3 + 32 }

    mutating func read(_ text: UnsafeRawBufferPointer, into output: inout OutputPiece) {
        guard let base = text.baseAddress?.assumingMemoryBound(to: UInt8.self) else { return }
        let count = text.count
        var index = 0
        while index < count, phase != .trailer {
            if isInOrder { index += readBlocks(base + index, count - index, into: &output) }
            // What stopped the blocks, up to where they can go on.
            while index < count {
                take(base[index], at: offset + index, into: &output)
                index += 1
                if isInOrder || phase == .trailer { break }
            }
        }
        offset += count
    }

    private var isInOrder: Bool {
        characterCount == 0 && phase == .data && !isAfterPadding && !isAfterEmptyLine
    }

    /// Reads characters while nothing is odd.
    private mutating func readBlocks(
        _ text: UnsafePointer<UInt8>, _ count: Int, into output: inout OutputPiece
    ) -> Int {
        // What the inner loop may store; see base64_read.h.
        precondition(output.room >= count / 4 * 3 + 32)
        var written = 0
        let read = martlet_base64_read(variant, text, count, output.end, &written)
        guard read > 0 else { return 0 }
        output.advance(by: written)
        hasData = true
        isAfterJunk = false
        isAfterCR = text[read - 1] == ASCII.cr
        isLineEmpty = isAfterCR || text[read - 1] == ASCII.lf
        return read
    }

    /// Reads any octet.
    private mutating func take(
        _ octet: UInt8, at offset: Int, into output: inout OutputPiece
    ) {
        if phase == .line {
            guard octet == ASCII.cr || octet == ASCII.lf || line.count == Base64Line.limit else {
                line.append(octet)
                return
            }
            judgeLine(into: &output)
            guard phase == .data else { return }
        }
        switch octet {
        case ASCII.cr, ASCII.lf:
            endLine(with: octet)
        case ASCII.space, ASCII.tab, ASCII.verticalTab, ASCII.formFeed:
            isAfterCR = false
            isAfterBlank = true
        case _ where mayBeginText(octet):
            phase = .line
            line.append(octet)
            lineOffset = offset
            isLineBehindBlank = isAfterPadding && isAfterBlank && !isLineEmpty
            isRestOfLine = isAfterPadding && !isAfterBlank && !isLineEmpty
        default:
            takeCharacter(octet, at: offset, into: &output)
        }
    }

    private mutating func endLine(with octet: UInt8) {
        defer { isAfterCR = octet == ASCII.cr }
        if octet == ASCII.lf, isAfterCR { return }
        if isLineEmpty, hasData { isAfterEmptyLine = true }
        isLineEmpty = true
    }

    private func mayBeginText(_ octet: UInt8) -> Bool {
        guard hasData else { return false }
        if octet == ASCII.equals { return isLineEmpty && (isAfterPadding || isAfterEmptyLine) }
        return isAfterPadding || isAfterEmptyLine
            || (isLineEmpty && (octet == ASCII.hyphen || octet == ASCII.underscore))
    }

    /// Decides what the line that was held back is: more data, or the start of text that is passed over.
    private mutating func judgeLine(into output: inout OutputPiece) {
        let held = line
        line.removeAll(keepingCapacity: true)
        guard !Base64Line.isText(held, isBehindBlank: isLineBehindBlank) else {
            report.noteTrailer(at: lineOffset)
            phase = .trailer
            return
        }
        phase = .data
        if isRestOfLine, Base64Line.isEncodedPadding(held) {
            return report.note(.junk, at: lineOffset)
        }
        for (index, octet) in held.enumerated() where !octet.isBlank {
            takeCharacter(octet, at: lineOffset + index, into: &output)
        }
        // Else the octets in front of the padding would be judged again.
        isAfterEmptyLine = false
        isAfterPadding = held.last == ASCII.equals
    }

    /// Reads an octet that is no white space and belongs to the data.
    private mutating func takeCharacter(
        _ octet: UInt8, at offset: Int, into output: inout OutputPiece
    ) {
        isLineEmpty = false
        isAfterCR = false
        isAfterBlank = false
        let value = martlet_base64_value(octet)
        if value < 64 {
            if isAfterPadding { report.note(.innerPadding, at: offset) }
            isAfterPadding = false
            isAfterJunk = false
            bits = bits << 6 | UInt32(value)
            characterCount += 1
            if characterCount == 4 { endQuantum(into: &output) }
        } else if octet == ASCII.equals {
            isAfterJunk = false
            if characterCount > 1 {
                endQuantum(into: &output)
                isAfterPadding = true
            } else if characterCount == 1 {
                report.note(.stray, at: offset)
                characterCount = 0
                isAfterPadding = true
            } else if !isAfterPadding {
                report.note(.stray, at: offset)
            }
        } else {
            if !isAfterJunk { report.note(.junk, at: offset) }
            isAfterJunk = true
        }
    }

    /// Writes the whole octets of the characters so far.
    private mutating func endQuantum(into output: inout OutputPiece) {
        let bits = bits << UInt32(24 - 6 * characterCount)
        if characterCount > 1 { output.append(UInt8(truncatingIfNeeded: bits >> 16)) }
        if characterCount > 2 { output.append(UInt8(truncatingIfNeeded: bits >> 8)) }
        if characterCount > 3 { output.append(UInt8(truncatingIfNeeded: bits)) }
        self.bits = 0
        characterCount = 0
        hasData = true
    }
}

extension Base64 {
    /// Decodes base64 as it is found in mail and appends the octets; see `Base64Decoder` for what it takes.
    public static func decodeLenient(
        _ text: UnsafeRawBufferPointer, into output: inout [UInt8]
    ) -> Base64Report {
        Base64Decoder.decodeAll(text, into: &output)
    }

    /// Decodes base64 as it is found in mail; see `Base64Decoder` for what it takes.
    public static func decodeLenient(
        _ text: some Collection<UInt8>
    ) -> (octets: [UInt8], report: Base64Report) {
        Base64Decoder.decodeAll(text)
    }
}
