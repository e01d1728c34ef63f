public import MartletBytes

/// A message whose lines all end with CR LF, whatever they end with in the source: what IMAP's APPEND wants, and what files
/// on Unix do not have. A CR or LF alone becomes CR LF; octets 0 stay. RFC 5322 §2.3.
public struct CanonicalLines: OctetSource {
    private let source: any OctetSource
    /// The octets with the line ends in place.
    public let sizeInOctets: Int
    /// All octets, where they are in memory.
    public let octetsInMemory: [UInt8]?

    /// Reads the source once, to know how large it will be.
    ///
    /// - Throws: what the source's reader throws.
    public init(_ source: any OctetSource) async throws {
        self.source = source
        var lines = LineEnder()
        if let octets = source.octetsInMemory {
            var result: [UInt8] = []
            result.reserveCapacity(octets.count + octets.count / 32)
            lines.append(octets, to: &result)
            lines.finish(&result)
            octetsInMemory = result
            sizeInOctets = result.count
            return
        }
        octetsInMemory = nil
        var size = 0
        var piece: [UInt8] = []
        var reader = try source.makeReader()
        while true {
            let octets = try await reader.read(atMost: Self.pieceInOctets)
            if octets.isEmpty { break }
            piece.removeAll(keepingCapacity: true)
            lines.append(octets, to: &piece)
            size += piece.count
        }
        piece.removeAll()
        lines.finish(&piece)
        sizeInOctets = size + piece.count
    }

    fileprivate static let pieceInOctets = 128 << 10

    /// Starts reading from the first octet.
    ///
    /// - Throws: when the source cannot be opened.
    public func makeReader() throws -> any OctetReader {
        if let octetsInMemory { return OctetArray(octetsInMemory).makeReader() }
        return Reader(reader: try source.makeReader())
    }

    private struct Reader: OctetReader {
        var reader: any OctetReader
        var lines = LineEnder()
        var waiting: ArraySlice<UInt8> = []
        var isOver = false

        mutating func read(atMost limit: Int) async throws -> [UInt8] {
            while waiting.isEmpty, !isOver {
                let octets = try await reader.read(atMost: CanonicalLines.pieceInOctets)
                var result: [UInt8] = []
                if octets.isEmpty {
                    isOver = true
                    lines.finish(&result)
                } else {
                    lines.append(octets, to: &result)
                }
                waiting = result[...]
            }
            let piece = waiting.prefix(limit)
            waiting = waiting.dropFirst(piece.count)
            return Array(piece)
        }
    }
}

/// Puts CR LF where a line ends.
private struct LineEnder {
    // A CR at the end of a piece: whether LF comes after it is not known yet.
    private var endsWithCR = false

    mutating func append(_ octets: [UInt8], to result: inout [UInt8]) {
        for octet in octets {
            if octet == ASCII.lf {
                result += [ASCII.cr, ASCII.lf]
                endsWithCR = false
                continue
            }
            finish(&result)
            if octet == ASCII.cr { endsWithCR = true } else { result.append(octet) }
        }
    }

    /// The CR that was last is a line end of its own.
    mutating func finish(_ result: inout [UInt8]) {
        if endsWithCR { result += [ASCII.cr, ASCII.lf] }
        endsWithCR = false
    }
}
