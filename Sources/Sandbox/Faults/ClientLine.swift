import MartletTransport

/// What a server hears from a client, as long as it has patience, and writes to it, as fast and as far as faults let it.
actor ClientLine {
    private let channel: ByteChannel
    private var patience = Patience()
    private var octetsPerSecond: Int?
    /// When the next octets may go.
    private var nextTurn = ContinuousClock.now
    private var writingEnd: End?
    private var readingEnd: End?
    /// Whether the sandbox neither hears nor says anything any more.
    private(set) var isMute = false

    /// The end of a connection that is due after some octets.
    private struct End {
        var octetsLeft: Int
        var isSilent: Bool
    }

    nonisolated var unownedExecutor: UnownedSerialExecutor {
        channel.loop.asUnownedSerialExecutor()
    }

    init(_ channel: ByteChannel) { self.channel = channel }

    /// What is left for the service to do.
    struct Verdict: Sendable {
        /// What to answer in the place of doing what was asked for.
        var reply: FaultReply?
        /// Whether what was asked for is neither done nor answered.
        var isIgnored = false
        /// Octets that are missing at the end of messages.
        var cutInOctets = 0
        /// Whether the UIDs of the mailbox are to be renewed.
        var renewsUIDs = false
        /// Who is logged in by the greeting.
        var user: String?
    }

    /// Does what faults want now, and remembers what they want later. What was said before must have been written.
    func suffer(_ actions: [Sandbox.Fault.Action]) async throws(TransportError) -> Verdict {
        var verdict = Verdict()
        for action in actions {
            switch action {
            case .reply(let text): verdict.reply = FaultReply(text)
            case .delay(let delay): try await pause(until: .now + delay)
            case .drop(.now): try await end(isSilent: false)
            case .silence(.now):
                try await end(isSilent: true)
                verdict.isIgnored = true
            case .drop(.afterWriting(let count)):
                writingEnd = End(octetsLeft: count, isSilent: false)
            case .silence(.afterWriting(let count)):
                writingEnd = End(octetsLeft: count, isSilent: true)
            case .drop(.afterReading(let count)):
                readingEnd = End(octetsLeft: count, isSilent: false)
            case .silence(.afterReading(let count)):
                readingEnd = End(octetsLeft: count, isSilent: true)
            case .throttle(let count): octetsPerSecond = count
            case .cut(let count): verdict.cutInOctets = count
            case .renewUIDs: verdict.renewsUIDs = true
            case .preauthenticate(let user): verdict.user = user
            case .capabilities: break
            }
        }
        return verdict
    }

    /// Octets of a message came.
    func took(_ count: Int) async throws(TransportError) {
        guard let end = readingEnd else { return }
        readingEnd?.octetsLeft -= min(count, end.octetsLeft)
        if readingEnd?.octetsLeft == 0 { try await self.end(isSilent: end.isSilent) }
    }

    /// The next octets, none at the end.
    ///
    /// - Parameter limit: of silence; see `Patience`.
    func read(within limit: Duration) async throws(TransportError) -> [UInt8] {
        let (sent, received) = await (channel.octetsSent, channel.octetsReceived)
        let left = patience.left(of: limit, octetsSent: sent, octetsReceived: received)
        // Octets that are there already would be read whatever the limit.
        guard left > .zero else {
            throw TransportError(.timedOut(after: limit), .read, peer: channel.peer)
        }
        return try await channel.read(within: left)
    }

    /// Writes octets, unless nobody is to hear anything any more.
    func write(_ octets: [UInt8], within limit: Duration) async throws(TransportError) {
        guard octetsPerSecond != nil || writingEnd != nil else {
            if !isMute { try await channel.write(octets, within: limit) }
            return
        }
        var rest = octets[...]
        while !rest.isEmpty, !isMute {
            var piece = rest
            if let rate = octetsPerSecond {
                // Ten turns a second, or one for each octet.
                piece = piece.prefix(max(1, rate / 10))
                try await pause(until: nextTurn)
                nextTurn = max(nextTurn, .now) + .seconds(1) * piece.count / rate
            }
            if let end = writingEnd { piece = piece.prefix(end.octetsLeft) }
            if !piece.isEmpty { try await channel.write([piece], within: limit) }
            rest = rest.dropFirst(piece.count)
            writingEnd?.octetsLeft -= piece.count
            if let end = writingEnd, end.octetsLeft == 0 {
                try await self.end(isSilent: end.isSilent)
            }
        }
    }

    private func pause(until time: ContinuousClock.Instant) async throws(TransportError) {
        guard time > .now else { return }
        do {
            try await Task.sleep(until: time, clock: .continuous)
        } catch {
            throw TransportError(.cancelled, .write, peer: channel.peer)
        }
    }

    private func end(isSilent: Bool) async throws(TransportError) {
        isMute = true
        guard !isSilent else { return }
        await channel.close()
        throw TransportError(.closed, .write, peer: channel.peer)
    }
}
