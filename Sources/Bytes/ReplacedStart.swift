/// A source whose first octets are replaced by others, the rest read from where it is.
package struct ReplacedStart: OctetSource {
    package let sizeInOctets: Int
    private let start: [UInt8]
    private let replacedSize: Int
    private let source: any OctetSource

    /// `start` instead of the first `replacedSize` octets of `source`.
    package init(_ start: [UInt8], instead replacedSize: Int, of source: any OctetSource) {
        self.start = start
        self.replacedSize = replacedSize
        self.source = source
        sizeInOctets = source.sizeInOctets - replacedSize + start.count
    }

    package func makeReader() throws -> any OctetReader {
        Reader(start: start[...], toSkip: replacedSize, rest: try source.makeReader())
    }

    private struct Reader: OctetReader {
        static let skipLimit = 65_536

        var start: ArraySlice<UInt8>
        var toSkip: Int
        var rest: any OctetReader

        mutating func read(atMost limit: Int) async throws -> [UInt8] {
            if !start.isEmpty {
                defer { start = start.dropFirst(limit) }
                return [UInt8](start.prefix(limit))
            }
            while toSkip > 0 {
                let skipped = try await rest.read(atMost: min(toSkip, Self.skipLimit))
                if skipped.isEmpty { return [] }
                toSkip -= skipped.count
            }
            return try await rest.read(atMost: limit)
        }
    }
}
