import MartletBytes
import MartletSMTPCore
import MartletTransport

/// Commands out, replies in: the loop around the session.
extension SMTPClient {
    /// Sends one command and waits for its reply.
    func exchange<Command: SMTPCommand>(
        _ command: Command
    ) async throws(SMTPError) -> Command.Success {
        do throws(SMTPError) {
            guard let connection else { throw SMTPError(kind: .unexpectedClose, stage: .idle) }
            try connection.session.submit(command, into: &connection.output)
            try await flush(connection)
            return try command.interpret(try await nextReply(connection))
        } catch {
            throw await settled(error)
        }
    }

    /// Writes what the session wants to say.
    func flush(_ connection: Connection) async throws(SMTPError) {
        guard !connection.output.octets.isEmpty else { return }
        connection.log?.record(.client, connection.output.redacted)
        defer { connection.output.removeAll() }
        try await write([connection.output.octets[...]], within: server.timeouts.reply, connection)
    }

    func write(
        _ pieces: [ArraySlice<UInt8>], within limit: Duration, _ connection: Connection
    ) async throws(SMTPError) {
        do throws(TransportError) {
            try await connection.channel.write(pieces, within: limit)
        } catch {
            // A server that refuses and closes at once has often said why.
            try await takeLastWords(connection)
            throw failed(error, connection)
        }
    }

    /// A reply may come in drops, each within its limit of time; the whole within so many times that.
    private static let replyPatience = 3

    /// The next reply, whenever it comes.
    func nextReply(_ connection: Connection) async throws(SMTPError) -> SMTPReply {
        let limit = server.timeouts.limit(for: connection.session.stage)
        let end = ContinuousClock.now + limit * Self.replyPatience
        while true {
            if let reply = try takeReply(connection) { return reply }
            let octets: [UInt8]
            do throws(TransportError) {
                octets = try await connection.channel.read(
                    within: min(limit, max(.zero, end - ContinuousClock.now)))
            } catch {
                throw failed(error, connection)
            }
            if octets.isEmpty {
                throw connection.session.peerClosed()
                    ?? SMTPError(kind: .unexpectedClose, stage: .quit)
            }
            connection.session.receive(octets)
        }
    }

    func takeReply(_ connection: Connection) throws(SMTPError) -> SMTPReply? {
        do throws(SMTPError) {
            guard let reply = try connection.session.nextReply() else { return nil }
            log(reply, connection)
            return reply
        } catch {
            if let reply = error.reply { log(reply, connection) }
            throw error
        }
    }

    /// Replies that came without waiting, such as the reason why a write failed. Throws what they mean.
    func takeLastWords(_ connection: Connection) async throws(SMTPError) {
        while let octets = try? await connection.channel.readNow(), !octets.isEmpty {
            connection.session.receive(octets)
            while try takeReply(connection) != nil {}
        }
    }

    func failed(_ error: TransportError, _ connection: Connection) -> SMTPError {
        switch error.kind {
        case .timedOut:
            var failure = connection.session.deadlinePassed()
            if failure.stage == .greeting, !connection.session.isEncrypted {
                failure.underlying = SilentPort()
            }
            return failure
        case .cancelled: return connection.session.cancelled()
        default: return connection.session.transportFailed(error)
        }
    }

    /// Names the server in an error, and closes the connection when it cannot be used any more.
    func settled(_ error: SMTPError) async -> SMTPError {
        if error.endsConnection { await drop() }
        return error.naming(server.host)
    }

    private func log(_ reply: SMTPReply, _ connection: Connection) {
        guard let log = connection.log else { return }
        var octets: [UInt8] = []
        reply.encode(into: &octets)
        log.record(.server, octets)
    }
}

extension SMTPError {
    func naming(_ server: String) -> SMTPError {
        var copy = self
        copy.server = copy.server ?? server
        return copy
    }
}

/// A server that waits for a TLS handshake says nothing to a client that waits for a greeting.
private struct SilentPort: Error, CustomStringConvertible {
    var description: String { "if it speaks TLS from the start there, choose implicit TLS" }
}
