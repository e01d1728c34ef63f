import MartletBytes

/// Reads a message once: its header section into memory, its body piece by piece.
enum MessageReading {
    static let pieceSize = 256 * 1024

    /// The header section of a message, and where in `octets` the body starts. A section beyond the limit is cut, and
    /// has a problem.
    ///
    /// - Parameter range: where the message is in `octets`; all of it unless given.
    static func header(
        of octets: Octets, in range: Range<Int>? = nil, limits: SignatureLimits
    ) -> (header: HeaderSection, bodyStart: Int) {
        octets.withUnsafeBytes { all in
            let range = (range ?? 0..<all.count).clamped(to: 0..<all.count)
            let octets = UnsafeRawBufferPointer(rebasing: all[range])
            let limit = limits.headerSizeInOctets
            let part = UnsafeRawBufferPointer(rebasing: octets.prefix(limit))
            var start = 0
            let found = HeaderSection.end(in: part, from: &start)
            let end = found ?? part.count
            let isCut = found == nil && octets.count > limit
            let header = HeaderSection(
                [UInt8](part[..<end]), isCut: isCut, fieldLimit: limits.fieldCount)
            return (header, range.lowerBound + end)
        }
    }

    /// Reads the header section, and gives the octets of the body that were read with it.
    static func header(
        from reader: inout any OctetReader, limits: SignatureLimits
    ) async throws -> (header: HeaderSection, startOfBody: [UInt8]) {
        var octets: [UInt8] = []
        var searched = 0
        while true {
            let piece = try await reader.read(atMost: pieceSize)
            octets += piece
            let end = octets.withUnsafeBytes { HeaderSection.end(in: $0, from: &searched) }
            let isCut = end ?? octets.count > limits.headerSizeInOctets
            guard end != nil || piece.isEmpty || isCut else { continue }
            let headerEnd = min(end ?? octets.count, limits.headerSizeInOctets)
            let header = HeaderSection(
                [UInt8](octets[..<headerEnd]), isCut: isCut, fieldLimit: limits.fieldCount)
            return (header, [UInt8](octets[headerEnd...]))
        }
    }
}
