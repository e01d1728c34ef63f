import MartletIMAP
import MartletTestSupport
import Synchronization
import Testing

/// Something that a client can do, with a server that offers what it needs, or with one that does not.
struct Feature: Sendable, CustomTestStringConvertible {
    let testDescription: String
    /// What the server offers beside IMAP4rev1.
    let offers: String
    /// What it says to commands that begin so, each answer once and the last for ever; `TAG` stands for the tag at the
    /// start of a line, and in quotes. To all
    /// others it says OK.
    let answers: [String: [String]]
    /// What the client says behind its login, without SELECT INBOX; what follows a literal stands behind `|`.
    let commands: [String]
    let body: @Sendable (IMAPClient) async throws -> Void

    init(
        _ words: String, offers: String = "", _ answers: KeyValuePairs<String, String> = [:],
        says commands: [String]? = nil,
        _ body: @escaping @Sendable (IMAPClient) async throws -> Void
    ) {
        testDescription = words
        self.offers = offers
        self.answers = Dictionary(grouping: answers, by: \.key).mapValues { $0.map(\.value) }
        self.commands = commands ?? []
        self.body = body
    }

    func check() async throws {
        let heard = Mutex<[String]>([])
        let counts = Mutex<[String: Int]>([:])
        let answers = answers
        let server = ScriptedIMAP(capabilities: "IMAP4rev1 AUTH=PLAIN " + offers) { command, peer in
            let words = try await Self.whole(command.words, peer)
            heard.withLock { $0.append(words) }
            let prefixes = answers.keys.filter { words.hasPrefix($0) }
            guard let prefix = prefixes.max(by: { $0.utf8.count < $1.utf8.count }),
                let list = answers[prefix]
            else { return false }
            let number = counts.withLock { counts in
                counts[prefix, default: 0] += 1
                return counts[prefix, default: 1]
            }
            let answer = list[min(number, list.count) - 1]
            let lines = "\n\(answer)\n".replacing("\nTAG ", with: "\n\(command.tag) ")
                .replacing("\"TAG\"", with: "\"\(command.tag)\"")
            try await peer.say(String(lines.dropFirst()).replacing("\n", with: "\r\n"))
            if answer.hasPrefix("+") {
                _ = try await peer.line()
                try await peer.say("\(command.tag) OK\r\n")
            }
            return true
        }
        try await withScriptedIMAP(server) { imap in
            try await body(imap)
        }
        let usual = ["CAPABILITY", "AUTHENTICATE", "LOGOUT", "SELECT INBOX"]
        let said = heard.withLock { $0 }.filter { words in
            !usual.contains { words.hasPrefix($0) }
        }
        if !commands.isEmpty { #expect(said == commands) }
    }

    /// A command with what stands behind its literals.
    private static func whole(_ words: String, _ peer: ScriptedPeer) async throws -> String {
        var all = words
        var line = words
        while line.hasSuffix("}"), let start = line.lastIndex(of: "{") {
            let digits = line[line.index(after: start)...].dropLast()
            if !digits.hasSuffix("+") { try await peer.say("+ go\r\n") }
            var left = Int(digits.prefix { $0.isNumber }) ?? 0
            line = try await peer.line()
            while left > line.utf8.count {
                left -= line.utf8.count + 2
                line = try await peer.line()
            }
            line = String(decoding: line.utf8.dropFirst(max(0, left)), as: UTF8.self)
            all += "|" + line
        }
        return all
    }
}

@Suite("Features of IMAPClient", .timeLimit(.minutes(1)))
struct FeatureTests {
    @Test("base operations", arguments: Feature.base)
    func base(feature: Feature) async throws { try await feature.check() }

    @Test("mailboxes", arguments: Feature.mailboxes)
    func mailboxes(feature: Feature) async throws { try await feature.check() }

    @Test("messages", arguments: Feature.messages)
    func messages(feature: Feature) async throws { try await feature.check() }

    @Test("searches", arguments: Feature.searches)
    func searches(feature: Feature) async throws { try await feature.check() }

    @Test("connections", arguments: Feature.connections)
    func connections(feature: Feature) async throws { try await feature.check() }

    /// Something that a server without it cannot be asked for: nothing is sent then.
    static func lacks(
        _ capability: Capability, _ body: () async throws -> Void
    ) async {
        let error = await failure(body)
        guard case .unsupported(capability)? = error?.kind else {
            Issue.record("\(capability): \(String(describing: error))")
            return
        }
    }
}
