import MartletBytes
import MartletCompression
import MartletIMAPCore
import MartletTransport

/// `COMPRESS=DEFLATE`. RFC 4978.
extension IMAPConnection {
    /// Asks for compression and starts it. Returns whether it is on.
    func compress() async throws(IMAPError) -> Bool {
        do throws(IMAPError) {
            try await run(IMAP.Compress())
        } catch {
            if case .refused = error.kind { return false }
            throw error
        }
        guard let start = compressedStart else { return false }
        compressedStart = nil
        inflater = Inflater()
        deflater = Deflater()
        session.compressionStarted()
        if !start.isEmpty { inflate(start) }
        readerWakes()
        settle()
        return true
    }

    func inflate(_ octets: [UInt8]) {
        inflater?.append(octets)
        do {
            while let piece = try inflater?.next() {
                session.receive(piece)
                settle()
            }
        } catch {
            end(
                IMAPError(
                    kind: .protocolViolation("sent compressed octets that are damaged"),
                    underlying: error))
        }
    }

    func writeCompressed(_ pieces: [ArraySlice<UInt8>]) async throws(TransportError) {
        var output: [UInt8] = []
        for piece in pieces { deflater?.append(piece, into: &output) }
        deflater?.flush(into: &output)
        try await channel.write(output, within: server.timeouts.reply)
    }
}
