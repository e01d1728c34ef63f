import MartletBytes
import MartletIMAPCore
import MartletMIME

extension IMAPClient {
    // MARK: Rows

    /// Fetches data of messages by UID and gives them when all have come.
    ///
    /// Messages that the server leaves out are asked for once more, since servers say OK and nothing else when they are busy;
    /// those that are still missing are in `missing`, and may be gone.
    /// - Parameters:
    ///   - uids: which messages of the selected mailbox. None gives none.
    ///   - attributes: what of each.
    ///   - changedSince: only of messages that changed after that. RFC 7162.
    /// - Throws: `IMAPError`, with `.tooLarge` beyond 256 MiB: use `rows` or `download`.
    public func fetch(
        _ uids: UIDSet, _ attributes: [FetchAttribute], changedSince: ModSequence? = nil
    ) async throws(IMAPError) -> FetchResult<UID> {
        guard !uids.isEmpty else { return FetchResult() }
        let number = selectionNumber
        var result = FetchResult<UID>()
        for piece in await pieces(of: uids) {
            var rest = piece
            while !rest.isEmpty {
                var one = try await run(
                    IMAP.Fetch(rest, attributes, changedSince: changedSince), within: number)
                rest = one.leftBehind(of: rest)
                result.add(one)
            }
        }
        let emptied = result.emptied(of: attributes)
        let missing = (result.missing ?? []).union(emptied)
        guard !missing.isEmpty else { return result }
        var second = FetchResult<UID>()
        for piece in await pieces(of: missing) {
            second.add(
                try await run(
                    IMAP.Fetch(piece, attributes, changedSince: changedSince), within: number))
        }
        result.complete(with: second)
        return result
    }

    /// Fetches data of messages by sequence number; see the other form. Numbers beyond the last message are not asked for,
    /// and missing.
    public func fetch(
        _ numbers: SequenceSet, _ attributes: [FetchAttribute]
    ) async throws(IMAPError) -> FetchResult<SequenceNumber> {
        guard !numbers.isEmpty else { return FetchResult() }
        var result = FetchResult<SequenceNumber>()
        let selectionNumber = selectionNumber
        // QUIRK(range-beyond-end): QQ refuses all of a range that goes beyond the last message.
        let count = await (try selected()).mailbox?.messageCount ?? 0
        let existing = SequenceNumber(UInt32(clamping: count)).map { numbers.limited(toLast: $0) }
        for piece in await pieces(of: existing ?? []) {
            result.add(try await run(IMAP.Fetch(piece, attributes), within: selectionNumber))
        }
        if numbers.openEnd == nil {
            let beyond = numbers.subtracting(existing ?? [])
            result.missing = (result.missing ?? []).union(beyond)
        }
        return result
    }

    /// Fetches data of messages while they come, in little memory.
    public nonisolated func rows<Number: MessageNumber>(
        _ messages: MessageNumberSet<Number>, _ attributes: [FetchAttribute]
    ) -> FetchedRows<Number> {
        FetchedRows(client: self, command: IMAP.Fetch(messages, attributes))
    }

    /// Fetches what a command says while it comes, in little memory.
    public nonisolated func rows<Number: MessageNumber>(
        _ command: IMAP.Fetch<Number>
    ) -> FetchedRows<Number> {
        FetchedRows(client: self, command: command)
    }

    /// The set in pieces that the server takes as one command each: not too long a line, and not too many messages
    /// (RFC 9738).
    func pieces<Number>(of set: MessageNumberSet<Number>) async -> [MessageNumberSet<Number>] {
        let pieces = set.pieces(atMost: (await commandLimit) - Self.commandReserve)
        guard let limit = await capabilities.messageLimit else { return pieces }
        return pieces.flatMap { $0.pieces(ofAtMost: Int(limit)) }
    }

    /// The longest command line, in octets.
    var commandLimit: Int {
        get async { await connection?.profile?.commandLimitInOctets ?? ServerProfile.commandLimit }
    }

    /// Room for the rest of a command, in octets.
    private static let commandReserve = 500

    // MARK: Messages and parts

    /// All of a message, as it is.
    ///
    /// - Throws: `.missingResponse` where the message is gone.
    public func octets(of uid: UID, _ section: MessageSection = .message) async throws(IMAPError)
        -> [UInt8]
    {
        var octets: [UInt8] = []
        try await download(section, of: uid) { (piece) async throws in
            octets.append(contentsOf: piece)
        }
        return octets
    }

    /// A message, read while it comes.
    ///
    /// - Throws: `.missingResponse` where the message is gone.
    public func message(_ uid: UID) async throws(IMAPError) -> Message {
        var parser = MessageParser()
        try await download(.message, of: uid) { (piece) async throws in
            piece.withUnsafeBytes { parser.receive($0) }
        }
        return parser.finish()
    }

    /// The body of a part with its transfer encoding taken off.
    ///
    /// - Parameters:
    ///   - part: its number, from a `BodyStructure`.
    ///   - encoding: its transfer encoding, such as `base64`, from there; `nil` asks the server for it first.
    ///   - isBinary: whether to let the server take it off where it can (RFC 3516): a third less goes over the wire.
    public func body(
        of uid: UID, _ part: PartNumber, encoding: String? = nil, isBinary: Bool = true
    ) async throws(IMAPError) -> [UInt8] {
        let number = selectionNumber
        if isBinary, await capabilities.has(.binary),
            let octets = try await binaryBody(of: uid, part)
        {
            return octets
        }
        let encoding: String =
            if let encoding { encoding } else { try await transferEncoding(of: uid, part) }
        var raw: [UInt8] = []
        try await download(MessageSection(part), of: uid, within: number) {
            (piece) async throws in raw.append(contentsOf: piece)
        }
        return ContentTransferEncoding(named: encoding).decode(raw).value
    }

    /// What the server decoded; `nil` where it cannot (UNKNOWN-CTE).
    private func binaryBody(of uid: UID, _ part: PartNumber) async throws(IMAPError) -> [UInt8]? {
        do throws(IMAPError) {
            let result = try await run(IMAP.Fetch(UIDSet(uid), [.binary(part)]))
            for case .binary(part, _, let data) in result.rows.flatMap(\.items) {
                if let octets = data.octets { return Array(octets) }
            }
            return nil
        } catch {
            switch error.kind {
            case .refused, .rejected: return nil
            default: throw error
            }
        }
    }

    private func transferEncoding(of uid: UID, _ part: PartNumber) async throws(IMAPError) -> String
    {
        let rows = try await fetch(UIDSet(uid), [.bodyStructure]).rows
        return rows.first?.bodyStructure?.part(part)?.transferEncoding ?? "7bit"
    }

    // MARK: Downloads

    /// Hands the octets of a message or part on while they come, in little memory.
    ///
    /// Where the connection is lost, it is made anew and the rest asked for. The connection waits while `take` works.
    /// - Parameters:
    ///   - section: what of the message.
    ///   - origin: where to begin, in octets: to go on with what was begun.
    ///   - take: gets the pieces in order; what it throws ends the download, as `.unwritableData`.
    /// - Returns: how many octets came.
    /// - Throws: `.missingResponse` where the message is gone.
    @discardableResult
    public nonisolated func download(
        _ section: MessageSection, of uid: UID, from origin: UInt64 = 0,
        _ take: (ArraySlice<UInt8>) async throws -> Void
    ) async throws(IMAPError) -> UInt64 {
        try await download(section, of: uid, from: origin, within: await selectionNumber, take)
    }

    @discardableResult
    private nonisolated func download(
        _ section: MessageSection, of uid: UID, from origin: UInt64 = 0, within number: Int,
        _ take: (ArraySlice<UInt8>) async throws -> Void
    ) async throws(IMAPError) -> UInt64 {
        var download = Download(
            uid: uid, section: section, origin: origin, selectionNumber: number)
        var attempt = 1
        while true {
            let before = download.received
            do throws(IMAPError) {
                try await download.run(on: self, take)
                // QUIRK(empty-body): see `FetchResult.emptied`.
                guard section == .message, origin + download.received == 0 else {
                    return download.received
                }
                if attempt > 1 {
                    try await believeEmpty(uid)
                    return 0
                }
            } catch {
                // An attempt that brought something is not counted.
                if download.received > before { attempt = 1 }
                guard let wait = await wait(after: error, attempt, isRepeatable: true) else {
                    throw error
                }
                try await pause(wait)
            }
            attempt += 1
        }
    }

    /// A message that the server itself says has octets is not empty.
    private func believeEmpty(_ uid: UID) async throws(IMAPError) {
        var size: UInt64 = 0
        let rows = try await run(IMAP.Fetch(UIDSet(uid), [.size])).rows
        for case .size(let octets) in rows.flatMap(\.items) { size = octets }
        guard size > 0 else { return }
        throw IMAPError(
            kind: .missingResponse("the message's \(size) octets"), command: "UID FETCH",
            server: server.host)
    }

    /// Streams one part, decoded, in little memory: an attachment to a file.
    ///
    /// - Parameters:
    ///   - part: its number, such as `2.1`.
    ///   - encoding: its transfer encoding, as BODYSTRUCTURE has it; `nil` asks.
    ///   - take: gets the octets in order; what it throws ends the download.
    /// - Throws: see `download(_:of:from:_:)`.
    public nonisolated func downloadBody(
        of uid: UID, _ part: PartNumber, encoding: String? = nil,
        _ take: (ArraySlice<UInt8>) async throws -> Void
    ) async throws(IMAPError) {
        let number = await selectionNumber
        let encoding: String =
            if let encoding { encoding } else { try await transferEncoding(of: uid, part) }
        var decoder = TransferDecoder(ContentTransferEncoding(named: encoding))
        try await download(MessageSection(part), of: uid, within: number) {
            (piece) async throws in
            let octets = decoder.decode(piece)
            if !octets.isEmpty { try await take(octets[...]) }
        }
        let rest = decoder.finish()
        guard !rest.isEmpty else { return }
        do {
            try await take(rest[...])
        } catch {
            throw IMAPError(kind: .unwritableData, server: server.host, underlying: error)
        }
    }
}

extension FetchResult where Number == UID {
    /// What a server left behind that stops after so many messages, the largest UIDs first. RFC 9738 §3.
    fileprivate mutating func leftBehind(of asked: UIDSet) -> UIDSet {
        guard case .messageLimit(let limit) = code, let lowest = limit.lowestUID else { return [] }
        let rest = asked.below(lowest)
        guard rest != asked else { return [] }
        missing = missing?.subtracting(rest)
        return rest
    }

    /// QUIRK(empty-body): no message is empty, but servers that are busy say so. They are asked once more, and then believed.
    fileprivate func emptied(of attributes: [FetchAttribute]) -> UIDSet {
        guard attributes.contains(.message) else { return [] }
        return UIDSet(
            rows.filter { row in
                switch row.data(of: .message) {
                case .octets(let octets)?: octets.isEmpty
                case .nil?: true
                default: false
                }
            }.compactMap(\.uid))
    }

    /// Adds the answers to what was asked once more. They stand in the place of those that were empty.
    fileprivate mutating func complete(with second: FetchResult) {
        let told = Set(second.rows.compactMap(\.uid))
        rows.removeAll { $0.uid.map(told.contains) ?? false }
        let canBeTold = missing != nil
        missing = nil
        add(second)
        if !canBeTold { missing = nil }
    }
}

extension FetchResult {
    mutating func add(_ other: FetchResult) {
        rows += other.rows
        damaged += other.damaged
        vanished.formUnion(other.vanished)
        if let missing = other.missing { self.missing = (self.missing ?? []).union(missing) }
        code = other.code ?? code
    }
}
