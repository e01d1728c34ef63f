import MartletBytes
import MartletMIME
import MartletTestSupport
import Testing

@testable import MartletIMAPCore

/// What we find, and in which order, is what Dovecot finds: 200 messages, keys made of random ones.
///
/// Not asked, since we go further on purpose: texts that are in the words of HTML but not in its source, or in the header of
/// a message in the message (`BODY`), and messages without a date (`SENT…`), which Dovecot takes for sent in 1970.
@Suite(
    "SEARCH, SORT and THREAD as Dovecot answers them", .needs(RealIMAPServer.dovecot),
    .timeLimit(.minutes(5)))
struct DovecotSearchTests {
    private static let words = [
        "grüße", "straße", "café", "привет", "東京", "lunch", "budget", "meeting", "alpha", "beta",
    ]
    private static let people = [
        "Ann Lee <ann@example.com>", "=?utf-8?Q?J=C3=B6rg?= <joerg@example.org>",
        "bert@example.com",
        "\"Zoe, the First\" <zoe@example.net>", "Ann Other <other@example.com>",
        "Friends: x@example.com, Bob <bob@example.com>;",
    ]
    private static let keyword = MessageFlag("$Work")!

    private static func base64(_ text: String) -> String {
        String(decoding: Base64.encode(Array(text.utf8)), as: UTF8.self)
    }

    /// A mailbox in which messages answer each other.
    private static func mailbox(_ count: Int, seed: UInt64) -> [SampleMessage] {
        var generator = SeededGenerator(seed: seed)
        func pick<Value>(_ values: [Value]) -> Value { values.randomElement(using: &generator)! }
        func chance(_ percent: Int) -> Bool { Int.random(in: 0..<100, using: &generator) < percent }
        func encoded(_ text: String) -> String {
            text.utf8.allSatisfy { $0 < 0x80 } ? text : "=?utf-8?B?\(base64(text))?="
        }
        var chains: [[String]] = []
        var subjects: [String] = []
        return (0..<count).map { index in
            var chain: [String] = []
            var subject = pick(words) + " " + pick(words)
            if !chains.isEmpty, chance(50) {
                let place = Int.random(
                    in: max(0, chains.count - 30)..<chains.count, using: &generator)
                chain = chains[place]
                subject =
                    (chance(80) ? pick(["Re: ", "RE: ", "Fwd: ", "Re: [list] "]) : "")
                    + subjects[place]
            }
            let id = "<\(index).\(seed)@gen.test>"
            // Some of those that are answered are not here.
            if chance(10) { chain.append("<missing.\(index)@gen.test>") }
            let sent = MailDate(
                secondsSinceEpoch: 1_793_000_000 + Int64(index) * 7_000
                    + Int64.random(in: 0..<20_000, using: &generator),
                offsetInMinutes: pick([0, 60, -300, 330]))
            var header = "From: \(pick(people))\nTo: \(pick(people))\nDate: \(sent.text)\n"
            if chance(40) { header += "Cc: \(pick(people))\n" }
            if chance(10) { header += "Bcc: \(pick(people))\n" }
            if chance(95) { header += "Subject: \(encoded(subject))\n" }
            if chance(95) { header += "Message-ID: \(id)\n" }
            if !chain.isEmpty {
                if chance(80) {
                    header += "References: \(chain.joined(separator: "\n "))\n"
                } else {
                    header += "In-Reply-To: \(chain.last!)\n"
                }
            }
            chains.append(chain + [id])
            subjects.append(subject)
            let text = (0..<Int.random(in: 1...60, using: &generator)).map { _ in pick(words) }
                .joined(separator: " ")
            let type = "Content-Type: text/plain; charset=utf-8\n"
            let encodedText = "Content-Transfer-Encoding: base64\n\n\(base64(text))\n"
            let body =
                switch Int.random(in: 0..<3, using: &generator) {
                case 0: header + type + "\n\(text)\n"
                case 1: header + type + encodedText
                default:
                    header
                        + "Content-Type: multipart/mixed; boundary=b\n\n--b\n\(type)\(encodedText)--b\nContent-Type: application/pdf; name=\"\(pick(["lunch", "report"])).pdf\"\n\nnothing\n--b--\n"
                }
            var message = SampleMessage(UInt32(index + 1), body)
            message.uid = UID(UInt32(index + 1))!
            message.internalDate = MailDate(
                secondsSinceEpoch: 1_793_000_000
                    + Int64.random(in: 0..<2_000_000, using: &generator))
            message.flags = [.seen, .flagged, .answered, .deleted, .draft, keyword].filter { _ in
                chance(30)
            }
            return message
        }
    }

    /// A key of random ones, in IMAP's words.
    private static func key(_ depth: Int, _ generator: inout SeededGenerator) -> String {
        func number(_ range: ClosedRange<Int>) -> Int { Int.random(in: range, using: &generator) }
        func text() -> String {
            let word = words[number(0...words.count - 1)]
            return number(0...1) == 0
                ? word : String(word.dropFirst(number(0...2)).prefix(number(2...5)))
        }
        func day() -> String {
            let date = MailDate(secondsSinceEpoch: 1_793_000_000 + Int64(number(0...2_000_000)))
            return date.text.split(separator: " ")[1...3].joined(separator: "-")
        }
        switch depth > 0 ? number(0...9) : 9 {
        case 0: return "NOT " + key(depth - 1, &generator)
        case 1: return "OR \(key(depth - 1, &generator)) \(key(depth - 1, &generator))"
        case 2: return "(\(key(depth - 1, &generator)) \(key(depth - 1, &generator)))"
        default: break
        }
        return switch number(0...16) {
        case 0: "\(number(1...100)):\(number(90...200)),*"
        case 1: "UID \(number(1...300)):*"
        case 2:
            ["SEEN", "UNSEEN", "FLAGGED", "UNANSWERED", "DELETED", "UNDRAFT", "ALL"][number(0...6)]
        case 3: ["KEYWORD $Work", "UNKEYWORD $work"][number(0...1)]
        case 4: "FROM \"\(["ann", "EXAMPLE.org", "Jörg", "jör", "the first"][number(0...4)])\""
        case 5: "TO \"\(["bob", "lee", "zoe", "friends"][number(0...3)])\""
        case 6: "CC \"\(["bob", "ann", ""][number(0...2)])\""
        case 7: "SUBJECT \"\(text())\""
        case 8: "BODY \"\(text())\""
        case 9: "TEXT \"\(["report.pdf", "gen.test", text()][number(0...2)])\""
        case 10:
            "HEADER \(["References", "message-id", "X-None"][number(0...2)]) \"\(["", "1."][number(0...1)])\""
        case 11: "\(["BEFORE", "ON", "SINCE"][number(0...2)]) \(day())"
        case 12: "\(["SENTBEFORE", "SENTON", "SENTSINCE"][number(0...2)]) \(day())"
        case 13: "LARGER \(number(100...1_500))"
        case 14: "SMALLER \(number(100...1_500))"
        case 15: "SUBJECT \"\(text().uppercased().replacing("SS", with: "ß"))\""
        default: "BCC \"\""
        }
    }

    @Test("all three")
    func everything() async throws {
        let server = try await RealServers.shared(.dovecot)
        let messages = Self.mailbox(200, seed: 1)
        var session = try await DovecotSession.open(
            server, mailbox: "ServedSearch", messages: messages)
        try await compareSearches(messages, &session)
        try await compareOrders(messages, &session)
        try await compareThreads(messages, &session)
        await session.close()
    }

    private func compareSearches(
        _ messages: [SampleMessage], _ session: inout DovecotSession
    ) async throws {
        var generator = SeededGenerator(seed: 2)
        for _ in 0..<250 {
            let words = Self.key(2, &generator)
            var search = MessageSearch(
                try SearchKey(parsing: words),
                in: SearchSurroundings(
                    lastNumber: messages.last?.number, lastUID: messages.last?.uid, now: 0))
            let ours = messages.filter { search.matches($0) }.map(\.number.rawValue)
            // A quoted string has ASCII alone.
            let theirs = try await session.numbers(
                "SEARCH CHARSET UTF-8 " + Self.withLiterals(words))
            #expect(ours == theirs, "\(words)")
        }
    }

    /// The words with literals for texts beyond ASCII.
    private static func withLiterals(_ words: String) -> String {
        words.split(separator: "\"", omittingEmptySubsequences: false).enumerated().map {
            index, piece in
            index % 2 == 0 ? String(piece) : "{\(piece.utf8.count)+}\r\n\(piece)"
        }.joined()
    }

    private func compareOrders(
        _ messages: [SampleMessage], _ session: inout DovecotSession
    ) async throws {
        let fields: [SortCriterion.Field] = [
            .arrival, .cc, .date, .from, .size, .subject, .to, .displayFrom, .displayTo,
        ]
        var orders = fields.flatMap { [[SortCriterion($0)], [.reverse($0)]] }
        orders.append([.reverse(.subject), SortCriterion(.date)])
        orders.append([SortCriterion(.from), .reverse(.subject), .reverse(.arrival)])
        for criteria in orders {
            let words = criteria.map { ($0.isReversed ? "REVERSE " : "") + $0.field.rawValue }
            let ours = MessageOrder(criteria).sorted(messages).map(\.number.rawValue)
            let theirs = try await session.numbers(
                "SORT (\(words.joined(separator: " "))) UTF-8 ALL")
            #expect(ours == theirs, "\(words)")
        }
    }

    private func compareThreads(
        _ messages: [SampleMessage], _ session: inout DovecotSession
    ) async throws {
        for algorithm in MessageThreads.algorithms {
            let ours = MessageThreads.nodes(algorithm, of: messages, isUID: false) ?? []
            var theirs: [ThreadNode] = []
            for case .thread(let nodes) in try await session.run("THREAD \(algorithm) UTF-8 ALL") {
                theirs = nodes
            }
            // Dovecot puts threads in the order of their newest `Date`, the draft in that of the newest arrival.
            let isOrdered = algorithm != .refs
            #expect(Self.wire(ours, isOrdered) == Self.wire(theirs, isOrdered), "\(algorithm)")
        }
    }

    private static func wire(_ nodes: [ThreadNode], _ isOrdered: Bool) -> [String] {
        var threads: [String] = []
        var start = 0
        for end in 1...max(nodes.count, 1) where end >= nodes.count || nodes[end].parent == nil {
            var encoder = ResponseEncoder()
            let thread = nodes[start..<min(end, nodes.count)]
            encoder.append(
                .thread(
                    thread.map { node in
                        ThreadNode(number: node.number, parent: node.parent.map { $0 - start })
                    }))
            threads.append(String(decoding: encoder.octets, as: UTF8.self))
            start = end
        }
        return isOrdered ? threads : threads.sorted()
    }
}
