import MartletBytes

/// Reads a message once: its header section into memory, its body piece by piece.
enum MessageReading {
    static let pieceSize = 256 * 1024

    /// The header section of `octets`, and where the body starts. A section beyond the limit is cut, and has a problem.
    static func header(
        of octets: Octets, limits: SignatureLimits
    ) -> (header: HeaderSection, bodyStart: Int) {
        octets.withUnsafeBytes { octets in
            let limit = limits.headerSizeInOctets
            let part = UnsafeRawBufferPointer(rebasing: octets.prefix(limit))
            var start = 0
            let found = HeaderSection.end(in: part, from: &start)
            let end = found ?? part.count
            let isCut = found == nil && octets.count > limit
            let header = HeaderSection(
                [UInt8](part[..<end]), isCut: isCut, fieldLimit: limits.fieldCount)
            return (header, end)
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
