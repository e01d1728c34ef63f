internal import CMartletOctets

/// Reads quoted-printable as it is found in mail, in pieces of any size. RFC 2045 §6.7.
///
///     var decoder = QuotedPrintableDecoder()
///     decoder.decode(piece, into: &octets)        // as often as there are pieces
///     let report = decoder.finish(into: &octets)
///
/// Everything gives octets; what is odd is in the report. Hexadecimal digits may be lower case. Lines end with
/// LF, CRLF or CR and keep their ends as they are. Blanks in front of a line end or the end of the body are
/// padding of some gateway and are removed, also behind the `=` of a soft line break, which may end with CR CR LF too; blanks that are written
/// `=20` stay. An `=` that begins neither an escape nor a soft line break stands for itself. Octets that the
/// RFC would have escaped stand for themselves.
public struct QuotedPrintableDecoder: Sendable {
    private enum State {
        case text
        /// Behind blanks, which are in `blanks`. Next: `text`, `equals`.
        case blanks
        /// Behind `=`, and blanks if there are any in `blanks`. Next: `digit`, `softBreak`, or any.
        case equals
        /// Behind `=` and a digit.
        case digit(UInt8)
        /// Behind `=` and CR; an LF belongs to it, or CR LF. Next: `softBreakAndCR`, or any.
        case softBreak
        /// Behind `=` and two CRs, which are one line end if an LF follows. Next: any.
        case softBreakAndCR
    }

    private var state = State.text
    // Blanks that may be in front of a line end.
    private var blanks: [UInt8] = []
    // Where the `=` is.
    private var escapeOffset = 0
    // Octets of the pieces before this one.
    private var offset = 0
    private var report = QuotedPrintableReport()

    /// Starts a body.
    public init() {}

    /// Reads the next octets of the body and appends what they stand for.
    public mutating func decode(_ text: UnsafeRawBufferPointer, into output: inout [UInt8]) {
        output.append(decoding: text, with: &self)
    }

    /// Reads the next octets of the body and appends what they stand for.
    public mutating func decode(_ text: some Collection<UInt8>, into output: inout [UInt8]) {
        text.withUnsafeOctets { decode($0, into: &output) }
    }

    /// Ends the body, says what was odd, and is ready for another body.
    public mutating func finish(into output: inout [UInt8]) -> QuotedPrintableReport {
        if case .digit(let digit) = state {
            report.noteEscapes(1, firstAt: escapeOffset)
            output.append(ASCII.equals)
            output.append(digit)
        }
        if case .softBreakAndCR = state { output.append(ASCII.cr) }
        defer { self = QuotedPrintableDecoder() }
        return report
    }
}

extension QuotedPrintableDecoder: PieceDecoder {
    /// No octet becomes two; `=`, a digit and blanks may wait.
    func room(for count: Int) -> Int { count + blanks.count + 2 }

    mutating func read(_ text: UnsafeRawBufferPointer, into output: inout OutputPiece) {
        guard let base = text.baseAddress?.assumingMemoryBound(to: UInt8.self) else { return }
        let count = text.count
        var index = 0
        while index < count {
            if case .text = state {
                index += readRuns(base + index, count - index, at: offset + index, into: &output)
            }
            // What stopped the runs, up to where they can go on.
            while index < count {
                take(base[index], at: offset + index, into: &output)
                index += 1
                if case .text = state { break }
            }
        }
        offset += count
    }

    /// Reads octets, escapes and soft line breaks while nothing needs more thought.
    private mutating func readRuns(
        _ text: UnsafePointer<UInt8>, _ count: Int, at offset: Int, into output: inout OutputPiece
    ) -> Int {
        // What the inner loop may store; see quoted_printable.h.
        precondition(output.room >= count)
        let result = martlet_quoted_printable_read(text, count, output.end)
        output.advance(by: result.written)
        if result.invalid > 0 {
            report.noteEscapes(result.invalid, firstAt: offset + result.first_invalid)
        }
        return result.read
    }

    /// Reads any octet.
    private mutating func take(
        _ octet: UInt8, at offset: Int, into output: inout OutputPiece
    ) {
        switch state {
        case .text, .blanks:
            takeText(octet, at: offset, into: &output)
        case .equals:
            takeBehindEquals(octet, at: offset, into: &output)
        case .digit(let digit):
            state = .text
            let value = martlet_hex_value(octet)
            guard value < 16 else {
                report.noteEscapes(1, firstAt: escapeOffset)
                output.append(ASCII.equals)
                output.append(digit)
                return takeText(octet, at: offset, into: &output)
            }
            output.append(martlet_hex_value(digit) << 4 | value)
        case .softBreak:
            state = octet == ASCII.cr ? .softBreakAndCR : .text
            if octet != ASCII.cr, octet != ASCII.lf { takeText(octet, at: offset, into: &output) }
        case .softBreakAndCR:
            state = .text
            if octet == ASCII.lf { return }
            output.append(ASCII.cr)
            takeText(octet, at: offset, into: &output)
        }
    }

    private mutating func takeText(
        _ octet: UInt8, at offset: Int, into output: inout OutputPiece
    ) {
        if octet.isBlank {
            blanks.append(octet)
            state = .blanks
            return
        }
        if octet != ASCII.cr, octet != ASCII.lf { output.append(blanks) }
        blanks.removeAll(keepingCapacity: true)
        if octet == ASCII.equals {
            escapeOffset = offset
            state = .equals
        } else {
            output.append(octet)
            state = .text
        }
    }

    private mutating func takeBehindEquals(
        _ octet: UInt8, at offset: Int, into output: inout OutputPiece
    ) {
        if octet == ASCII.cr || octet == ASCII.lf {
            blanks.removeAll(keepingCapacity: true)
            state = octet == ASCII.cr ? .softBreak : .text
        } else if octet.isBlank {
            blanks.append(octet)
        } else if blanks.isEmpty, martlet_hex_value(octet) < 16 {
            state = .digit(octet)
        } else {
            report.noteEscapes(1, firstAt: escapeOffset)
            output.append(ASCII.equals)
            takeText(octet, at: offset, into: &output)
        }
    }
}

extension QuotedPrintable {
    /// Decodes quoted-printable as it is found in mail and appends the octets; see `QuotedPrintableDecoder`
    /// for what it takes.
    public static func decodeLenient(
        _ text: UnsafeRawBufferPointer, into output: inout [UInt8]
    ) -> QuotedPrintableReport {
        QuotedPrintableDecoder.decodeAll(text, into: &output)
    }

    /// Decodes quoted-printable as it is found in mail; see `QuotedPrintableDecoder` for what it takes.
    public static func decodeLenient(
        _ text: some Collection<UInt8>
    ) -> (octets: [UInt8], report: QuotedPrintableReport) {
        QuotedPrintableDecoder.decodeAll(text)
    }
}
