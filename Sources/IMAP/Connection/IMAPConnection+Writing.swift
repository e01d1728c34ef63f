import MartletBytes
import MartletIMAPCore
import MartletTransport

/// What goes to the server.
extension IMAPConnection {
    /// Writes as long as the connection lives.
    func writeToEnd() async {
        while failure == nil {
            guard let output = session.nextOutput() else {
                await waitForOutput()
                continue
            }
            do {
                switch output {
                case .octets(let octets, let secrets):
                    record(octets, secrets)
                    try await write([octets[...]])
                case .source(let source, _): try await send(source)
                }
            } catch let error as IMAPError {
                end(error)
            } catch let error as TransportError {
                await fail(error)
            } catch {
                end(IMAPError(kind: .unreadableMessage, underlying: error))
            }
        }
    }

    private func waitForOutput() async {
        await server.loop.suspend(isolation: self, onCancel: {}) { continuation in
            if session.hasOutput || failure != nil {
                continuation.resume()
            } else {
                writerWaiter = continuation
            }
        }
    }

    private func write(_ pieces: [ArraySlice<UInt8>]) async throws(TransportError) {
        lastHeard = .now
        if deflater != nil { return try await writeCompressed(pieces) }
        try await channel.write(pieces, within: server.timeouts.reply)
    }

    /// Pulls a message from its source while it is written. It was announced with its size: one that is shorter or longer
    /// would put the connection out of step, so that it is closed.
    private func send(_ source: any OctetSource) async throws {
        var left = source.sizeInOctets
        log?.record(.client, messageOctets: left)
        if let octets = source.octetsInMemory {
            return try await write([octets[...]])
        }
        var reader = try await Self.reader(of: source)
        while left > 0 {
            let piece = try await Self.read(&reader, min(left, Self.pieceInOctets))
            guard !piece.isEmpty else { throw SourceEndedEarly(octetsMissing: left) }
            left -= piece.count
            try await write([piece[...]])
        }
    }

    /// Octets of a message that are read at once.
    private static let pieceInOctets = 128 << 10

    // Sources read files: not on the loop.
    private nonisolated static func reader(of source: any OctetSource) async throws
        -> any OctetReader
    {
        try source.makeReader()
    }

    private nonisolated static func read(
        _ reader: inout any OctetReader, _ limit: Int
    ) async throws -> [UInt8] {
        try await reader.read(atMost: limit)
    }

    /// A server that refuses and closes at once has often said why.
    private func fail(_ error: TransportError) async {
        guard failure == nil else { return }
        switch error.kind {
        case .connectionReset, .closedByPeer:
            while let octets = try? await channel.readNow(), !octets.isEmpty {
                takeRest(octets)
            }
            end(session.peerClosed() ?? session.transportFailed(error))
        case .timedOut: end(session.deadlinePassed() ?? IMAPError(kind: .timeout))
        default: end(session.transportFailed(error))
        }
    }

    private func record(_ octets: [UInt8], _ secrets: [Range<Int>]) {
        if !session.isAuthenticated { sentSecrets.note(octets, secrets) }
        guard let log else { return }
        var shown: [UInt8] = []
        var offset = 0
        for range in secrets {
            shown += octets[offset..<range.lowerBound]
            shown += Array(WireLog.mask.utf8)
            offset = range.upperBound
        }
        log.record(.client, shown + octets[offset...])
    }
}

/// A source gave fewer octets than it had announced.
struct SourceEndedEarly: Error, CustomStringConvertible {
    var octetsMissing: Int
    var description: String { "it ended \(octetsMissing) octets early" }
}
