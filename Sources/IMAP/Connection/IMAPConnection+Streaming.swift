import MartletIMAPCore

/// Answers to FETCH that are handed on while they come.
extension IMAPConnection {
    /// Begins to fetch.
    func begin<Number>(_ command: IMAP.FetchStream<Number>) throws(IMAPError) -> CommandID {
        let id = try submit(command)
        streams[id] = 0
        return id
    }

    /// What came since this was called last, in its order. Waits for the next if nothing did.
    func nextPieces<Number>(
        of command: IMAP.FetchStream<Number>, _ id: CommandID
    ) async throws(IMAPError) -> FetchBatch<Number> {
        while true {
            let held = session.withCollector(of: id, IMAP.FetchStream<Number>.Collector.self) {
                $0.takePieces()
            }
            if let held, !held.isEmpty {
                if streams[id] != nil { streams[id] = 0 }
                readerWakes()
                return FetchBatch(pieces: held)
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
