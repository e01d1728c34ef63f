import MartletBytes

/// Reads a message that comes in pieces, from a network or a pipe. RFC 5322, RFC 2045, RFC 2046.
///
///     var parser = MessageParser()
///     while let piece = … { parser.receive(piece) }
///     let message = parser.finish()
///
/// The structure is found while the octets come, so that `finish` has little left to do. Where the pieces end makes no
/// difference. A message that is in memory or in a file already is read by `Message(parsing:)`.
public struct MessageParser: Sendable {
    private let limits: MIMELimits
    private var octets: [UInt8] = []
    private var scanner: StructureScanner

    /// A parser that has no octets yet.
    public init(limits: MIMELimits = .standard) {
        self.limits = limits
        scanner = StructureScanner(limits: limits)
    }

    /// How many octets have come.
    public var sizeInOctets: Int { octets.count }

    /// Takes the octets that come next.
    public mutating func receive(_ piece: some Collection<UInt8>) {
        octets.append(contentsOf: piece)
        octets.withUnsafeBytes { scanner.scan($0, isFinal: false) }
    }

    /// The message: what has come is all of it. The parser starts over.
    public mutating func finish() -> Message {
        let octets = octets
        octets.withUnsafeBytes { scanner.scan($0, isFinal: true) }
        var builder = PartTableBuilder(Octets(octets), scanned: scanner)
        self = MessageParser(limits: limits)
        return Message(table: builder.finish())
    }
}
