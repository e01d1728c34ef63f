internal import CMartletOctets

/// Base64 as a body's transfer encoding: lines of 76 characters, each ended by CRLF. RFC 2045 §6.8.
///
/// Takes the octets in pieces of any size, so that a large file never sits in memory:
///
///     var encoder = Base64LineEncoder()
///     encoder.encode(chunk, into: &output)        // as often as there are chunks
///     encoder.finish(into: &output)
public struct Base64LineEncoder: Sendable {
    /// How many octets fill a line.
    public static let octetsPerLine = 57
    /// The length of a full line with its CRLF.
    public static let lineSize = 78

    // Octets that do not fill a line yet: fewer than `octetsPerLine`.
    private var rest: [UInt8] = []
    private let variant: martlet_variant

    /// Starts a body.
    public init() { self.init(variant: martlet_best_variant()) }

    init(variant: martlet_variant) { self.variant = variant }

    /// How many octets `count` octets become in all, line ends included.
    public static func encodedSize(of count: Int) -> Int {
        let (lines, rest) = count.quotientAndRemainder(dividingBy: octetsPerLine)
        return lines * lineSize + (rest == 0 ? 0 : Base64.encodedSize(of: rest) + 2)
    }

    /// Encodes the next octets; what does not fill a line waits for more.
    public mutating func encode(_ octets: some Collection<UInt8>, into output: inout [UInt8]) {
        octets.withUnsafeOctets { encode(raw: $0, into: &output) }
    }

    /// Writes the last, shorter line, if there is one, and is ready for another body.
    public mutating func finish(into output: inout [UInt8]) {
        guard !rest.isEmpty else { return }
        output += Base64.encode(rest)
        output.append(ASCII.cr)
        output.append(ASCII.lf)
        rest.removeAll(keepingCapacity: true)
    }

    private mutating func encode(raw octets: UnsafeRawBufferPointer, into output: inout [UInt8]) {
        var octets = octets
        if !rest.isEmpty {
            let missing = min(Self.octetsPerLine - rest.count, octets.count)
            rest += octets.prefix(missing)
            octets = UnsafeRawBufferPointer(rebasing: octets.dropFirst(missing))
            guard rest.count == Self.octetsPerLine else { return }
            rest.withUnsafeBytes { writeLines($0, into: &output) }
            rest.removeAll(keepingCapacity: true)
        }
        let whole = octets.count / Self.octetsPerLine * Self.octetsPerLine
        writeLines(UnsafeRawBufferPointer(rebasing: octets.prefix(whole)), into: &output)
        rest += octets.dropFirst(whole)
    }

    /// - Parameter octets: those of whole lines.
    private func writeLines(_ octets: UnsafeRawBufferPointer, into output: inout [UInt8]) {
        guard let base = octets.baseAddress?.assumingMemoryBound(to: UInt8.self) else { return }
        let lines = octets.count / Self.octetsPerLine
        output.append(writing: lines, unitsOf: Self.lineSize) { range, target in
            // In bounds: the lines of `range` are among those of `octets`.
            martlet_base64_write_lines(
                variant, base + range.lowerBound * Self.octetsPerLine, range.count, target)
        }
    }
}
