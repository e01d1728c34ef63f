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

    /// Starts a body.
    public init() {}

    /// How many octets `count` octets become in all, line ends included.
    public static func encodedSize(of count: Int) -> Int {
        let (lines, rest) = count.quotientAndRemainder(dividingBy: octetsPerLine)
        return lines * lineSize + (rest == 0 ? 0 : Base64.encodedSize(of: rest) + 2)
    }

    /// Encodes the next octets; what does not fill a line waits for more.
    public mutating func encode(_ octets: some Collection<UInt8>, into output: inout [UInt8]) {
        let done: Void? = octets.withContiguousStorageIfAvailable {
            encode(raw: UnsafeRawBufferPointer($0), into: &output)
        }
        if done == nil { [UInt8](octets).withUnsafeBytes { encode(raw: $0, into: &output) } }
    }

    /// Writes the last, shorter line, if there is one, and is ready for another body.
    public mutating func finish(into output: inout [UInt8]) {
        guard !rest.isEmpty else { return }
        rest.withUnsafeBytes { Self.writeLines($0, into: &output) }
        rest.removeAll(keepingCapacity: true)
    }

    private mutating func encode(raw octets: UnsafeRawBufferPointer, into output: inout [UInt8]) {
        var octets = octets[...]
        if !rest.isEmpty {
            let missing = octets.prefix(Self.octetsPerLine - rest.count)
            rest += missing
            octets = octets.dropFirst(missing.count)
            guard rest.count == Self.octetsPerLine else { return }
            finish(into: &output)
        }
        let whole = octets.count / Self.octetsPerLine * Self.octetsPerLine
        Self.writeLines(UnsafeRawBufferPointer(rebasing: octets.prefix(whole)), into: &output)
        rest += octets.dropFirst(whole)
    }

    private static func writeLines(_ octets: UnsafeRawBufferPointer, into output: inout [UInt8]) {
        let size = encodedSize(of: octets.count)
        output += [UInt8](unsafeUninitializedCapacity: size) { lines, count in
            guard var target = UnsafeMutableRawPointer(lines.baseAddress) else { return }
            var rest = octets[...]
            while !rest.isEmpty {
                let line = UnsafeRawBufferPointer(rebasing: rest.prefix(octetsPerLine))
                Base64.write(line, to: target)
                target += Base64.encodedSize(of: line.count)
                target.storeBytes(of: ASCII.cr, as: UInt8.self)
                target.storeBytes(of: ASCII.lf, toByteOffset: 1, as: UInt8.self)
                target += 2
                rest = rest.dropFirst(octetsPerLine)
            }
            count = size
        }
    }
}
