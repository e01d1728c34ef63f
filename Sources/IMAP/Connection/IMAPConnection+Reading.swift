import MartletBytes
import MartletIMAPCore
import MartletTransport

/// What the server says.
extension IMAPConnection {
    /// Reads as long as the connection lives.
    func readToEnd() async {
        while failure == nil {
            if mayNotRead {
                await rest()
                continue
            }
            do throws(TransportError) {
                let count = takeInflated()
                guard failure == nil else { return }
                let octets = count > 0 ? nil : try await channel.read()
                if let octets { take(octets) }
                // There may be more at once: those who wait for what came go first.
                if count > 0 || (octets?.count ?? 0) >= Self.turnInOctets {
                    await server.loop.passTurn(isolation: self)
                }
            } catch {
                switch error.kind {
                case .cancelled, .closed: end(session.cancelled())
                default: end(session.transportFailed(error))
                }
            }
        }
    }

    private var mayNotRead: Bool {
        failure == nil && (tlsIsDue || compressedStart != nil || isFull)
    }

    /// Waits until there may be something to read.
    private func rest() async {
        await server.loop.suspend(isolation: self, onCancel: {}) { continuation in
            if mayNotRead { readerWaiter = continuation } else { continuation.resume() }
        }
    }

    /// Octets after which the loop's other work has its turn.
    private static let turnInOctets = 128 << 10

    private func take(_ octets: [UInt8]) {
        lastHeard = .now
        if octets.isEmpty {
            if let error = session.peerClosed() {
                end(error)
            } else {
                settle()
                end(IMAPError(kind: .cancelled))
            }
            return
        }
        if inflater != nil { inflate(octets) } else { hear(octets) }
    }

    /// Takes what the server said, in the clear.
    func hear(_ octets: [UInt8]) {
        for id in streams.keys { streams[id]?.heldInOctets += octets.count }
        session.receive(octets)
        settle()
    }

    /// Hands on what the session has to say, and what it wants to be written.
    func settle() {
        guard failure == nil else { return }
        do throws(IMAPError) {
            while let event = try session.nextEvent() { take(event) }
        } catch {
            return end(error)
        }
        for id in session.takeGrown() { streamGrew(id) }
        idleIfWanted()
        if session.hasOutput { writerWakes() }
        watchTime()
    }

    private func take(_ event: SessionEvent) {
        switch event {
        case .greeting(let greeting):
            self.greeting = greeting
            openingWaiter?.resume()
            openingWaiter = nil
        case .completed(let id, let collector, let end):
            noteEndOfIdle(id, end)
            streams[id] = nil
            tell(id, .completed(collector, end))
            readerWakes()
        case .failed(let id, let error):
            streams[id] = nil
            tell(id, .failed(error))
        case .challenge(let id, let octets): tell(id, .challenge(octets))
        case .idling: idleBegan = .now
        case .mailbox(let event): subscribers.send(event)
        case .tlsStarts: tlsIsDue = true
        case .compressionStarts(let rest): compressedStart = rest
        case .closing: break
        case .received(let frame): record(frame)
        }
    }

    /// A line of the log for each line, and a count for each literal.
    private func record(_ frame: ResponseFrame) {
        guard let log else { return }
        log.record(.server, sentSecrets.masked(Array(frame.octets.prefix(4_096)))[...])
        if frame.octets.count > 4_096 { log.record(.server, messageOctets: frame.octets.count) }
    }

    // MARK: Room

    /// Whether a stream's consumer is behind, and nobody else waits for an answer that is stuck behind its rows.
    private var isFull: Bool {
        guard !streams.isEmpty, streams.count == waiters.count else { return false }
        return streams.allSatisfy { id, stream in
            waiters[id]?.continuation == nil && stream.heldInOctets >= Self.backlogLimitInOctets
        }
    }

    /// Octets of rows that a stream holds for a slow consumer before the connection waits for it.
    static let backlogLimitInOctets = 4 << 20
}
