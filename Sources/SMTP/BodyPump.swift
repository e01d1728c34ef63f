import MartletBytes
import MartletSMTPCore

/// Gives a message in the pieces in which it is written: stuffed, canonical, with its end.
///
/// A streamed source is read, and the caller's handler called, off the event loop.
struct BodyPump {
    /// Pieces to write, and whether they are the last.
    struct Batch {
        var pieces: [ArraySlice<UInt8>]
        var isLast: Bool
    }

    private static let end: ArraySlice<UInt8> = [ASCII.dot, ASCII.cr, ASCII.lf]

    private let body: MessageBody
    private let progress: SMTPClient.ProgressHandler?
    private var stuffer = DotStuffer()
    private var reader: (any OctetReader)?
    private var octetsRead = 0

    init(_ body: MessageBody, _ progress: SMTPClient.ProgressHandler?) {
        self.body = body
        self.progress = progress
    }

    /// The next pieces. Called until they are the last.
    mutating func next() async throws -> Batch {
        let batch = try await nextBatch()
        if let progress {
            await Self.tell(
                progress,
                SendProgress(octetsSent: octetsRead, octetsTotal: body.source.sizeInOctets))
        }
        return batch
    }

    private mutating func nextBatch() async throws -> Batch {
        let size = body.source.sizeInOctets
        if let plain = body.plain {
            // Written from where it is, without a copy.
            let piece = plain[octetsRead..<min(octetsRead + MessageBody.pieceSize, size)]
            octetsRead += piece.count
            let isLast = octetsRead == size
            return Batch(pieces: isLast ? [piece, Self.end] : [piece], isLast: isLast)
        }
        var output: [UInt8] = []
        let piece = try await read()
        octetsRead += piece.count
        output.reserveCapacity(piece.count + piece.count / 32 + 8)
        stuffer.append(piece, to: &output)
        if octetsRead == size { stuffer.finish(into: &output) }
        return Batch(pieces: [output[...]], isLast: octetsRead == size)
    }

    private mutating func read() async throws -> ArraySlice<UInt8> {
        let left = body.source.sizeInOctets - octetsRead
        guard left > 0 else { return [] }
        if let octets = body.source.octetsInMemory {
            return octets[octetsRead..<min(octetsRead + MessageBody.pieceSize, octets.count)]
        }
        if reader == nil { reader = try body.source.makeReader() }
        let piece = try await reader?.read(atMost: min(left, MessageBody.pieceSize)) ?? []
        guard !piece.isEmpty else { throw SourceEndedEarly(octetsMissing: left) }
        return piece[...]
    }

    private nonisolated static func tell(
        _ handler: SMTPClient.ProgressHandler, _ progress: SendProgress
    ) async {
        handler(progress)
    }
}

/// A source gave fewer octets than it had announced.
struct SourceEndedEarly: Error, CustomStringConvertible {
    var octetsMissing: Int
    var description: String { "it ended \(octetsMissing) octets early" }
}
