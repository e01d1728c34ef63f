import MartletBytes
import MartletPOP3Core
import MartletTransport

/// Commands out, events in: the loop around the session.
extension POP3Client {
    /// Most octets of a message that is kept in memory as a whole.
    public static let messageLimitInOctets = 256 << 20

    /// Sends one command and waits for its reply, with the message behind it.
    func exchange<Command: POP3Command>(
        _ command: Command
    ) async throws(POP3Error) -> Command.Success {
        do throws(POP3Error) {
            guard let connection else { throw POP3Error(kind: .unexpectedClose) }
            try connection.session.submit(command, into: &connection.output)
            try await flush(connection)
            var reply = try await nextReply(connection)
            if command.answer == .message, reply.isOK {
                try await gather(&reply.body, connection)
            }
            return try command.interpret(reply)
        } catch {
            throw await settled(error.doing(command.name))
        }
    }

    private func gather(
        _ octets: inout [UInt8], _ connection: Connection
    ) async throws(POP3Error) {
        while case .octets(let piece) = try await nextEvent(connection) {
            octets += piece
            guard octets.count <= Self.messageLimitInOctets else {
                await drop()
                throw POP3Error(kind: .tooLarge(limitInOctets: Self.messageLimitInOctets))
            }
        }
    }

    /// The reply to the oldest command.
    func nextReply(_ connection: Connection) async throws(POP3Error) -> POP3Reply {
        guard case .reply(let reply) = try await nextEvent(connection) else {
            preconditionFailure("a message is taken to its end")
        }
        return reply
    }

    /// Writes what the session wants to say.
    func flush(_ connection: Connection) async throws(POP3Error) {
        guard !connection.output.octets.isEmpty else { return }
        connection.log?.record(.client, connection.output.redacted)
        defer { connection.output.removeAll() }
        do throws(TransportError) {
            try await connection.channel.write(
                connection.output.octets, within: server.timeouts.reply)
        } catch {
            // A server that refuses and closes at once has often said why.
            while let octets = try? await connection.channel.readNow(), !octets.isEmpty {
                connection.session.receive(octets)
                while case .reply(let reply)? = try takeEvent(connection) {
                    if !reply.isOK {
                        throw POP3Error(
                            kind: .serviceClosing(reply), command: connection.session.activity)
                    }
                }
            }
            throw failed(error, connection)
        }
    }

    /// A reply may come in drops, each within its limit of time; the whole within so many times that. Lines and messages may
    /// take as long as they come.
    private static let replyPatience = 3

    /// The next event, whenever it comes.
    func nextEvent(_ connection: Connection) async throws(POP3Error) -> POP3Event {
        let limit = server.timeouts.limit(for: connection.session.activity)
        let end = ContinuousClock.now + limit * Self.replyPatience
        while true {
            if let event = try takeEvent(connection) { return event }
            let isPatient = connection.session.isWithinContent
            try await read(
                connection, within: isPatient ? limit : min(limit, end - ContinuousClock.now))
        }
    }

    /// Waits for octets and gives them to the session.
    func read(_ connection: Connection, within limit: Duration) async throws(POP3Error) {
        let octets: [UInt8]
        do throws(TransportError) {
            octets = try await connection.channel.read(within: max(.zero, limit))
        } catch {
            throw failed(error, connection)
        }
        if octets.isEmpty {
            throw connection.session.peerClosed()
                ?? POP3Error(kind: .unexpectedClose, command: "QUIT")
        }
        connection.session.receive(octets)
    }

    func takeEvent(_ connection: Connection) throws(POP3Error) -> POP3Event? {
        do throws(POP3Error) {
            guard let event = try connection.session.nextEvent() else { return nil }
            if connection.log != nil { record(event, connection) }
            return event
        } catch {
            if let reply = error.reply { record(.reply(reply), connection) }
            throw error
        }
    }

    func failed(_ error: TransportError, _ connection: Connection) -> POP3Error {
        switch error.kind {
        case .timedOut:
            var failure = connection.session.deadlinePassed()
            if failure.command == POP3Error.greeting, !connection.session.isEncrypted {
                failure.underlying = SilentPort()
            }
            return failure
        case .cancelled: return connection.session.cancelled()
        default: return connection.session.transportFailed(error)
        }
    }

    /// Names the server in an error, and closes the connection when it cannot be used any more.
    func settled(_ error: POP3Error) async -> POP3Error {
        if error.endsConnection { await drop() }
        var error = error.doing(nil, server.host)
        if let connection { error = error.knowing(connection.session.capabilities) }
        return error
    }

    private func record(_ event: POP3Event, _ connection: Connection) {
        switch event {
        case .reply(let reply):
            var line: [UInt8] = []
            reply.encode(into: &line)
            connection.log?.record(.server, line)
            // A listing may be long.
            connection.log?.record(.server, reply.body.prefix(4_096))
            connection.messageOctets = 0
        case .octets(let octets): connection.messageOctets += octets.count
        case .messageEnds:
            connection.log?.record(.server, messageOctets: connection.messageOctets)
        }
    }
}

/// A server that waits for a TLS handshake says nothing to a client that waits for a greeting.
private struct SilentPort: Error, CustomStringConvertible {
    var description: String { "if it speaks TLS from the start there, choose implicit TLS" }
}
