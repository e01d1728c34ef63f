import MartletTransport
import Synchronization

/// An SMTP server of fixed answers, with one fault at a stage of choice.
public final class ScriptedSMTP: Sendable {
    /// Where a fault happens.
    public enum Stage: String, CaseIterable, Sendable, CustomStringConvertible {
        case greeting, ehlo, auth, mail, rcpt, data, end, quit
        /// The stage's name.
        public var description: String { rawValue }
    }

    /// What happens there in place of the usual answer.
    public enum Fault: Sendable {
        /// These octets, then on as usual.
        case say(String)
        /// These octets, then the connection is closed.
        case sayAndClose(String)
        /// The connection is closed.
        case close
        /// Nothing, for as long as the client waits.
        case silence
        /// These octets again and again, until the client closes.
        case endless(String)
    }

    /// The usual answers; `ehlo` may have several lines.
    public let answers: [Stage: String]
    private let faults: [Stage: Fault]
    private let state = Mutex<(messages: [[UInt8]], lines: [String])>(([], []))

    /// A server that offers what `ehlo` says.
    public init(
        ehlo: String =
            "250-mx.example.test\r\n250-PIPELINING\r\n250-8BITMIME\r\n250 SIZE 1000000\r\n",
        faults: [Stage: Fault] = [:]
    ) {
        answers = [
            .greeting: "220 mx.example.test ESMTP\r\n", .ehlo: ehlo, .auth: "235 2.7.0 welcome\r\n",
            .mail: "250 2.1.0 ok\r\n", .rcpt: "250 2.1.5 ok\r\n", .data: "354 go on\r\n",
            .end: "250 2.0.0 queued as 1\r\n", .quit: "221 2.0.0 bye\r\n",
        ]
        self.faults = faults
    }

    /// Messages that were taken, stuffed as they came.
    public var messages: [[UInt8]] { state.withLock { $0.messages } }
    /// All command lines heard.
    public var lines: [String] { state.withLock { $0.lines } }

    /// Serves one connection.
    public func serve(_ peer: ScriptedPeer) async throws {
        try await answer(.greeting, peer)
        while true {
            let line = try await peer.line()
            state.withLock { $0.lines.append(line) }
            switch line.prefix(4).uppercased() {
            case "EHLO", "HELO": try await answer(.ehlo, peer)
            case "AUTH": try await answer(.auth, peer)
            case "MAIL": try await answer(.mail, peer)
            case "RCPT": try await answer(.rcpt, peer)
            case "DATA":
                try await answer(.data, peer)
                guard (replyText(.data) ?? "").hasPrefix("354") else { continue }
                let message = try await peer.message()
                state.withLock { $0.messages.append(message) }
                try await answer(.end, peer)
            case "QUIT":
                try await answer(.quit, peer)
                return
            default: try await peer.say("250 2.0.0 ok\r\n")
            }
        }
    }

    private func replyText(_ stage: Stage) -> String? {
        switch faults[stage] {
        case .say(let text): text
        case nil: answers[stage]
        default: nil
        }
    }

    private func answer(_ stage: Stage, _ peer: ScriptedPeer) async throws {
        switch faults[stage] {
        case nil: try await peer.say(answers[stage] ?? "")
        case .say(let text): try await peer.say(text)
        case .sayAndClose(let text):
            try await peer.say(text)
            await peer.close()
            throw PeerGone()
        case .close:
            await peer.close()
            throw PeerGone()
        case .silence:
            _ = await peer.rest()
            throw PeerGone()
        case .endless(let text):
            let octets = [UInt8](String(repeating: text, count: 65536 / text.utf8.count + 1).utf8)
            while true { try await peer.say(octets) }
        }
    }
}
