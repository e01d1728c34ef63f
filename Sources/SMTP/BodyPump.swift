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

    /// The next pieces of a message in memory, without leaving the event loop; `nil` when they must be read first.
    mutating func nextNow() -> Batch? {
        let range = octetsRead..<min(octetsRead + MessageBody.pieceSize, body.source.sizeInOctets)
        if let plain = body.plain {
            // Written from where it is, without a copy.
            octetsRead = range.upperBound
            let piece = plain[range]
            return Batch(pieces: isAtEnd ? [piece, Self.end] : [piece], isLast: isAtEnd)
        }
        return body.source.octetsInMemory.map { stuff($0[range]) }
    }

    /// The next pieces, read from their source.
    mutating func next() async throws -> Batch {
        let left = body.source.sizeInOctets - octetsRead
        guard left > 0 else { return stuff([]) }
        if reader == nil { reader = try body.source.makeReader() }
        let piece = try await reader?.read(atMost: min(left, MessageBody.pieceSize)) ?? []
        guard !piece.isEmpty else { throw SourceEndedEarly(octetsMissing: left) }
        return stuff(piece[...])
    }

    /// Tells the caller how far it has come, off the event loop.
    func tellProgress() async {
        guard let progress else { return }
        await Self.tell(
            progress, SendProgress(octetsSent: octetsRead, octetsTotal: body.source.sizeInOctets))
    }

    private var isAtEnd: Bool { octetsRead == body.source.sizeInOctets }

    private mutating func stuff(_ piece: ArraySlice<UInt8>) -> Batch {
        octetsRead += piece.count
        var output: [UInt8] = []
        output.reserveCapacity(piece.count + piece.count / 32 + 8)
        stuffer.append(piece, to: &output)
        if isAtEnd { stuffer.finish(into: &output) }
        return Batch(pieces: [output[...]], isLast: isAtEnd)
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
