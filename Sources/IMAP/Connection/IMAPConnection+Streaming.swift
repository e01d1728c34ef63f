import MartletIMAPCore
import MartletTransport

/// Answers to FETCH that are handed on while they come.
///
/// Waking a consumer, who runs on another thread, and being asked for more takes as long as reading hundreds of rows. So what
/// comes is kept until it is worth that: until there is a batch of it, or a moment has passed.
extension IMAPConnection {
    /// What is kept for the consumer of a stream.
    struct Stream {
        /// How much was read since the consumer took something, in octets as the server wrote them.
        var heldInOctets = 0
        /// Whether the consumer is to have it now.
        var isRipe = false
    }

    /// Octets that are handed on at once.
    private static let batchInOctets = 256 << 10
    /// How long less than that is kept.
    private static let ripening = Duration.milliseconds(4)

    /// Begins to fetch.
    func begin<Number>(_ command: IMAP.FetchStream<Number>) throws(IMAPError) -> CommandID {
        let id = try submit(command)
        streams[id] = Stream()
        return id
    }

    /// There is something new for a stream's consumer.
    func streamGrew(_ id: CommandID) {
        guard let stream = streams[id] else { return }
        if stream.heldInOctets >= Self.batchInOctets {
            ripen(id)
        } else if !stream.isRipe, !streamsRipenSoon {
            streamsRipenSoon = true
            server.loop.schedule(
                at: .now.advanced(by: Self.ripening), RipeningTimer(connection: self))
        }
    }

    private func ripen(_ id: CommandID) {
        guard streams[id]?.isRipe == false else { return }
        streams[id]?.isRipe = true
        tell(id, .grown)
    }

    private struct RipeningTimer: TimerHandler {
        weak var connection: IMAPConnection?

        func timeCame() {
            connection?.assumeIsolated { connection in
                connection.streamsRipenSoon = false
                for id in Array(connection.streams.keys) { connection.ripen(id) }
            }
        }
    }

    /// What is to be handed on now.
    private func takeRipe<Number>(
        _ command: IMAP.FetchStream<Number>, _ id: CommandID
    ) -> [FetchPiece] {
        guard streams[id]?.isRipe == true else { return [] }
        streams[id] = Stream()
        return session.withCollector(of: id, IMAP.FetchStream<Number>.Collector.self) {
            $0.takePieces()
        } ?? []
    }

    /// What came since this was called last, in its order. Waits for the next if nothing did.
    func nextPieces<Number>(
        of command: IMAP.FetchStream<Number>, _ id: CommandID
    ) async throws(IMAPError) -> FetchBatch<Number> {
        while true {
            let pieces = takeRipe(command, id)
            if !pieces.isEmpty {
                readerWakes()
                return FetchBatch(pieces: pieces)
            }
            switch await outcome(of: id) {
            case .grown: continue
            case .completed(let collector, let end):
                guard var rest = collector as? IMAP.FetchStream<Number>.Collector else {
                    preconditionFailure("a command's collector is its own")
                }
                let pieces = rest.takePieces()
                return FetchBatch(pieces: pieces, summary: try result(of: command, rest, end))
            case .failed(let error): throw error.doing(command.name, server.host)
            case .challenge: preconditionFailure("nothing asked for a challenge")
            }
        }
    }
}

/// Some of what a FETCH gave.
struct FetchBatch<Number: MessageNumber>: Sendable {
    var pieces: [FetchPiece]
    /// Said with the last batch.
    var summary: IMAP.FetchStream<Number>.Summary?
}
