import MartletIMAPCore

/// Messages that are fetched one after the other, while they come.
///
///     for try await row in imap.rows(.all, [.flags, .envelope]) { … }
///
/// Any number goes through little memory: the connection waits for a slow reader, unless somebody else waits for an answer
/// that stands behind the rows. Leaving the loop early, or cancelling its task, gives the rest up.
public struct FetchedRows<Number: MessageNumber>: AsyncSequence, Sendable {
    /// A message's row.
    public typealias Element = FetchResponse

    let client: IMAPClient
    let command: IMAP.Fetch<Number>

    /// Begins to fetch.
    public func makeAsyncIterator() -> Iterator {
        Iterator(Fetching(client, command))
    }

    /// Gives rows.
    public struct Iterator: AsyncIteratorProtocol {
        private let fetching: Fetching<Number>
        private var rows: [FetchResponse] = []
        private var index = 0
        private var assembler: RowAssembler

        init(_ fetching: Fetching<Number>) {
            self.fetching = fetching
            assembler = RowAssembler(limit: fetching.command.fetch.memoryLimitInOctets)
        }

        /// The next row, `nil` after the last.
        ///
        /// Large data of a row are put into it; more than `memoryLimitInOctets` of one row are an error: use `download`.
        /// - Throws: `IMAPError`.
        public mutating func next() async throws -> FetchResponse? {
            if index == rows.count {
                guard let batch = try await nextBatch() else { return nil }
                rows = batch
                index = 0
            }
            defer { index += 1 }
            return rows[index]
        }

        /// The rows that came since the last call, at least one; `nil` after the last: for those who handle many at once.
        public mutating func nextBatch() async throws -> [FetchResponse]? {
            if index < rows.count {
                defer { index = rows.count }
                return Array(rows[index...])
            }
            while let pieces = try await fetching.next() {
                let batch = try assembler.take(pieces)
                if !batch.isEmpty { return batch }
            }
            return nil
        }
    }
}

/// One FETCH under way. Letting it go gives it up.
final class Fetching<Number: MessageNumber>: @unchecked Sendable {
    // @unchecked: used by one task at a time, that of its iterator.

    let command: IMAP.FetchStream<Number>
    private let client: IMAPClient
    private let selectionNumber: Int?
    private var running: (connection: IMAPConnection, id: CommandID)?
    private var isOver = false
    private(set) var summary: IMAP.FetchStream<Number>.Summary?

    /// - Parameter selectionNumber: that of the mailbox to fetch in; `nil`: whichever is selected.
    init(_ client: IMAPClient, _ command: IMAP.Fetch<Number>, within selectionNumber: Int? = nil) {
        self.client = client
        self.command = IMAP.FetchStream(command)
        self.selectionNumber = selectionNumber
    }

    deinit {
        guard let (connection, id) = running, !isOver else { return }
        connection.server.loop.execute { connection.assumeIsolated { $0.abandon(id) } }
    }

    func next() async throws(IMAPError) -> [FetchPiece]? {
        guard !isOver else { return nil }
        do throws(IMAPError) {
            let (connection, id) = try await start()
            let batch = try await connection.nextPieces(of: command, id)
            if let summary = batch.summary {
                isOver = true
                self.summary = summary
            }
            return batch.pieces
        } catch {
            isOver = true
            throw error
        }
    }

    private func start() async throws(IMAPError) -> (IMAPConnection, CommandID) {
        if let running { return running }
        let connection = try await client.selected(within: selectionNumber)
        let id = try await connection.begin(command)
        running = (connection, id)
        return (connection, id)
    }
}

/// Puts large data into the rows that they are of.
struct RowAssembler {
    let limit: Int
    private var data: [Int: [UInt8]] = [:]
    private var current: Int?
    private var size = 0

    init(limit: Int) { self.limit = limit }

    mutating func take(_ pieces: [FetchPiece]) throws(IMAPError) -> [FetchResponse] {
        var rows: [FetchResponse] = []
        for piece in pieces {
            switch piece {
            case .row(let row):
                rows.append(data.isEmpty ? row : settled(row))
                clear()
            case .damaged(let damaged):
                rows.append(FetchResponse(damaged))
                clear()
            case .vanished: break
            case .dataBegins(_, let index, _):
                current = index
                data[index] = []
            case .data(let octets):
                guard let current else { continue }
                size += octets.count
                guard size <= limit else {
                    throw IMAPError(kind: .tooLarge(limitInOctets: UInt64(limit)))
                }
                data[current, default: []].append(contentsOf: octets)
            case .dataEnds: current = nil
            }
        }
        return rows
    }

    private mutating func clear() {
        guard !data.isEmpty else { return }
        data = [:]
        size = 0
        current = nil
    }

    private func settled(_ row: FetchResponse) -> FetchResponse {
        var row = row
        for index in row.items.indices {
            switch row.items[index] {
            case .section(let section, let origin, let data):
                row.items[index] = .section(section, origin: origin, settled(data))
            case .binary(let part, let origin, let data):
                row.items[index] = .binary(part, origin: origin, settled(data))
            case .rfc822(let part, let data): row.items[index] = .rfc822(part, settled(data))
            default: break
            }
        }
        return row
    }

    private func settled(_ data: MessageData) -> MessageData {
        guard case .detached(let index, let size) = data, let octets = self.data[index],
            octets.count >= size
        else { return data }
        return .octets(octets.prefix(Int(clamping: size)))
    }
}

extension FetchResponse {
    /// A row that could not be read, as one that holds nothing but that.
    init(_ damaged: DamagedResponse) {
        var items: [FetchItem] = [
            .damaged(name: damaged.name ?? "FETCH", octets: damaged.octets, damaged.failure)
        ]
        if let uid = damaged.uid { items.insert(.uid(uid), at: 0) }
        self.init(number: damaged.number, items: items)
    }
}
