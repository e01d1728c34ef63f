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
        do throws(CompressionError) {
            inflater = try Inflater()
            deflater = try Deflater()
        } catch {
            // The server compresses already: there is no way back.
            let failure = IMAPError(kind: .transport, command: "COMPRESS", underlying: error)
            end(failure)
            throw failure
        }
        session.compressionStarted()
        if !start.isEmpty { inflate(start) }
        readerWakes()
        settle()
        return true
    }

    func inflate(_ octets: [UInt8]) {
        guard let inflater else { return }
        do throws(CompressionError) {
            try inflater.append(octets)
            while failure == nil {
                var piece: [UInt8] = []
                guard try inflater.next(into: &piece) > 0 else { break }
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
        do throws(CompressionError) {
            for piece in pieces { try deflater?.append(piece, to: &output) }
            try deflater?.flush(to: &output)
        } catch {
            throw TransportError(.system, .write, peer: channel.peer)
        }
        try await channel.write(output, within: server.timeouts.reply)
    }
}
