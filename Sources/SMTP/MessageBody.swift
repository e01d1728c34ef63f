import MartletBytes
import MartletSMTPCore

/// A message that has been looked through: what the server must be told of it, and whether it can go as it is.
struct MessageBody: Sendable {
    var source: any OctetSource
    var content: MailTransaction.Content
    /// The octets, where they can be written without a look at each: canonical lines, none with a leading dot.
    var plain: [UInt8]?

    /// Octets that are looked through at a time.
    static let pieceSize = 256 * 1024

    /// A message that is small enough to be looked through on the event loop; `nil` for others.
    init?(small source: any OctetSource) {
        guard let octets = source.octetsInMemory, octets.count <= Self.pieceSize else { return nil }
        self.init(source, OctetProfile(octets))
    }

    /// Reads the source once, to know its size on the wire and whether it has 8-bit octets. Not on the event loop.
    nonisolated static func examine(_ source: any OctetSource) async throws(SMTPError)
        -> MessageBody
    {
        do {
            return MessageBody(source, try await OctetProfile(reading: source))
        } catch {
            throw SMTPError(
                kind: error is CancellationError ? .cancelled : .unreadableMessage,
                stage: .envelope, underlying: error)
        }
    }

    private init(_ source: any OctetSource, _ profile: OctetProfile) {
        self.source = source
        content = .init(sizeInOctets: profile.canonicalSizeInOctets, is8Bit: profile.has8Bit)
        if let octets = source.octetsInMemory, profile.endsLine, !profile.needsDotStuffing,
            !profile.hasBareCR, !profile.hasBareLF
        {
            plain = octets
        }
    }
}
