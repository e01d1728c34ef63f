import MartletIMAP

/// Says what happens in a mailbox: lines for a person, or an object a line for a program.
struct IMAPWatchVoice {
    private let console: Console
    private let isJSON: Bool
    private var messageCount = 0
    /// How many removed messages get a line each.
    private static let listLimit = 1_000

    init(_ console: Console, isJSON: Bool) {
        self.console = console
        self.isJSON = isJSON
    }

    /// The mailbox is open, at first or again.
    mutating func opened(_ mailbox: SelectedMailbox) {
        messageCount = mailbox.messageCount
        if isJSON {
            say("opened", [("messages", .integer(messageCount))], "")
        } else {
            console.remark("Watching \(mailbox.name.text): \(messageCount) messages.")
        }
    }

    /// The connection is lost.
    func lost(_ error: IMAPError, _ pause: Duration) {
        if isJSON {
            say("lost", [("error", CommandFailure(error).json)], "")
        } else {
            console.remark(
                "martlet: \(error.description) Trying again in \(pause.components.seconds) s.")
        }
    }

    /// The numbers of messages that are new where there are so many now; `nil` where none are: servers repeat the number.
    mutating func new(_ count: UInt32) -> ClosedRange<UInt32>? {
        defer { messageCount = Int(count) }
        guard Int(count) > messageCount else { return nil }
        return UInt32(messageCount + 1)...count
    }

    /// New messages came.
    ///
    /// - Parameter rows: what is known of them; a message that is gone again has none.
    /// - Returns: how many events that is.
    func arrived(_ rows: [FetchResponse], of count: Int) -> Int {
        for row in rows {
            guard let uid = row.uid else { continue }
            say("arrived", IMAPListing.members(uid, row), "new      " + IMAPListing.line(uid, row))
        }
        let others = count - rows.count
        if others > 0 {
            say("arrived", [("count", .integer(others))], "new      \(others) messages")
        }
        return rows.count + max(0, others)
    }

    /// Something else happened.
    ///
    /// - Returns: whether it was of interest.
    mutating func tell(_ event: MailboxEvent) -> Bool {
        switch event {
        case .expunged(let number, let uid):
            messageCount = max(0, messageCount - 1)
            say(
                "removed",
                [("number", .count(number.rawValue)), ("uid", .count(uid?.rawValue))],
                "removed  " + (uid.map { "\($0)" } ?? "number \(number)"))
        case .vanished(let uids):
            messageCount = max(0, messageCount - (uids.count ?? 0))
            guard let count = uids.count, count <= Self.listLimit else {
                say("removed", [("uids", .string("\(uids)"))], "removed  \(uids)")
                return true
            }
            for uid in uids.numbers {
                say(
                    "removed", [("number", nil), ("uid", .count(uid.rawValue))], "removed  \(uid)")
            }
        case .changed(let row):
            guard let flags = row.flags else { return false }
            // Not by what is known now: other messages may have gone since.
            let uid = row.uid
            let name = uid.map { "\($0)" } ?? row.number.map { "number \($0)" } ?? ""
            say(
                "flags",
                [
                    ("number", .count(row.number?.rawValue)), ("uid", .count(uid?.rawValue)),
                    ("flags", .array(flags.map { .string($0.rawValue) })),
                ], "flags    \(name.padded(to: 7)) \(flags.map(\.rawValue).joined(separator: " "))")
        case .alert(let words):
            say("alert", [("text", .string(words))], "alert    \(words)")
        default: return false
        }
        return true
    }

    private func say(_ kind: String, _ members: [(name: String, value: JSONText)], _ line: String) {
        if isJSON {
            console.output(JSONText.object([("event", .string(kind))] + members).text)
        } else {
            console.output(Console.printable(line))
        }
    }
}
