import MartletBytes
import MartletPOP3Core

/// Marking messages for deletion. RFC 1939 §5.
extension POP3Client {
    /// A message that the server did not do as asked for.
    public struct RefusedMessage: Hashable, Sendable {
        /// Which one.
        public var number: Int
        /// What the server said.
        public var reply: POP3Reply
    }

    /// Marks messages; `disconnect()` deletes them, and nothing else does.
    ///
    /// - Returns: those that could not be marked. One does not keep the others from it.
    /// - Throws: `POP3Error` when the connection fails: nothing is deleted then.
    @discardableResult
    public func delete(_ numbers: some Sequence<Int>) async throws(POP3Error) -> [RefusedMessage] {
        let commands = try Array(numbers).map { (number) throws(POP3Error) in
            try POP3.Dele(number)
        }
        try await takeTurn("DELE")
        defer { giveTurn() }
        try await openForNumbers("DELE")
        do throws(POP3Error) {
            guard let connection else { throw POP3Error(kind: .unexpectedClose) }
            return try await mark(commands, connection)
        } catch {
            throw await settled(error.doing("DELE"))
        }
    }

    private func mark(
        _ commands: [POP3.Dele], _ connection: Connection
    ) async throws(POP3Error) -> [RefusedMessage] {
        var refused: [RefusedMessage] = []
        var (asked, answered) = (0, 0)
        while answered < commands.count {
            while asked < commands.count, connection.session.accepts(commands[asked]) {
                try connection.session.submit(commands[asked], into: &connection.output)
                asked += 1
            }
            try await flush(connection)
            // All of a batch, then the next: one write for many commands.
            while answered < asked {
                let reply = try await nextReply(connection)
                if !reply.isOK {
                    refused.append(RefusedMessage(number: commands[answered].number, reply: reply))
                }
                answered += 1
            }
        }
        return refused
    }

    /// Takes all marks off.
    public func unmarkAll() async throws(POP3Error) { try await run(POP3.Rset()) }
}
