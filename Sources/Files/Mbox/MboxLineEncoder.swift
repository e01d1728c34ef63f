import MartletBytes

/// Writes lines as a variant of mbox needs them, piece by piece: escapes `From ` and makes CRLF to LF.
/// The pieces' borders make no difference.
struct MboxLineEncoder {
    private static let from = Array("From ".utf8)

    private let isEscaping: Bool
    private let escapesQuoted: Bool
    private let convertsLineEnds: Bool

    /// Octets of `From ` that were seen at the start of a line and are held back; `nil` inside of a line.
    private var matched: Int? = 0
    /// Whether `>` stands at the start of the line.
    private var isQuoted = false
    /// A CR that ended the last piece.
    private var holdsCR = false
    /// Whether a line has ended with the last octet, or there was none.
    private(set) var endsLine = true

    init(variant: MboxVariant, convertingLineEnds convertsLineEnds: Bool) {
        isEscaping = variant != .mboxcl2
        escapesQuoted = variant == .mboxrd
        self.convertsLineEnds = convertsLineEnds
    }

    /// Writes the next octets; a few may wait for more.
    mutating func encode(_ octets: [UInt8], into output: inout [UInt8]) {
        octets.withUnsafeBytes { encode($0, into: &output) }
    }

    /// Writes what was held back.
    mutating func finish(into output: inout [UInt8]) {
        if holdsCR { output.append(ASCII.cr) }
        holdsCR = false
        leaveLineStart(into: &output)
    }

    private mutating func encode(_ octets: UnsafeRawBufferPointer, into output: inout [UInt8]) {
        guard let first = octets.first else { return }
        if holdsCR, first != ASCII.lf { output.append(ASCII.cr) }
        holdsCR = false
        var place = 0
        while place < octets.count {
            if let matched {
                place += match(octets[place], after: matched, into: &output)
            } else {
                place = copyLines(octets, from: place, into: &output)
            }
        }
    }

    /// Looks at an octet at the start of a line.
    /// - Returns: 1 if it is dealt with, 0 if it is to be copied.
    private mutating func match(
        _ octet: UInt8, after matched: Int, into output: inout [UInt8]
    ) -> Int {
        if octet == ASCII.greater, matched == 0 {
            output.append(octet)
            isQuoted = true
            endsLine = false
            return 1
        }
        guard octet == Self.from[matched] else {
            leaveLineStart(into: &output)
            return 0
        }
        self.matched = matched + 1
        if matched + 1 == Self.from.count {
            if isEscaping, escapesQuoted || !isQuoted { output.append(ASCII.greater) }
            leaveLineStart(into: &output)
        }
        return 1
    }

    private mutating func leaveLineStart(into output: inout [UInt8]) {
        guard let count = matched else { return }
        matched = nil
        guard count > 0 else { return }
        output += Self.from[..<count]
        endsLine = false
    }

    /// Copies lines up to one that may have to be changed, or to the end of the octets, in runs as long as
    /// possible.
    ///
    /// In bounds: `run` <= `place` < `octets.count`.
    private mutating func copyLines(
        _ octets: UnsafeRawBufferPointer, from place: Int, into output: inout [UInt8]
    ) -> Int {
        func copy(_ range: Range<Int>) {
            output.append(contentsOf: UnsafeRawBufferPointer(rebasing: octets[range]))
        }
        var run = place
        var place = place
        while place < octets.count, let lineEnd = octets.firstOffset(of: ASCII.lf, from: place) {
            if convertsLineEnds, lineEnd > run, octets[lineEnd - 1] == ASCII.cr {
                copy(run..<lineEnd - 1)
                run = lineEnd
            }
            let line = lineEnd + 1
            place = line
            while place < octets.count, octets[place] == ASCII.greater { place += 1 }
            guard place + Self.from.count <= octets.count else {
                // The line may be cut here: it is looked at octet by octet.
                copy(run..<line)
                endsLine = true
                matched = 0
                isQuoted = false
                return line
            }
            if isEscaping, escapesQuoted || place == line,
                MboxSeparatorLine.hasPrefix(octets, at: place)
            {
                copy(run..<line)
                output.append(ASCII.greater)
                run = line
            }
        }
        holdsCR = convertsLineEnds && octets[octets.count - 1] == ASCII.cr
        copy(run..<octets.count - (holdsCR ? 1 : 0))
        endsLine = false
        return octets.count
    }
}
