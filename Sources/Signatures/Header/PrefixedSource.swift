import MartletBytes

/// A source with octets put before it.
struct PrefixedSource: OctetSource {
    private let prefix: [UInt8]
    private let rest: any OctetSource

    init(_ prefix: [UInt8], _ rest: any OctetSource) {
        self.prefix = prefix
        self.rest = rest
    }

    var sizeInOctets: Int { prefix.count + rest.sizeInOctets }

    func makeReader() throws -> any OctetReader {
        Reader(prefix: prefix[...], rest: try rest.makeReader())
    }

    private struct Reader: OctetReader {
        var prefix: ArraySlice<UInt8>
        var rest: any OctetReader

        mutating func read(atMost limit: Int) async throws -> [UInt8] {
            if prefix.isEmpty { return try await rest.read(atMost: limit) }
            defer { prefix = prefix.dropFirst(limit) }
            return [UInt8](prefix.prefix(limit))
        }
    }
}
