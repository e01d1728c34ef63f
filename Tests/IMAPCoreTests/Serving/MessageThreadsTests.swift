import MartletMIME
import MartletTestSupport
import Testing

@testable import MartletIMAPCore

@Suite("Threads of a mailbox")
struct MessageThreadsTests {
    /// Messages as `ID <- references | subject`, an hour from one to the next.
    static func mailbox(_ lines: [String]) -> [SampleMessage] {
        let texts = lines.enumerated().map { index, line in
            let halves = line.split(separator: "|", omittingEmptySubsequences: false)
            let words = halves[0].split(separator: " ").map(String.init)
            var header = "Date: Mon, 2 Nov 2026 \(10 + index):00:00 +0000\n"
            if let id = words.first, id != "-" { header += "Message-ID: <\(id)@x>\n" }
            if words.count > 2 {
                header +=
                    "References: " + words[2...].map { "<\($0)@x>" }.joined(separator: "\n ") + "\n"
            }
            if halves.count > 1 { header += "Subject: \(halves[1])\n" }
            return header + "\n"
        }
        return SampleMessage.mailbox(texts)
    }

    static func wire(
        _ algorithm: ThreadAlgorithm, _ messages: [SampleMessage], isUID: Bool = false
    ) -> String {
        var encoder = ResponseEncoder()
        let nodes = MessageThreads.nodes(algorithm, of: messages, isUID: isUID) ?? []
        encoder.append(.thread(nodes))
        return String(
            decoding: encoder.octets.dropLast(2).dropFirst("* THREAD ".count), as: UTF8.self)
    }

    static let referenceCases: [([String], String)] = [
        ([], ""),
        (["a|s"], "(1)"),
        (["a|s", "b|t"], "(1)(2)"),
        (["a|s", "b <- a|Re: s", "c <- a b|Re: s"], "(1 2 3)"),
        (["a|s", "b <- a|Re: s", "c <- a|Re: s"], "(1 (2)(3))"),
        // The one that both answer is missing.
        (["b <- a|Re: s", "c <- a|Re: s"], "((1)(2))"),
        // One answer to a missing message stands for it.
        (["b <- a|Re: s"], "(1)"),
        // The missing one between.
        (["a|s", "c <- a b|Re: s"], "(1 2)"),
        // Answers that come before what they answer.
        (["c <- a b|Re: s", "b <- a|Re: s", "a|s"], "(3 2 1)"),
        // A circle.
        (["a <- b|s", "b <- a|s"], "(2 1)"),
        // Itself.
        (["a <- a|s"], "(1)"),
        // The same ID twice.
        (["a|s", "a|t", "b <- a|Re: s"], "(1 3)(2)"),
        // One subject: the answer joins; so do two that are none, side by side.
        (["a|s", "b|Re: s"], "(1 2)"),
        (["a|s", "b|s"], "((1)(2))"),
        (["a|Re: s", "b|s"], "(2 1)"),
        (["a|Re: s", "b|Re: s"], "((1)(2))"),
        (["a|", "b|"], "(1)(2)"),
        (["-|s", "-|t"], "(1)(2)"),
    ]

    @Test("REFERENCES, step by step", arguments: referenceCases)
    func references(lines: [String], threads: String) {
        #expect(Self.wire(.references, Self.mailbox(lines)) == threads)
    }

    @Test("In-Reply-To counts where there are no References, its first ID alone")
    func inReplyTo() {
        let mail = SampleMessage.mailbox([
            "Message-ID: <a@x>\n\n", "Message-ID: <b@x>\nIn-Reply-To: <a@x> <c@x>\n\n",
            "Message-ID: <c@x>\nReferences: no valid one\nIn-Reply-To: Your letter of today <b@x>\n\n",
        ])
        #expect(Self.wire(.references, mail) == "(1 2 3)")
        #expect(Self.wire(.references, mail, isUID: true) == "(10 20 30)")
    }

    @Test("a message without a date counts by when it arrived")
    func dates() {
        var mail = SampleMessage.mailbox([
            "Date: Mon, 2 Nov 2026 10:00:00 +0000\n\n", "Date: nonsense\n\n", "\n",
        ])
        for index in mail.indices {
            mail[index].internalDate = MailDate(secondsSinceEpoch: 1_700_000_000 - Int64(index))
        }
        #expect(Self.wire(.references, mail) == "(3)(2)(1)")
        #expect(Self.wire(.orderedSubject, mail) == "(3 (2)(1))")
    }

    @Test("ORDEREDSUBJECT: all of one subject answer its first")
    func orderedSubject() {
        let mail = Self.mailbox(["a|x", "b|y", "c|Re: x", "d|RE: [l] x (fwd)", "e|y", "f|"])
        #expect(Self.wire(.orderedSubject, mail) == "(1 (3)(4))(2 5)(6)")
    }

    @Test("REFS: subjects join nothing, and threads with new messages are last")
    func refs() {
        var mail = Self.mailbox(["a|s", "b|s", "c <- a|Re: s", "d|t"])
        for (index, hour) in [1, 2, 9, 3].enumerated() {
            mail[index].internalDate = MailDate(
                secondsSinceEpoch: 1_700_000_000 + Int64(hour) * 3_600)
        }
        #expect(Self.wire(.refs, mail) == "(2)(4)(1 3)")
    }

    @Test("another way is not known")
    func unknown() {
        let nodes = MessageThreads.nodes(
            ThreadAlgorithm("X-ODD"), of: Self.mailbox(["a|s"]), isUID: false)
        #expect(nodes == nil)
    }

    @Test(
        "each message is there once, behind the one it answers", arguments: 0..<100 as Range<UInt64>
    )
    func laws(seed: UInt64) throws {
        var generator = SeededGenerator(seed: seed)
        func word() -> String { String("abcdefgh".randomElement(using: &generator)!) }
        let lines = (0..<12).map { _ in
            let references = (0..<Int.random(in: 0...4, using: &generator)).map { _ in word() }
            let subject = ["", "s", "Re: s", "Fwd: s", "t", "Re: t"].randomElement(
                using: &generator)!
            return "\(word()) <- \(references.joined(separator: " "))|\(subject)"
        }
        let mail = Self.mailbox(lines)
        for algorithm in MessageThreads.algorithms {
            let nodes = try #require(MessageThreads.nodes(algorithm, of: mail, isUID: false))
            #expect(nodes.compactMap(\.number).sorted() == mail.map(\.number.rawValue))
            for (place, node) in nodes.enumerated() {
                if let parent = node.parent { #expect(parent < place) }
            }
        }
    }

    @Test("a conversation of 20,000 is no danger, deep or wide")
    func hostile() throws {
        let count = 20_000
        let deep = (1...UInt32(count)).map { number in
            SampleMessage(
                number, "Message-ID: <\(number)@x>\nReferences: <\(number - 1)@x>\nSubject: s\n\n")
        }
        let wide = (1...UInt32(count)).map { number in
            SampleMessage(number, "Message-ID: <\(number)@x>\nReferences: <0@x>\nSubject: s\n\n")
        }
        let clock = ContinuousClock()
        let time = clock.measure {
            for mail in [deep, wide] {
                for algorithm in MessageThreads.algorithms {
                    let nodes = MessageThreads.nodes(algorithm, of: mail, isUID: false)
                    #expect((nodes?.count ?? 0) >= count)
                }
            }
        }
        #expect(time < .seconds(120))
    }
}
