import Synchronization

/// An IMAP server of fixed answers, with others for the commands that a test is about.
public final class ScriptedIMAP: Sendable {
    /// Answers a command. Returns whether it did; else the usual answer is given.
    ///
    ///     { command, peer in
    ///         guard command.words.hasPrefix("UID FETCH") else { return false }
    ///         try await peer.say("* 1 FETCH (UID 1)\r\n\(command.tag) OK\r\n")
    ///         return true
    ///     }
    public typealias Script = @Sendable (Command, ScriptedPeer) async throws -> Bool

    /// A line that a client said.
    public struct Command: Sendable {
        /// Its tag.
        public let tag: String
        /// All behind it.
        public let words: String
        /// Which connection it came over, from 1.
        public let connection: Int
    }

    /// What CAPABILITY says.
    public let capabilities: String
    private let greeting: String
    private let pieceInOctets: Int
    private let script: Script
    private let state = Mutex<(commands: [Command], connections: Int)>(([], 0))

    /// A server that has one mailbox with three messages.
    ///
    /// - Parameter pieceInOctets: how many octets it writes at once.
    public init(
        capabilities: String = "IMAP4rev1 IDLE UIDPLUS MOVE ENABLE UNSELECT SASL-IR AUTH=PLAIN",
        greeting: String = "* OK ready", inPiecesOf pieceInOctets: Int = .max,
        _ script: @escaping Script = { _, _ in false }
    ) {
        self.capabilities = capabilities
        self.greeting = greeting
        self.pieceInOctets = pieceInOctets
        self.script = script
    }

    /// All commands heard, in the order in which they came.
    public var commands: [Command] { state.withLock { $0.commands } }
    /// The words of all commands heard.
    public var words: [String] { commands.map(\.words) }
    /// How many connections were made.
    public var connections: Int { state.withLock { $0.connections } }

    /// Serves one connection.
    public func serve(_ peer: ScriptedPeer) async throws {
        let number = state.withLock { state in
            state.connections += 1
            return state.connections
        }
        await peer.speak(inPiecesOf: pieceInOctets)
        try await peer.say(greeting + "\r\n")
        while true {
            let line = try await peer.line()
            let parts = line.split(separator: " ", maxSplits: 1)
            let command = Command(
                tag: parts.first.map(String.init) ?? "",
                words: parts.count > 1 ? String(parts[1]) : "",
                connection: number)
            state.withLock { $0.commands.append(command) }
            if try await script(command, peer) { continue }
            try await answer(command, peer)
            if command.words == "LOGOUT" { return }
        }
    }

    /// The usual answer.
    public func answer(_ command: Command, _ peer: ScriptedPeer) async throws {
        var lines: [String] = []
        switch command.words.split(separator: " ").first?.uppercased() ?? "" {
        case "CAPABILITY": lines = ["* CAPABILITY \(capabilities)"]
        case "SELECT", "EXAMINE":
            lines = [
                "* FLAGS (\\Answered \\Flagged \\Deleted \\Seen \\Draft)", "* 3 EXISTS",
                "* 0 RECENT",
                "* OK [UIDVALIDITY 7] v", "* OK [UIDNEXT 40] n",
            ]
        case "LOGOUT": lines = ["* BYE see you"]
        case "IDLE":
            try await peer.say("+ idling\r\n")
            _ = try await peer.line()
        default: break
        }
        try await peer.say((lines + ["\(command.tag) OK done"]).map { $0 + "\r\n" }.joined())
    }
}
