import MartletBytes
import MartletPOP3Core
import MartletSASL

/// A POP3 server's session with a shell that knows alice, and three messages of hers.
package struct POP3ServerScript {
    package var session: POP3ServerSession
    package var output: [UInt8] = []
    package let greeting: String
    package var mechanism: (any SASLServerMechanism)?
    package var messages: [[UInt8]]
    package var deleted: [Int]?
    package var releasedCount = 0
    package var longestOutput = 0
    package var wantsTLS = false
    package var isClosed = false
    /// Verbs that were asked about, and one that is refused.
    package var commands: [String] = []
    package var refusedCommand: String?
    /// Octets that are handed to the session at a time.
    package var pieceSize = 7

    package static let timestamp = "<1896.697170952@dbc.mtview.ca.us>"
    package static let messages = [
        "Subject: one\r\n\r\nfirst\r\nsecond\r\n", "Subject: two\r\n\r\n.\r\n..dots\r\n.end\r\n",
        "Subject: three\n\nbare\n.\nlines", "", "\r\n",
    ].map { Array($0.utf8) }

    package static func configuration() -> POP3ServerConfiguration {
        var configuration = POP3ServerConfiguration(greeting: "POP3 server ready")
        configuration.timestamp = timestamp
        configuration.mechanisms = ["PLAIN", "LOGIN", "CRAM-MD5", "SCRAM-SHA-256"]
        configuration.allowsPlaintextAuthentication = true
        configuration.offersSTLS = true
        return configuration
    }

    private static var users: SASLUsers {
        let channel = SASLChannel(
            service: "pop", host: "pop.example.test", port: 110, isEncrypted: false)
        return SASLUsers(channel: channel) { $0 == "alice" ? Secret("secret") : nil }
    }

    package init(
        messages: [[UInt8]] = POP3ServerScript.messages,
        _ change: (inout POP3ServerConfiguration) -> Void = { _ in }
    ) {
        var configuration = Self.configuration()
        change(&configuration)
        self.messages = messages
        session = POP3ServerSession(configuration)
        session.start(into: &output)
        greeting = String(decoding: output, as: UTF8.self)
        output = []
    }

    /// Feeds octets and gives what the server answers.
    package mutating func receive(_ octets: ArraySlice<UInt8>) -> [UInt8] {
        session.receive(octets)
        var said: [UInt8] = []
        while let action = session.nextAction(into: &output) {
            carryOut(action)
            longestOutput = max(longestOutput, output.count)
            said += output
            output = []
        }
        defer { output = [] }
        return said + output
    }

    package mutating func client(_ text: String) -> String {
        String(decoding: receive(Array((text + "\r\n").utf8)[...]), as: UTF8.self)
    }

    private mutating func carryOut(_ action: POP3ServerAction) {
        switch action {
        case .startTLS: wantsTLS = true
        case .authenticate(let name, let initialResponse):
            mechanism = SASLServerMechanisms.make(name, Self.users)
            authenticate(initialResponse)
        case .authenticationResponse(let response): authenticate(response)
        case .authenticationCancelled: mechanism = nil
        case .command(let verb):
            commands.append(verb)
            session.answer(
                verb == refusedCommand ? .refuse(.error(nil, "not here")) : .accept, into: &output)
        case .logIn(let login): open(login.user == "alice" && login.isRight(Secret("secret")))
        case .retrieve(let number, _): deliver(messages[number - 1])
        case .commit(let numbers):
            deleted = numbers
            session.answer(.accept, into: &output)
        case .released: releasedCount += 1
        case .flush: break
        case .close: isClosed = true
        }
    }

    private mutating func deliver(_ message: [UInt8]) {
        var rest = message[...]
        while !rest.isEmpty, session.messagePiece(rest.prefix(pieceSize), into: &output) {
            rest = rest.dropFirst(pieceSize)
        }
        session.messageEnds(into: &output)
    }

    private mutating func open(_ isRight: Bool) {
        guard isRight else {
            session.answer(
                .refuse(.error(.authentication, "Wrong user name or password")), into: &output)
            return
        }
        let entries = messages.enumerated().compactMap { index, message in
            UniqueID("id\(index + 1)").map {
                ServedMaildrop.Entry(sizeInOctets: message.count, uniqueID: $0)
            }
        }
        session.answer(.open(ServedMaildrop(entries)), into: &output)
    }

    private mutating func authenticate(_ response: Secret?) {
        do {
            switch try mechanism?.receive(response) {
            case .challenge(let challenge): session.answer(.challenge(challenge), into: &output)
            case .verify(let login):
                switch login.proof {
                case .password(let password):
                    open(login.user == "alice" && password == Secret("secret"))
                case .checked: open(login.user == "alice")
                default: open(false)
                }
            case nil: open(false)
            }
        } catch {
            open(false)
        }
    }
}
