import MartletBytes
import MartletSASL
import MartletSMTPCore

/// A server session with a shell that says yes to all but a few names, and keeps what it gets.
package struct ServerScript {
    package var session: SMTPServerSession
    package var output: [UInt8] = []
    package let greeting: String
    package var mechanism: (any SASLServerMechanism)?
    package var message: [UInt8] = []
    package var envelope: DeliveryEnvelope?
    package var messages: [(envelope: DeliveryEnvelope, octets: [UInt8])] = []
    package var droppedCount = 0
    package var wantsTLS = false
    package var isClosed = false
    /// Verbs that were asked about, and one that is refused.
    package var commands: [String] = []
    package var refusedCommand: String?
    /// Replies to a message; empty: yes.
    package var repliesToMessage: [SMTPReply] = []

    package static func configuration() throws -> SMTPServerConfiguration {
        var configuration = SMTPServerConfiguration(hostName: try EHLOName("mx.example.test"))
        configuration.mechanisms = ["PLAIN", "LOGIN"]
        configuration.allowsPlaintextAuthentication = true
        configuration.offersStartTLS = true
        configuration.maximumSizeInOctets = 1_000
        return configuration
    }

    private static var users: SASLUsers {
        let channel = SASLChannel(
            service: "smtp", host: "mx.example.test", port: 25, isEncrypted: false)
        return SASLUsers(channel: channel) { $0 == "alice" ? Secret("secret") : nil }
    }

    package init(_ change: (inout SMTPServerConfiguration) -> Void = { _ in }) throws {
        var configuration = try Self.configuration()
        change(&configuration)
        session = SMTPServerSession(configuration)
        session.start(into: &output)
        greeting = String(decoding: output, as: UTF8.self)
        output = []
    }

    /// Feeds octets and gives what the server answers.
    package mutating func receive(_ octets: ArraySlice<UInt8>) -> String {
        session.receive(octets)
        run()
        defer { output = [] }
        return String(decoding: output, as: UTF8.self)
    }

    package mutating func client(_ text: String) -> String {
        receive(Array((text + "\r\n").utf8)[...])
    }

    /// The reply codes to `text`: continuation lines left out.
    package mutating func codes(_ text: String) -> [Int] {
        client(text).split(separator: "\r\n").compactMap {
            $0.dropFirst(3).first == "-" ? nil : Int($0.prefix(3))
        }
    }

    private mutating func run() {
        while let action = session.nextAction(into: &output) {
            switch action {
            case .startTLS: wantsTLS = true
            case .authenticate(let name, let initialResponse):
                mechanism = SASLServerMechanisms.make(name, Self.users)
                authenticate(initialResponse)
            case .authenticationResponse(let response): authenticate(response)
            case .authenticationCancelled: mechanism = nil
            case .command(let verb):
                commands.append(verb)
                answer(verb == refusedCommand, SMTPReply(502, nil, "not here"))
            case .sender(let path):
                answer(path.description.hasPrefix("bad"), SMTPReply(550, nil, "bad sender"))
            case .recipient(let path):
                answer(path.description.hasPrefix("bad"), SMTPReply(550, nil, "no such user"))
            case .messageBegins(let envelope):
                self.envelope = envelope
                message = []
            case .messagePiece(let octets): message += octets
            case .messageEnds:
                messages.append((envelope!, message))
                session.answer(
                    repliesToMessage.isEmpty ? .accept() : .each(repliesToMessage), into: &output)
            case .messageDropped:
                droppedCount += 1
                message = []
            case .close: isClosed = true
            }
        }
    }

    private mutating func answer(_ isBad: Bool, _ reply: SMTPReply) {
        session.answer(isBad ? .refuse(reply) : .accept(), into: &output)
    }

    private mutating func authenticate(_ response: Secret?) {
        let refused = SMTPReply(535, nil, "wrong user name or password")
        do {
            switch try mechanism!.receive(response) {
            case .challenge(let challenge): session.answer(.challenge(challenge), into: &output)
            case .verify(let login):
                var isRight = false
                if case .password(let password) = login.proof {
                    isRight = password == Secret("secret")
                }
                session.answer(isRight ? .accept() : .refuse(refused), into: &output)
            }
        } catch {
            session.answer(.refuse(refused), into: &output)
        }
    }
}
