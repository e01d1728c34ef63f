import MartletBytes
import MartletMIME
import MartletTestSupport
import Testing

@Suite("Base subject")
struct BaseSubjectTests {
    static let cases: [(String, String, Bool)] = [
        ("Lunch", "Lunch", false), ("Re: Lunch", "Lunch", true), ("RE : lunch", "lunch", true),
        ("re: Fw: FWD: x", "x", true),
        ("Re[2]: x", "x", true), ("Re [list] : x", "x", true), ("[list] Re: [list] x", "x", true),
        ("[list] x", "x", false),
        ("[a] [b] x", "x", false), ("[a]", "[a]", false), ("[a] [b]", "[b]", false),
        ("x (fwd)", "x", true), ("x (FWD) (fwd) ", "x", true),
        ("[fwd: x]", "x", true), ("Re: [fwd: Re: x (fwd)]", "x", true),
        ("[list] [fwd: x]", "x", true), ("Re:", "", true),
        ("Re: Re:", "", true), ("", "", false), ("  a \t b\r\n c ", "a b c", false),
        ("Regarding x", "Regarding x", false),
        ("Re x", "Re x", false), ("[a[b] x", "[a[b] x", false), ("Re(3): x", "x", true),
        ("Re^2: x", "x", true), ("Fwd[x: y", "Fwd[x: y", false),
        ("[x] (fwd)", "[x]", true), ("AW: x", "AW: x", false), ("Re(a): x", "Re(a): x", false),
    ]

    @Test("is what RFC 5256 says", arguments: cases)
    func base(_ subject: String, _ text: String, _ isReply: Bool) {
        let base = BaseSubject(subject)
        #expect(base.text == text)
        #expect(base.isReplyOrForward == isReply)
    }

    @Test(
        "knows other languages where it is told to",
        arguments: ["AW: x", "Antw: x", "回复：x", "转发: x", "отв: x", "SV: Re: x"])
    func localized(_ subject: String) {
        #expect(BaseSubject(subject, prefixes: BaseSubject.localizedPrefixes).text == "x")
    }

    @Test("of a base is the base, and any subject takes linear time")
    func laws() {
        let pieces = ["Re:", "fwd :", "[a]", "[", "]", "(fwd)", "[fwd:", " ", "x", "(2)", ":"]
        for seed in 0..<2_000 as Range<UInt64> {
            var random = SeededGenerator(seed: seed)
            let subject = (0..<8).map { _ in pieces.randomElement(using: &random)! }.joined()
            let base = BaseSubject(subject).text
            #expect(BaseSubject(base).text == base, "seed \(seed)")
        }
        for piece in ["[a]", "[", "Re:", "(fwd)", "[fwd:", "Re[", "[a", "re ", "]"] {
            _ = BaseSubject(String(repeating: piece, count: 300_000))
            _ = BaseSubject(
                String(repeating: "[fwd:" + piece, count: 50_000)
                    + String(repeating: "]", count: 50_000))
        }
    }
}

@Suite("Message forest")
struct MessageForestTests {
    typealias Entry = ThreadedMessage<String>

    /// The forest as text: `a(b c(d)) *(e f)`; `*` is not there.
    static func outline(_ forest: MessageForest<String>) -> String {
        var text = ""
        for (index, node) in forest.nodes.enumerated() {
            if index > 0 {
                let previous = forest.nodes[index - 1].depth
                if node.depth > previous {
                    text += "("
                } else {
                    text += String(repeating: ")", count: previous - node.depth) + " "
                }
            }
            text += node.id ?? "*"
        }
        return text + String(repeating: ")", count: forest.nodes.last?.depth ?? 0)
    }

    /// Messages as `id<ref,ref`, in the order of their dates; their subjects are their names unless they are given.
    static func forest(
        _ list: String, subjects: [String: String] = [:], _ grouping: SubjectGrouping = .all
    ) -> String {
        let messages = list.split(separator: " ").enumerated().map { date, text in
            let pieces = text.split(separator: "<", omittingEmptySubsequences: false)
            let id = String(pieces[0])
            let references =
                pieces.count > 1 ? pieces[1].split(separator: ",").map(String.init) : []
            return Entry(
                id: id, messageID: id, references: references,
                subject: subjects[id] ?? "subject \(id)", date: Int64(date))
        }
        return outline(MessageForest(messages, grouping: grouping))
    }

    static let references: [(String, String)] = [
        ("", ""), ("a", "a"), ("a b<a c<a,b", "a(b(c))"), ("a b<a c<a", "a(b c)"),
        ("c<a,b b<a a", "a(b(c))"),
        // What is not there is left out, unless it holds several together.
        ("b<a", "b"), ("b<a c<a", "*(b c)"), ("d<a,b,c", "d"), ("c<a,b d<a", "*(c d)"),
        ("a c<a,b", "a(c)"), ("a c<a,b d<a,b", "a(c d)"),
        ("c<a,b d<a,b", "*(c d)"), ("e<a,b,d f<a,c g<x", "*(e f) g"),
        // Circles.
        ("a<a", "a"), ("a<b b<a", "b(a)"), ("a<c b<a c<b", "c(a(b))"),
        ("a<b,c b<c,a c<a,b", "c(a(b))"), ("a b<a,b,a", "a(b)"),
        // What a message says of itself counts more.
        ("a b<a c<b d<c,a", "a(b(c) d)"),
        // Others tell what a message does not say.
        ("a b c<a,b", "a(b(c))"),
    ]

    @Test("goes by references", arguments: references)
    func byReferences(_ list: String, _ forest: String) {
        #expect(Self.forest(list) == forest)
    }

    @Test("goes by subjects")
    func bySubject() {
        func forest(
            _ list: String, _ subjects: [String: String], _ grouping: SubjectGrouping = .all
        ) -> String {
            Self.forest(list, subjects: subjects, grouping)
        }
        #expect(forest("a b", ["a": "x", "b": "Re: X"]) == "a(b)")
        #expect(forest("b a", ["a": "x", "b": "Re: x"]) == "a(b)")
        #expect(forest("a b", ["a": "x", "b": "x"]) == "*(a b)")
        #expect(forest("a b c", ["a": "x", "b": "x", "c": "Re: x"]) == "*(a b c)")
        #expect(forest("a b", ["a": "Re: x", "b": "Fwd: x"]) == "*(a b)")
        #expect(forest("a b", ["a": "", "b": ""]) == "a b")
        #expect(
            forest("a b<q c<q d", ["a": "y", "b": "x", "c": "x", "d": "Re: x"]) == "a *(b c d)")
        #expect(
            forest("a<p b<p c<q d<q", ["a": "x", "b": "x", "c": "x", "d": "x"]) == "*(a b c d)")
        #expect(forest("a b", ["a": "x", "b": "x"], .replies) == "a b")
        #expect(forest("a b c", ["a": "x", "b": "x", "c": "Re: x"], .replies) == "a(c) b")
        #expect(forest("a b", ["a": "x", "b": "Re: x"], .none) == "a b")
    }

    @Test("has messages of one Message-ID and without any, each once")
    func duplicates() {
        let messages = [
            Entry(id: "1", messageID: "a", subject: "s1", date: 1),
            Entry(id: "2", messageID: "b", references: ["a"], subject: "s2", date: 2),
            Entry(id: "3", messageID: "b", references: ["a"], subject: "s3", date: 3),
            Entry(id: "4", messageID: nil, references: ["b"], subject: "s4", date: 4),
            Entry(id: "5", messageID: "", references: [], subject: "s5", date: nil),
        ]
        #expect(Self.outline(MessageForest(messages)) == "5 1(2(4) 3)")
    }

    @Test("is in the order of dates, and of the input where they are equal")
    func order() {
        let messages = [
            Entry(id: "z", messageID: "z", subject: "z", date: 5),
            Entry(id: "y", messageID: "y", subject: "y", date: 5),
            Entry(id: "r2", messageID: "r2", references: ["z"], subject: "q", date: 9),
            Entry(id: "r1", messageID: "r1", references: ["z"], subject: "w", date: 7),
            Entry(id: "k", messageID: "k", references: ["none"], subject: "k", date: 1),
            Entry(id: "l", messageID: "l", references: ["none"], subject: "l", date: 8),
        ]
        #expect(Self.outline(MessageForest(messages)) == "*(k l) z(r1 r2) y")
    }

    @Test("has every message once, whatever they refer to")
    func law() {
        for seed in 0..<1_000 as Range<UInt64> {
            var random = SeededGenerator(seed: seed)
            let count = Int.random(in: 0...12, using: &random)
            let messages = (0..<count).map { index in
                Entry(
                    id: "\(index)",
                    messageID: Bool.random(using: &random)
                        ? "\(index)" : "\(Int.random(in: 0...9, using: &random))",
                    references: (0..<Int.random(in: 0...4, using: &random)).map { _ in
                        "\(Int.random(in: 0...15, using: &random))"
                    },
                    subject: ["x", "Re: x", "", "y", "fwd: y"].randomElement(using: &random)!,
                    date: Int64.random(in: 0...3, using: &random))
            }
            for grouping in [SubjectGrouping.none, .replies, .all] {
                let forest = MessageForest(messages, grouping: grouping)
                #expect(
                    Set(forest.nodes.compactMap(\.id)) == Set(messages.map(\.id)), "seed \(seed)")
                #expect(forest.nodes.compactMap(\.id).count == count, "seed \(seed)")
                for (index, node) in forest.nodes.enumerated() {
                    #expect(
                        node.parent.map {
                            $0 < index && forest.nodes[$0].end >= node.end
                                && forest.nodes[$0].depth + 1 == node.depth
                        } ?? (node.depth == 0))
                    if node.id == nil {
                        #expect(
                            node.depth == 0 && Array(forest.children(of: index)).count > 1,
                            "seed \(seed)")
                    }
                }
                #expect(Array(forest.roots).count == forest.nodes.filter { $0.parent == nil }.count)
            }
        }
    }

    @Test("takes messages from headers")
    func headers() {
        let first = lines(
            "Message-ID: <a@x>", "Subject: hi", "Date: Mon, 30 Nov 2026 03:22:55 +0000", "", "")
        let second = lines(
            "Message-ID: <b@x>", "In-Reply-To: <a@x> <z@x>", "Subject: Re: hi", "", "")
        let forest = MessageForest([Entry(id: "2", second), Entry(id: "1", first)])
        #expect(Self.outline(forest) == "1(2)")
    }

    @Test("of chains, stars and circles takes about linear time")
    func hostile() {
        let count = 30_000
        func forest(_ references: (Int) -> [Int], order: (Int) -> Int = { $0 }) -> MessageForest<
            Int
        > {
            MessageForest(
                (0..<count).map {
                    let index = order($0)
                    return ThreadedMessage(
                        id: index, messageID: "\(index)",
                        references: references(index).map { "\($0)" }, subject: "x", date: 0)
                })
        }
        #expect(forest({ [$0 - 1] }).nodes.last?.depth == count - 1)
        #expect(forest({ [$0 - 1] }, order: { count - 1 - $0 }).nodes.count == count)
        #expect(forest({ [($0 + 1) % count] }).nodes.count == count)
        #expect(forest({ _ in [0] }).nodes.count == count)
        #expect(forest({ _ in [-1] }).nodes.count == count + 1)
        // Many leaves below a long chain of what is not there.
        #expect(
            forest({ $0 == 0 ? (0..<count).map { -$0 - 2 } : [-count - 1] }).nodes.count >= count)
        // Pieces that are hung below the end of a long chain one by one.
        #expect(
            forest({ $0 < count / 2 ? [$0 - 1] : $0 % 2 == 0 ? [$0 + 1] : [count / 2 - 1] }).nodes
                .count == count)
    }
}

@Suite("Conversations of the corpus", .corpus("mailcore2/parser/input/mbox/jwz"))
struct ThreadCorpusTests {
    @Test("have each message once, below the one that it answers")
    func mailbox() throws {
        let folder = "mailcore2/parser/input/mbox/jwz/"
        let messages = try Corpus.names(in: folder).enumerated().map { index, name in
            ThreadedMessage(
                id: index, Message(parsing: try Corpus.octets(folder + name)))
        }
        let forest = MessageForest(messages, grouping: .none)
        #expect(forest.nodes.compactMap(\.id).sorted() == Array(messages.indices))
        var places: [String: Int] = [:]
        for (place, node) in forest.nodes.enumerated() {
            guard let id = node.id, let name = messages[id].messageID else { continue }
            places[name] = places[name] ?? place
        }
        for node in forest.nodes {
            guard let id = node.id, let answered = messages[id].references.last,
                let place = places[answered]
            else { continue }
            #expect(node.parent == place)
        }
    }
}
