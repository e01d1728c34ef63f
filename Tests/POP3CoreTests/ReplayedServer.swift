import MartletBytes
import MartletPOP3Core

/// Plays the server of a transcript to a client session: checks what is written, feeds what is said.
struct ReplayedServer {
    enum Cut: CustomStringConvertible {
        /// All that the server says in a row comes at once.
        case never
        /// It comes one octet at a time.
        case everywhere
        /// It comes in two parts.
        case after(Int)

        var description: String {
            switch self {
            case .never: "whole"
            case .everywhere: "one octet at a time"
            case .after(let count): "cut after \(count)"
            }
        }
    }

    struct Mismatch: Error {
        var expected: String
        var found: String
    }

    private var events: ArraySlice<Transcript.Event>
    private let cut: Cut
    private var written: [UInt8] = []
    // Said by the server, not yet fed.
    private var waiting: [ArraySlice<UInt8>] = []
    var session = POP3Session()
    var output = POP3Encoder()

    init(_ transcript: Transcript, cut: Cut) {
        events = transcript.events[...]
        self.cut = cut
    }

    /// Whether all was said; once the session is over, what the server still says does not matter.
    var isAtEnd: Bool {
        let isHeard = session.isOver || waiting.isEmpty
        return isHeard && written.isEmpty && events.allSatisfy { session.isOver && $0 == .close }
    }

    mutating func submit(_ command: some POP3Command) throws {
        try session.submit(command, into: &output)
    }

    /// Writes the output and gives the next event.
    mutating func event() throws -> POP3Event {
        written += output.octets
        output.removeAll()
        try checkWritten()
        while true {
            if let event = try session.nextEvent() { return event }
            if waiting.isEmpty { nextBlock() }
            if !waiting.isEmpty {
                session.receive([UInt8](waiting.removeFirst()))
            } else if events.first == .close {
                events.removeFirst()
                throw session.peerClosed() ?? POP3Error(kind: .unexpectedClose, command: "QUIT")
            } else {
                throw Mismatch(
                    expected: "a reply", found: events.first.map { "\($0)" } ?? "the end")
            }
        }
    }

    mutating func reply() throws -> POP3Reply {
        guard case .reply(let reply) = try event() else {
            throw Mismatch(expected: "a reply", found: "octets")
        }
        return reply
    }

    mutating func run<Command: POP3Command>(_ command: Command) throws -> Command.Success {
        try submit(command)
        return try command.interpret(reply())
    }

    /// What follows the reply to RETR or TOP.
    mutating func message() throws -> [UInt8] {
        var message: [UInt8] = []
        while case .octets(let octets) = try event() { message += octets }
        return message
    }

    mutating func handshake() throws {
        if waiting.isEmpty { nextBlock() }
        for octets in waiting { session.receive([UInt8](octets)) }
        waiting = []
        try session.tlsStarted()
        guard events.first == .handshake else {
            throw Mismatch(expected: "T:", found: "\(String(describing: events.first))")
        }
        events.removeFirst()
    }

    private mutating func checkWritten() throws {
        while case .client(let line) = events.first, !written.isEmpty {
            guard written.starts(with: line) else {
                throw Mismatch(
                    expected: String(decoding: line, as: UTF8.self),
                    found: String(decoding: written, as: UTF8.self))
            }
            written.removeFirst(line.count)
            events.removeFirst()
        }
        guard written.isEmpty else {
            throw Mismatch(expected: "silence", found: String(decoding: written, as: UTF8.self))
        }
    }

    private mutating func nextBlock() {
        var block: [UInt8] = []
        while case .server(let line) = events.first {
            block += line
            events.removeFirst()
        }
        guard !block.isEmpty else { return }
        switch cut {
        case .never: waiting = [block[...]]
        case .everywhere: waiting = block.indices.map { block[$0...$0] }
        case .after(let count):
            let place = count % block.count
            waiting = [block[..<place], block[place...]]
        }
    }
}
