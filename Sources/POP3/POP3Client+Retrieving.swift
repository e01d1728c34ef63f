import MartletBytes
import MartletMIME
import MartletPOP3Core
import MartletTransport

/// One message.
extension POP3Client {
    /// A message's header, with the empty line behind it, and some lines of its body.
    ///
    /// Where a server has no `TOP`, the whole message comes and the rest is dropped.
    /// - Throws: `.refused` where there is no such message.
    public nonisolated(nonsending) func header(
        of number: Int, bodyLines: Int = 0
    ) async throws(POP3Error) -> [UInt8] {
        var octets: [UInt8] = []
        try await one(number, bodyLines: bodyLines) { (piece) async throws in octets += piece }
        return octets
    }

    /// A message's octets.
    ///
    /// - Throws: `.refused` where there is no such message; `.tooLarge` above the limit, and the connection is closed then.
    public nonisolated(nonsending) func octets(
        of number: Int, limitInOctets: Int = POP3Client.messageLimitInOctets
    ) async throws(POP3Error) -> [UInt8] {
        var octets: [UInt8] = []
        try await one(number, bodyLines: nil) { (piece) async throws in
            octets += piece
            guard octets.count <= limitInOctets else {
                throw POP3Error(kind: .tooLarge(limitInOctets: limitInOctets))
            }
        }
        return octets
    }

    /// A message, read while it comes.
    ///
    /// - Throws: `.refused` where there is no such message.
    public nonisolated(nonsending) func message(_ number: Int) async throws(POP3Error) -> Message {
        var parser = MessageParser()
        try await one(number, bodyLines: nil) { (piece) async throws in
            piece.withUnsafeBytes { parser.receive($0) }
        }
        return parser.finish()
    }

    /// A message's octets as they come, in pieces, in little memory: the next is read when `take` has returned.
    ///
    /// - Throws: `.refused` where there is no such message; `.unwritableData` when `take` throws, and the connection is closed
    ///   then.
    public nonisolated(nonsending) func download(
        _ number: Int, _ take: (ArraySlice<UInt8>) async throws -> Void
    ) async throws(POP3Error) {
        try await one(number, bodyLines: nil, take)
    }

    private nonisolated(nonsending) func one(
        _ number: Int, bodyLines: Int?, _ take: (ArraySlice<UInt8>) async throws -> Void
    ) async throws(POP3Error) {
        var refusal: POP3Reply?
        try await download([number], bodyLines: bodyLines) { (piece) async throws in
            switch piece {
            case .octets(let octets): try await take(octets)
            case .refused(_, let reply): refusal = reply
            case .begins, .ends: break
            }
        }
        guard let refusal else { return }
        let command = bodyLines == nil ? "RETR" : "TOP"
        throw POP3Error(kind: .refused(refusal), command: command, server: server.host)
    }
}

/// Many messages.
extension POP3Client {
    /// Messages one behind the other. Where the server takes PIPELINING, many are asked for before the first has come, so that
    /// distance costs next to nothing. One is in memory at a time, and what the network holds; the next comes when `take` has
    /// returned.
    ///
    /// - Parameters:
    ///   - numbers: in any order.
    ///   - bodyLines: how many lines of the bodies; `nil`: whole messages.
    ///   - limitInOctets: of one message.
    /// - Throws: `.tooLarge`, `.unwritableData` when `take` throws, or what the connection failed by. It is closed then, and
    ///   nothing is deleted.
    public nonisolated(nonsending) func retrieve(
        _ numbers: some Sequence<Int>, bodyLines: Int? = nil,
        limitInOctets: Int = POP3Client.messageLimitInOctets,
        _ take: (RetrievedMessage) async throws -> Void
    ) async throws(POP3Error) {
        var octets: [UInt8] = []
        try await download(numbers, bodyLines: bodyLines) { (piece) async throws in
            switch piece {
            case .begins: octets = []
            case .octets(let more):
                // The common message comes in one piece.
                if octets.isEmpty { octets = [UInt8](more) } else { octets += more }
                guard octets.count <= limitInOctets else {
                    throw POP3Error(kind: .tooLarge(limitInOctets: limitInOctets))
                }
            case .ends(let number):
                let message = RetrievedMessage(number: number, octets: octets)
                octets = []
                try await take(message)
            case .refused(let number, let reply):
                try await take(RetrievedMessage(number: number, octets: [], refusal: reply))
            }
        }
    }

    /// Messages one behind the other, in pieces as they come: `retrieve` for those that are too large to keep whole.
    public nonisolated(nonsending) func download(
        _ numbers: some Sequence<Int>, bodyLines: Int? = nil,
        _ take: (RetrievedPiece) async throws -> Void
    ) async throws(POP3Error) {
        let command = bodyLines == nil ? "RETR" : "TOP"
        let numbers = Array(numbers)
        for number in numbers { _ = try POP3.Top(number, bodyLines: bodyLines ?? 0) }
        guard !numbers.isEmpty else { return }
        try await beginRetrieval(numbers, bodyLines: bodyLines, command)
        do {
            while let pieces = try await nextPieces() {
                for piece in pieces { try await take(piece) }
            }
        } catch {
            throw await endRetrieval(after: error, command)
        }
        await endRetrieval()
    }

    /// Takes the turn, which `endRetrieval` gives back.
    private func beginRetrieval(
        _ numbers: [Int], bodyLines: Int?, _ command: String
    ) async throws(POP3Error) {
        try await takeTurn(command)
        do throws(POP3Error) {
            try await openForNumbers(command)
        } catch {
            giveTurn()
            throw error
        }
        // Where CAPA is unknown, TOP may be known.
        let usesTop = capabilities.has(.top) || capabilities.all.isEmpty
        connection?.retrieval = Retrieval(numbers, bodyLines: bodyLines, usesTop: usesTop)
    }

    /// Octets that are handed over at once: each crossing from the loop and back costs as much as many small messages.
    private static let batchInOctets = 256 << 10

    /// What came since; waits for the first of it. `nil` when all came.
    private func nextPieces() async throws(POP3Error) -> [RetrievedPiece]? {
        guard let connection, var retrieval = connection.retrieval else {
            throw POP3Error(kind: .unexpectedClose)
        }
        defer { connection.retrieval = retrieval }
        var pieces: [RetrievedPiece] = []
        do throws(POP3Error) {
            try await fill(&pieces, from: &retrieval, connection)
        } catch {
            // What came before is the caller's; the session says the same the next time.
            guard !pieces.isEmpty, connection.session.isOver else { throw error }
        }
        return pieces.isEmpty ? nil : pieces
    }

    private func fill(
        _ pieces: inout [RetrievedPiece], from retrieval: inout Retrieval, _ connection: Connection
    ) async throws(POP3Error) {
        var size = 0
        while !retrieval.isDone {
            try retrieval.ask(&connection.session, into: &connection.output)
            try await flush(connection)
            while size < Self.batchInOctets, let event = try takeEvent(connection) {
                guard let piece = retrieval.take(event) else { continue }
                if case .octets(let octets) = piece { size += octets.count }
                pieces.append(piece)
            }
            if size >= Self.batchInOctets { return }
            if retrieval.isDone { return }
            if pieces.isEmpty {
                let limit = server.timeouts.limit(for: connection.session.activity)
                try await read(connection, within: limit)
            } else if let octets = try? await connection.channel.readNow(), !octets.isEmpty {
                connection.session.receive(octets)
            } else {
                return  // the end of the connection shows the next time
            }
        }
    }

    private func endRetrieval() {
        connection?.retrieval = nil
        giveTurn()
    }

    /// A connection with answers to come is closed: nobody is there to take them.
    private func endRetrieval(after error: any Error, _ command: String) async -> POP3Error {
        defer { giveTurn() }
        connection?.retrieval = nil
        var failure: POP3Error
        switch error {
        case let error as POP3Error: failure = error
        case is CancellationError: failure = POP3Error(kind: .cancelled)
        default: failure = POP3Error(kind: .unwritableData, underlying: error)
        }
        if connection?.session.isIdle != true {
            await drop()
            failure.lostDeletionCount = lostDeletionCount
        }
        return await settled(failure.doing(command))
    }
}
