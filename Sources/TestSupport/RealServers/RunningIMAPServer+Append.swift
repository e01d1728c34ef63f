extension RunningIMAPServer {
    /// Appends messages over IMAP, in order, each user logged in once for those of his that follow each other.
    ///
    /// - Throws: ``RealServerFailure`` with the server's words if it refuses one.
    public func append(_ messages: [InitialMessage]) async throws {
        var rest = messages[...]
        while let user = rest.first?.user {
            let his = rest.prefix { $0.user == user }
            rest = rest.dropFirst(his.count)
            let session = PlainSession(try await connect(to: .imap))
            do {
                try await append(his, through: session, as: user)
                await session.peer.close()
            } catch {
                await session.peer.close()
                throw error
            }
        }
    }

    private func append(
        _ messages: ArraySlice<InitialMessage>, through session: PlainSession, as user: RealUser
    ) async throws {
        _ = try await session.peer.line()
        try await session.run(kind.login(user))
        var made: Set<[String]> = []
        for message in messages {
            try message.checkMailbox()
            let name = "\"\(kind.mailboxName(message.mailbox))\""
            if !message.mailbox.isEmpty, made.insert(message.mailbox).inserted {
                // one that is there already is refused
                try await session.run("CREATE \(name)", mayFail: true)
            }
            let flags = message.flags.map(\.rawValue).sorted().joined(separator: " ")
            try await session.run(
                "APPEND \(name) (\(flags)) \"\(message.dateTime)\" {\(message.octets.count)}",
                literal: message.octets)
        }
        try await session.run("LOGOUT")
    }
}

extension RealIMAPServer {
    /// A command that logs a user in.
    func login(_ user: RealUser) -> String { "LOGIN \"\(user.name)\" \"\(user.password)\"" }
}

/// Just enough of an IMAP client to see that a server answers: a command at a time, lines for responses.
struct PlainSession {
    let peer: ScriptedPeer

    init(_ peer: ScriptedPeer) { self.peer = peer }

    /// Runs a command.
    ///
    /// - Parameter literal: what to send when the server asks for more.
    /// - Returns: the lines of the answer, the tagged one last.
    /// - Throws: ``RealServerFailure`` if the answer is not OK.
    @discardableResult
    func run(
        _ command: String, literal: [UInt8] = [], mayFail: Bool = false
    ) async throws -> [String] {
        try await peer.say("x \(command)\r\n")
        var lines: [String] = []
        while true {
            let line = try await peer.line()
            lines.append(line)
            if line.hasPrefix("+") {
                try await peer.say(literal + [0x0D, 0x0A])
            } else if line.hasPrefix("x ") {
                guard mayFail || line.hasPrefix("x OK") else {
                    throw RealServerFailure("The answer to '\(command)' was: \(line)")
                }
                return lines
            }
        }
    }
}
