import MartletBytes
import Testing

@testable import MartletIMAPCore

/// A talk with a server that did something odd, written down.
struct SessionCase: Sendable, CustomTestStringConvertible {
    /// What happens next.
    enum Step: Sendable {
        /// The caller runs a command.
        case run(any IMAPCommand)
        /// The caller wants IDLE to end.
        case endIdle
        /// The session has written this since the step before, line ends as `|`.
        case client(String)
        /// The server says these lines.
        case server(String)
        /// What happened since this was looked at last.
        case events([String])
        /// The server closes.
        case closes
        /// Time is up.
        case patienceEnds
        /// Something else holds.
        case holds(@Sendable (Talk) -> Bool)
    }

    /// The row of the list of cases.
    let row: Int
    let claim: String
    /// What the server offers to a session with a mailbox selected; `nil`: the greeting is still to come.
    let capabilities: String?
    let steps: [Step]

    init(
        _ row: Int, _ claim: String, offering capabilities: String? = "IMAP4rev1 IDLE UIDPLUS",
        _ steps: [Step]
    ) {
        self.row = row
        self.claim = claim
        self.capabilities = capabilities
        self.steps = steps
    }

    var testDescription: String { "\(row): \(claim)" }

    /// How many octets the server says.
    var size: Int {
        steps.reduce(0) {
            if case .server(let lines) = $1 { $0 + Self.octets(lines).count } else { $0 }
        }
    }

    private static func octets(_ lines: String) -> [UInt8] {
        Array((lines + "\n").replacing("\n", with: "\r\n").utf8)
    }

    /// Goes through it with what the server says cut at a place, or octet by octet.
    func replay(_ cut: Cut) {
        var talk = start()
        var said = 0
        for (index, step) in steps.enumerated() {
            switch step {
            case .run(let command): talk.submit(command)
            case .endIdle:
                talk.session.endIdle()
                talk.drain()
            case .client(let expected):
                let written = talk.written()
                #expect(written == expected, "\(testDescription), step \(index), \(cut)")
            case .server(let lines):
                let octets = Self.octets(lines)
                for piece in Self.pieces(octets, from: said, cut) { talk.server(octets: piece) }
                said += octets.count
            case .events(let expected):
                #expect(talk.events == expected, "\(testDescription), step \(index), \(cut)")
                talk.events = []
            case .closes: talk.error = talk.session.peerClosed() ?? talk.error
            case .patienceEnds:
                talk.error = talk.session.deadlinePassed() ?? talk.error
                talk.drain()
            case .holds(let condition):
                let isSo = condition(talk)
                #expect(isSo, "\(testDescription), step \(index), \(cut)")
            }
        }
    }

    /// Goes through it up to an octet behind which the server closes: the session ends, and says why once and for all.
    func breakOff(after limit: Int) {
        var talk = start()
        var left = limit
        for step in steps {
            switch step {
            case .run(let command): talk.submit(command)
            case .endIdle: talk.session.endIdle()
            case .client: _ = talk.written()
            case .server(let lines):
                let octets = Self.octets(lines).prefix(left)
                left -= octets.count
                talk.server(octets: Array(octets))
            default: break
            }
            if left == 0 { break }
        }
        let error = talk.error ?? talk.session.peerClosed()
        #expect(talk.session.isOver, "\(testDescription), after \(limit)")
        guard let error else { return }
        talk.drain()
        #expect(error.endsConnection && talk.error?.endsConnection == true)
    }

    /// The commands are counted from here on.
    private func start() -> Talk {
        guard let capabilities else { return Talk() }
        var talk = Talk.selected(capabilities)
        talk.ids = []
        talk.ends = [:]
        return talk
    }

    private static func pieces(_ octets: [UInt8], from start: Int, _ cut: Cut) -> [[UInt8]] {
        guard case .at(let place) = cut else { return cut.pieces(octets) }
        guard start < place, place < start + octets.count else { return [octets] }
        return Cut.at(place - start).pieces(octets)
    }
}
