import Synchronization

/// A POP3 server of fixed answers, with others for the commands that a test is about.
public final class ScriptedPOP3: Sendable {
    /// Answers a command. Returns whether it did; else the usual answer is given.
    public typealias Script = @Sendable (Command, ScriptedPeer) async throws -> Bool

    /// A line that a client said.
    public struct Command: Sendable {
        /// The whole line.
        public let line: String
        /// Which connection it came over, from 1.
        public let connection: Int
        /// The verb.
        public var verb: String { line.split(separator: " ").first?.uppercased() ?? "" }
        /// The number behind the verb; 0 without one.
        public var number: Int {
            let words = line.split(separator: " ")
            return words.count > 1 ? Int(words[1]) ?? 0 : 0
        }
    }

    /// What CAPA says.
    public let capabilities: [String]
    /// The messages, with CRLF line ends and without dots that need doubling.
    public let messages: [String]
    private let greeting: String
    private let script: Script
    private let state = Mutex<(commands: [Command], connections: Int)>(([], 0))

    /// A server with three messages.
    public init(
        capabilities: [String] = ["UIDL", "TOP", "USER", "SASL PLAIN", "PIPELINING", "RESP-CODES"],
        greeting: String = "+OK ready", messages: [String]? = nil,
        _ script: @escaping Script = { _, _ in false }
    ) {
        self.capabilities = capabilities
        self.greeting = greeting
        self.messages =
            messages ?? (1...3).map { "Subject: message \($0)\r\n\r\nText \($0).\r\nMore.\r\n" }
        self.script = script
    }

    /// All commands heard, in the order in which they came.
    public var commands: [Command] { state.withLock { $0.commands } }
    /// The lines of all commands heard.
    public var lines: [String] { commands.map(\.line) }
    /// How many connections were made.
    public var connections: Int { state.withLock { $0.connections } }

    /// Serves one connection.
    public func serve(_ peer: ScriptedPeer) async throws {
        let number = state.withLock { state in
            state.connections += 1
            return state.connections
        }
        try await peer.say(greeting + "\r\n")
        while true {
            let command = Command(line: try await peer.line(), connection: number)
            state.withLock { $0.commands.append(command) }
            if try await script(command, peer) { continue }
            try await answer(command, peer)
            if command.verb == "QUIT" { return }
        }
    }

    /// The usual answer.
    public func answer(_ command: Command, _ peer: ScriptedPeer) async throws {
        let numbers = messages.indices.map { $0 + 1 }
        switch command.verb {
        case "CAPA": try await peer.say(listing(capabilities))
        case "STAT":
            try await peer.say("+OK \(messages.count) \(messages.joined().utf8.count)\r\n")
        case "LIST":
            try await peer.say(listing(numbers.map { "\($0) \(messages[$0 - 1].utf8.count)" }))
        case "UIDL": try await peer.say(listing(numbers.map { "\($0) id\($0)" }))
        case "RETR", "TOP", "DELE":
            guard numbers.contains(command.number) else {
                return try await peer.say("-ERR no such message\r\n")
            }
            guard command.verb != "DELE" else { return try await peer.say("+OK marked\r\n") }
            let message = messages[command.number - 1]
            let head = message.components(until: "\r\n\r\n")
            try await peer.say("+OK\r\n" + (command.verb == "RETR" ? message : head) + ".\r\n")
        default: try await peer.say("+OK\r\n")
        }
    }

    private func listing(_ lines: [String]) -> String {
        "+OK\r\n" + lines.map { $0 + "\r\n" }.joined() + ".\r\n"
    }
}

extension String {
    /// Everything up to and with `end`.
    fileprivate func components(until end: String) -> String {
        guard let found = Array(utf8).firstRange(of: Array(end.utf8)) else { return self }
        return String(decoding: Array(utf8)[..<found.upperBound], as: UTF8.self)
    }
}
