import MartletBytes
import MartletMIME
import MartletTestSupport

@testable import MartletIMAPCore

/// A session with Dovecot, whose answers our own parser reads.
struct DovecotSession {
    /// A command that was not done.
    struct Refused: Error {
        var command: String
        var answer: String
    }

    private let peer: ScriptedPeer
    private var count = 0

    /// Opens a session in a mailbox that is made, and holds those messages.
    static func open(
        _ server: RunningIMAPServer, mailbox: String, messages: [SampleMessage]
    ) async throws -> DovecotSession {
        var session = DovecotSession(peer: try await server.connect(to: .imap))
        _ = try await session.peer.line()
        try await session.run("LOGIN bob bobpw")
        try await session.run("CREATE \(mailbox)")
        for message in messages {
            let flags = message.flags.map(\.rawValue).joined(separator: " ")
            let head =
                "APPEND \(mailbox) (\(flags)) \"\(message.internalDate.internalDateText)\" {\(message.octets.count)+}\r\n"
            try await session.run(Array(head.utf8) + message.octets)
        }
        try await session.run("SELECT \(mailbox)")
        return session
    }

    private init(peer: ScriptedPeer) { self.peer = peer }

    @discardableResult
    mutating func run(_ command: String) async throws -> [IMAPResponse] {
        try await run(Array(command.utf8))
    }

    /// Runs a command; gives what was answered before its end, which is OK.
    @discardableResult
    mutating func run(_ command: [UInt8]) async throws -> [IMAPResponse] {
        count += 1
        let tag = "martlet-serving-\(count)"
        try await peer.say(Array("\(tag) ".utf8) + command + [ASCII.cr, ASCII.lf])
        var octets = try await peer.octets(through: tag)
        let end = try await peer.line()
        guard end.hasPrefix(" OK") else {
            let words = String(decoding: command.prefix(200), as: UTF8.self)
            throw Refused(command: words, answer: end)
        }
        octets.removeLast(tag.utf8.count)
        var framer = ResponseFramer()
        framer.append(octets)
        var responses: [IMAPResponse] = []
        while case .response(let frame) = try framer.next() {
            responses.append(ResponseParser().parse(frame))
        }
        return responses
    }

    /// What FETCH tells of a message.
    mutating func fetch(_ number: SequenceNumber, _ items: String) async throws -> [FetchItem] {
        for case .fetch(let fetch) in try await run("FETCH \(number) (\(items))")
        where fetch.number == number {
            return fetch.items
        }
        return []
    }

    /// The numbers that SEARCH or SORT gives.
    mutating func numbers(_ command: String) async throws -> [UInt32] {
        for case .search(let search) in try await run(command) { return search.numbers }
        return []
    }

    /// Ends the session.
    func close() async { await peer.close() }
}
