import MartletIMAPCore
import MartletTestSupport
import Testing

@testable import MartletSandbox

@Suite("Address rules")
struct AddressRulesTests {
    private func rules(_ change: (inout AddressRules) -> Void = { _ in }) -> AddressRules {
        var rules = AddressRules(domain: "example.test")
        change(&rules)
        return rules
    }

    @Test(
        "everybody has a mailbox, those with something behind + that of whom it is for",
        arguments: [
            ("alice@example.test", "alice@example.test"),
            ("Alice@EXAMPLE.test", "alice@example.test"),
            ("alice", "alice@example.test"), ("alice+news@example.test", "alice@example.test"),
            ("alice+a+b@example.test", "alice@example.test"),
            ("alice+@example.test", "alice@example.test"),
            ("+news@example.test", "+news@example.test"), ("bob@example.org", "bob@example.org"),
            ("a+b@c@example.test", "a@example.test"),
        ])
    func everybody(address: String, owner: String) {
        #expect(rules().owners(of: address) == [owner])
    }

    @Test("aliases stand for others, each of whom gets it once, also where they go in circles")
    func aliases() {
        let rules = rules {
            $0.aliases = [
                "team@example.test": ["alice", "bob", "all"],
                "all@example.test": ["team", "carol+x"],
                "nobody@example.test": [],
            ]
        }
        #expect(
            rules.owners(of: "team") == [
                "alice@example.test", "bob@example.test", "carol@example.test",
            ])
        #expect(rules.owners(of: "TEAM@example.test").count == 3)
        #expect(rules.owners(of: "nobody").isEmpty)
        // An alias with something behind + is another address.
        #expect(rules.owners(of: "team+x") == ["team@example.test"])
    }

    @Test("what nobody has goes to who catches all; else each address stays its own")
    func catchAll() {
        var rules = rules {
            $0.known = ["alice@example.test", "a+b@example.test"]
            $0.catchAll = "postmaster"
        }
        for (address, owner) in [
            ("alice@example.test", "alice@example.test"),
            ("alice+news@example.test", "alice@example.test"),
            ("a+b@example.test", "a+b@example.test"),
            ("bob@example.test", "postmaster@example.test"),
            ("x@example.org", "postmaster@example.test"),
        ] {
            #expect(rules.owners(of: address) == [owner], "\(address)")
        }
        rules.catchAll = nil
        #expect(rules.owners(of: "bob+x@example.test") == ["bob@example.test"])
    }

    @Test("a chain of aliases ends")
    func depth() {
        let rules = rules { rules in
            for number in 0..<1_000 {
                rules.aliases["a\(number)@example.test"] = ["a\(number + 1)", "b\(number)"]
            }
        }
        #expect(rules.owners(of: "a0").count <= 1_001)
    }
}

@Suite("Mail system")
struct MailSystemTests {
    private func system(limit: Int = 1 << 20) -> MailSystem {
        MailSystem(limitInOctets: limit, rules: AddressRules(domain: "example.test"))
    }
    private let alice = "alice@example.test"

    private func append(_ mail: MailSystem, _ count: Int, size: Int = 10) async throws {
        for number in 0..<count {
            _ = try await mail.append(
                [NewMessage(octets: [UInt8](repeating: UInt8(number & 0x7F), count: size))],
                to: .inbox, of: alice)
        }
    }

    @Test("room is given back for all that goes: expunged, deleted with its mailbox, forgotten")
    func room() async throws {
        let mail = system()
        try await append(mail, 10, size: 1_000)
        let target = try MailboxName("Work")
        _ = try await mail.create(target, uses: [], of: alice)
        let all = UIDSet((1...10).compactMap { UID($0) })
        _ = try await mail.copy(all, from: .inbox, to: target, of: alice, moving: false)
        // Copies share their octets.
        #expect(await mail.sizeInOctets == 10_000)
        await mail.expunge(all, from: .inbox, of: alice)
        #expect(await mail.sizeInOctets == 10_000)
        try await mail.delete(target, of: alice)
        #expect(await mail.sizeInOctets == 0)
        try await append(mail, 3)
        await mail.removeAll()
        #expect(await mail.sizeInOctets == 0)
        let inbox = await mail.mailbox(.inbox, of: alice)
        #expect(inbox?.messages.isEmpty == true && inbox?.lastUID == 13)
    }

    @Test("a message that comes costs the same, however many are there")
    func manyMessages() async throws {
        let mail = system(limit: 1 << 30)
        func thousand() async throws -> Duration {
            try await ContinuousClock().measure { try await append(mail, 1_000) }
        }
        // The best of some: others have the machine, too.
        let few = try await [thousand(), thousand(), thousand()].min() ?? .zero
        for _ in 0..<40 { _ = try await thousand() }
        let many = try await [thousand(), thousand(), thousand()].min() ?? .zero
        #expect(many < few * 3, "\(few) for 1,000 messages at first, then \(many)")
    }

    @Test("when there is no more room the oldest go, and their UIDs with them")
    func oldest() async throws {
        let mail = system(limit: 10_000)
        try await append(mail, 25, size: 1_000)
        let inbox = try #require(await mail.mailbox(.inbox, of: alice))
        #expect(inbox.messages.map(\.uid.rawValue) == Array(16...25))
        #expect(inbox.removed(since: .first).numbers.map(\.rawValue) == Array(1...15))
        #expect(await mail.admit(10_001) == false)
        #expect(await mail.admit(10_000))
        #expect(await mail.admit(1) == false)
        await mail.release(10_000)
        #expect(await mail.admit(1))
    }

    @Test("flags change with a mod-sequence of their own, and not after the one that was named")
    func flags() async throws {
        let mail = system()
        try await append(mail, 3)
        let two = UIDSet([UID(1), UID(2)].compactMap { $0 })
        let before = try #require(await mail.mailbox(.inbox, of: alice)).highestModSeq
        let first = try await mail.store(two, .add, [.seen], in: .inbox, of: alice)
        #expect(first.messages.allSatisfy { $0.modSeq > before && $0.has(.seen) })
        let again = try await mail.store(two, .add, [.seen], in: .inbox, of: alice)
        #expect(again.messages.map(\.modSeq) == first.messages.map(\.modSeq))
        let late = try await mail.store(
            UIDSet((1...3).compactMap { UID($0) }), .replace, [.flagged], unchangedSince: before,
            in: .inbox, of: alice)
        #expect(late.modified == two)
        #expect(late.messages.map(\.uid.rawValue) == [3])
    }

    @Test("a copy to nowhere, names that are none, and a mailbox within itself are refused")
    func refusals() async throws {
        let mail = system()
        try await append(mail, 1)
        let work = try MailboxName("Work")
        await #expect(throws: MailProblem.self) {
            try await mail.copy(
                UIDSet(UID(1)!), from: .inbox, to: work, of: alice, moving: true)
        }
        #expect(await mail.mailbox(.inbox, of: alice)?.messages.count == 1)
        _ = try await mail.create(work, uses: [], of: alice)
        for name in ["Work", "a//b", "../a", "a/.", "/a"] {
            guard let name = try? MailboxName(name) else { continue }
            await #expect(throws: MailProblem.self, "\(name)") {
                try await mail.create(name, uses: [], of: alice)
            }
        }
        let inside = try MailboxName("Work/inside")
        await #expect(throws: MailProblem.self) {
            try await mail.rename(work, to: inside, of: alice)
        }
        await #expect(throws: MailProblem.self) { try await mail.delete(.inbox, of: alice) }
    }
}
