import MartletBytes
import MartletPOP3Core
import MartletTestSupport
import Testing

@Suite("Mail left on a server")
struct RetentionPolicyTests {
    static let day: Int64 = 86_400
    static let now: Int64 = 1_796_000_000

    /// A maildrop with a message that is new, ones that were fetched 0, 7 and 40 days ago, one that was deleted here, one that
    /// was adopted, and one without an ID.
    static let listed =
        ["new", "today", "week", "old", "gone", "adopted"].enumerated().map {
            MaildropMessage(number: $0 + 1, uniqueID: UniqueID($1))
        } + [MaildropMessage(number: 7)]

    static func seen() -> SeenMessages {
        var seen = SeenMessages(
            adopting: [MaildropMessage(number: 1, uniqueID: UniqueID("adopted"))],
            at: now - 400 * day)
        for (name, days) in [("today", 0), ("week", 7), ("old", 40), ("gone", 1)] {
            seen.wasFetched(UniqueID(name)!, at: now - Int64(days) * day)
        }
        seen.wasDeletedHere(UniqueID("gone")!)
        seen.wasDeletedHere(UniqueID("adopted")!)
        return seen
    }

    struct Row: CustomTestStringConvertible {
        var policy: RetentionPolicy
        var deletes: String
        var testDescription: String { "\(policy)" }
    }

    @Test(
        "goes when the policy says so",
        arguments: [
            Row(policy: .leaveOnServer, deletes: ""),
            Row(policy: .init(.keep, deletesWithLocalCopy: true), deletes: "gone"),
            Row(policy: .init(.deleteAfterDownload), deletes: "today week old gone"),
            Row(policy: .init(.deleteAfter(days: 7)), deletes: "week old"),
            Row(policy: .init(.deleteAfter(days: 8)), deletes: "old"),
            Row(policy: .init(.deleteAfter(days: 0)), deletes: "today week old gone"),
            Row(policy: .init(.deleteAfter(days: .max)), deletes: ""),
            Row(policy: .init(.deleteAfter(days: -5)), deletes: "today week old gone"),
            Row(
                policy: .init(.deleteAfter(days: 40), deletesWithLocalCopy: true),
                deletes: "old gone"),
        ])
    func rules(row: Row) {
        let plan = row.policy.plan(Self.listed, seen: Self.seen(), at: Self.now)
        #expect(
            plan.delete.compactMap(\.uniqueID?.text).joined(separator: " ") == row.deletes)
        #expect(plan.fetch.compactMap(\.uniqueID?.text) == ["new"])
        #expect(plan.unidentified.map(\.number) == [7])
        #expect(!plan.looksRenamed)
    }

    @Test("stays when the clock has gone back")
    func clock() {
        let policy = RetentionPolicy(.deleteAfter(days: 0))
        let past = policy.plan(Self.listed, seen: Self.seen(), at: Self.now - 100 * Self.day)
        #expect(past.delete.isEmpty)
        #expect(policy.plan(Self.listed, seen: Self.seen(), at: .min).delete.isEmpty)
    }

    @Test("is all new at first, and none of it after adopting")
    func first() {
        let policy = RetentionPolicy(.deleteAfterDownload)
        let fresh = policy.plan(Self.listed, seen: SeenMessages(), at: Self.now)
        #expect(fresh.fetch.count == 6 && fresh.delete.isEmpty && !fresh.looksRenamed)
        let adopted = policy.plan(
            Self.listed, seen: SeenMessages(adopting: Self.listed, at: Self.now), at: Self.now)
        #expect(adopted.fetch.isEmpty && adopted.delete.isEmpty)
    }

    @Test("is not deleted, and told apart, where a server calls all of it otherwise")
    func renamed() {
        let renamed = (1...3).map { MaildropMessage(number: $0, uniqueID: UniqueID("other\($0)")) }
        let plan = RetentionPolicy(.deleteAfterDownload).plan(
            renamed, seen: Self.seen(), at: Self.now)
        #expect(plan.looksRenamed && plan.delete.isEmpty && plan.fetch.count == 3)
    }

    @Test("is remembered while a listing leaves it out, for a time")
    func memory() {
        let policy = RetentionPolicy(.keep)
        var seen = Self.seen()
        let count = seen.entries.count
        seen.wereListed(Self.listed, at: Self.now, by: policy)
        #expect(seen.entries.count == count)
        seen.wereListed([], at: Self.now + 29 * Self.day, by: policy)
        #expect(seen.entries.count == count)
        seen.wereListed([], at: Self.now + 31 * Self.day, by: policy)
        #expect(seen.entries.isEmpty)
    }

    @Test(
        "may not stay longer than the server keeps it",
        arguments: [
            (RetentionPolicy(.keep), nil, true), (RetentionPolicy(.keep), .never, true),
            (RetentionPolicy(.keep), .days(60), false),
            (RetentionPolicy(.deleteAfter(days: 7)), .days(7), true),
            (RetentionPolicy(.deleteAfter(days: 7)), .days(0), false),
            (RetentionPolicy(.deleteAfterDownload), .days(0), true),
        ] as [(RetentionPolicy, MailExpiry?, Bool)])
    func expiry(policy: RetentionPolicy, expiry: MailExpiry?, isPossible: Bool) {
        #expect(policy.isPossible(with: expiry) == isPossible)
    }
}
