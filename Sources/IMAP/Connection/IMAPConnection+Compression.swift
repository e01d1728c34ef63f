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

    /// Keeps compressed octets; `takeInflated` gives what they mean.
    func inflate(_ octets: [UInt8]) {
        do throws(CompressionError) {
            try inflater?.append(octets)
        } catch {
            end(damaged(error))
        }
    }

    /// Takes all that octets mean, in the clear or compressed: the last ones of a connection.
    func takeRest(_ octets: [UInt8]) {
        guard inflater != nil else { return hear(octets) }
        inflate(octets)
        while takeInflated() > 0 {}
    }

    /// Takes a piece of what was compressed: a few octets may mean a thousand times as many, and a slow consumer has to be
    /// waited for among them.
    ///
    /// - Returns: how many octets it had; none when more compressed ones have to be read first.
    func takeInflated() -> Int {
        guard let inflater, failure == nil else { return 0 }
        var piece: [UInt8] = []
        do throws(CompressionError) {
            guard try inflater.next(into: &piece) > 0 else { return 0 }
        } catch {
            end(damaged(error))
            return 0
        }
        hear(piece)
        return piece.count
    }

    private func damaged(_ error: CompressionError) -> IMAPError {
        IMAPError(
            kind: .protocolViolation("sent compressed octets that are damaged"), underlying: error)
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
