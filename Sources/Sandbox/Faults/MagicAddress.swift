import MartletBytes

/// A recipient whose local part says what is to go wrong: `bounce-550@example.test`. What follows a `+` counts for nothing, so
/// that there are many of each.
struct MagicAddress: Sendable, Hashable {
    /// Where it strikes: RCPT, DATA or DOT.
    let moment: String
    /// What goes wrong.
    let action: Sandbox.Fault.Action
    /// Whether only each first try is refused.
    var passesSecondTry = false

    /// Seconds that an address can ask for, at most.
    static let secondsLimit = 300

    /// Reads an address; `nil` for one like any other.
    init?(_ address: String) {
        let local = address.lowercased().prefix { $0 != "@" }.prefix { $0 != "+" }
        let words = local.split(separator: "-", omittingEmptySubsequences: false)
        switch (words.first, words.count) {
        case ("bounce", 2):
            guard let text = Self.refusal(words[1]) else { return nil }
            self.init("RCPT", .reply(text))
        case ("data", 2):
            guard let text = Self.refusal(words[1]) else { return nil }
            self.init("DOT", .reply(text))
        case ("slow", 2):
            guard let delay = Self.delay(words[1]) else { return nil }
            self.init("RCPT", .delay(delay))
        case ("slow", 3) where words[1] == "data":
            guard let delay = Self.delay(words[2]) else { return nil }
            self.init("DOT", .delay(delay))
        default: self.init(word: String(local))
        }
    }

    private init?(word: String) {
        switch word {
        case "drop": self.init("RCPT", .drop(.now))
        case "drop-data": self.init("DATA", .drop(.afterReading(octets: 1)))
        case "lost-reply": self.init("DOT", .drop(.beforeReply))
        case "silent": self.init("RCPT", .silence(.now))
        case "quota": self.init("RCPT", .reply("552 5.2.2 The mailbox is full"))
        case "greylist":
            self.init("RCPT", .reply("450 4.7.1 Greylisted: try again"))
            passesSecondTry = true
        default: return nil
        }
    }

    private init(_ moment: String, _ action: Sandbox.Fault.Action) {
        self.moment = moment
        self.action = action
    }

    // 400…599
    private static func refusal(_ word: Substring) -> String? {
        guard word.utf8.count == 3, word.utf8.allSatisfy(\.isDigit), let code = Int(word),
            400...599 ~= code
        else { return nil }
        let known: [Int: String] = [
            421: "4.3.2 Service not available, closing",
            450: "4.2.0 The mailbox is not available now",
            451: "4.3.0 Local error", 452: "4.2.2 The mailbox is full",
            550: "5.1.1 There is no such mailbox", 551: "5.1.6 The mailbox has moved",
            552: "5.2.2 The mailbox is full", 553: "5.1.3 That is no address here",
            554: "5.7.1 Not wanted here",
        ]
        return "\(code) \(known[code] ?? "\(code / 100).0.0 The address asks for it")"
    }

    // 1s…300s
    private static func delay(_ word: Substring) -> Duration? {
        let digits = word.utf8.dropLast()
        guard word.utf8.last == UInt8(ascii: "s"), 1...3 ~= digits.count,
            digits.allSatisfy(\.isDigit), let seconds = Int(word.dropLast()),
            1...secondsLimit ~= seconds
        else { return nil }
        return .seconds(seconds)
    }
}
