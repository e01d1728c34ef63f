import MartletCommandLineParsing
import MartletIMAP

/// `martlet imap watch`: what happens in a mailbox, as it happens.
enum IMAPWatchCommand: IMAPWork {
    private static let count = Option(
        "count", .integer("N", in: 1...1_000_000), help: "End after so many events.")

    static var definition: CommandDefinition {
        var watch = IMAPOptions.definition(
            "watch", "Tell what happens in a mailbox, as it happens",
            "Waits with IDLE, or asks once a minute where the server has none. Each event is a line: a new "
                + "message, a removed one, changed flags. A lost connection is made anew. Ctrl-C ends it.",
            groups: .init("Mailbox", [IMAPOptions.mailbox]), .init("End", [count]))
        watch.examples = [
            .init(
                "Wait for one thing to happen, then go on",
                """
                martlet imap watch --server mail.example.org:993 --user alice \\
                    --password-file ~/.mail-password --count 1 &&
                    notify-send "New mail"
                """)
        ]
        return watch
    }

    static func run(
        _ parsed: ParsedCommand, with client: IMAPClient, _ console: Console
    ) async throws -> ExitStatus {
        let mailbox = parsed[IMAPOptions.mailbox] ?? .inbox
        var voice = IMAPWatchVoice(console, isJSON: parsed[IMAPOptions.json])
        var left = parsed[count] ?? Int.max
        var lastUID: UID?
        for try await element in client.watch(mailbox) {
            switch element {
            case .opened(let opened):
                voice.opened(opened)
                lastUID = opened.uidNext.flatMap { UID($0.rawValue - 1) }
                // So that UIDs are known of what is removed or changed later.
                // Where that fails, the watch itself says what is lost.
                if opened.messageCount > 0 { _ = try? await client.fetch(SequenceSet.all, [.uid]) }
            case .lost(let error, let pause): voice.lost(error, pause)
            case .event(.exists(let count)):
                guard let new = voice.new(count) else { continue }
                let rows = await rows(new, after: lastUID, client)
                lastUID = rows.lazy.compactMap(\.uid).max() ?? lastUID
                left -= voice.arrived(rows, of: new.count)
            case .event(let event): left -= voice.tell(event) ? 1 : 0
            }
            if left <= 0 { break }
        }
        return .success
    }

    /// What came; none where they are gone already. Where UIDs are known it is asked for by these: the numbers of messages may
    /// have changed since the server told of them.
    private static func rows(
        _ numbers: ClosedRange<UInt32>, after lastUID: UID?, _ client: IMAPClient
    ) async -> [FetchResponse] {
        if let lastUID, let next = UID(lastUID.rawValue &+ 1) {
            let fetched = try? await client.fetch(
                UIDSet(from: next), IMAPListing.attributes)
            return fetched?.rows.filter {
                $0.envelope != nil && $0.uid.map { $0 > lastUID } == true
            }
                ?? []
        }
        guard let first = SequenceNumber(numbers.lowerBound),
            let last = SequenceNumber(numbers.upperBound)
        else { return [] }
        let fetched = try? await client.fetch(SequenceSet(first...last), IMAPListing.attributes)
        return fetched?.rows.filter { $0.envelope != nil } ?? []
    }
}
