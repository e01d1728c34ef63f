/// A moment at which faults can strike.
struct FaultOccasion: Sendable {
    var spoken: SandboxProtocol
    /// A command in upper case, `GREETING`, `LOGIN`, `DOT` or `CAPABILITIES`.
    var moment: String
    /// Who is logged in, or is about to be: a whole address.
    var user: String?
    /// To whom mail goes: whole addresses.
    var recipients: [String] = []
    /// The name of the mailbox that it is about.
    var mailbox: String?

    /// Whether a fault that names no command can strike here.
    var isCommand: Bool { !["GREETING", "LOGIN", "DOT", "CAPABILITIES"].contains(moment) }
}

extension Sandbox.Fault {
    /// Whether all conditions hold, where it is a protocol in which they can.
    ///
    /// - Parameter address: makes a name a whole address.
    func holds(at occasion: FaultOccasion, _ address: (String) -> String) -> Bool {
        guard fits(occasion) else {
            return false
        }
        func matches(_ pattern: String, _ text: String) -> Bool {
            // A name stands for its address; a pattern says itself where the @ is.
            let pattern = pattern.contains("*") ? pattern : address(pattern)
            return Wildcard(pattern).matches(text)
        }
        if let user {
            guard let who = occasion.user, matches(user, who) else { return false }
        }
        if let recipient {
            guard occasion.recipients.contains(where: { matches(recipient, $0) }) else {
                return false
            }
        }
        if let mailbox {
            guard let name = occasion.mailbox, Wildcard(mailbox).matches(name) else { return false }
        }
        return true
    }

    /// Whether the action has a place there.
    private func fits(_ occasion: FaultOccasion) -> Bool {
        switch action {
        case .capabilities: return occasion.moment == "CAPABILITIES"
        case .preauthenticate: return occasion.moment == "GREETING"
        case .cut where moment == nil: return occasion.spoken.readers.contains(occasion.moment)
        case .renewUIDs where occasion.mailbox == nil: return false
        default: break
        }
        switch moment {
        case nil: return occasion.isCommand || recipient != nil && occasion.moment == "DOT"
        case occasion.moment: return true
        case let command?: return "UID " + command == occasion.moment
        }
    }
}

/// A text with `*` for anything, compared without the case of ASCII.
struct Wildcard {
    private let pattern: [UInt8]

    init(_ pattern: String) { self.pattern = pattern.utf8.map(\.lowercased) }

    /// Goes back to the last `*` only: no more steps than pattern times text.
    func matches(_ text: String) -> Bool {
        let text = text.utf8.map(\.lowercased)
        var (place, index) = (0, 0)
        var star: (place: Int, index: Int)?
        while index < text.count {
            if place < pattern.count, pattern[place] == UInt8(ascii: "*") {
                star = (place, index)
                place += 1
            } else if place < pattern.count, pattern[place] == text[index] {
                place += 1
                index += 1
            } else if let last = star {
                star = (last.place, last.index + 1)
                place = last.place + 1
                index = last.index + 1
            } else {
                return false
            }
        }
        return pattern[place...].allSatisfy { $0 == UInt8(ascii: "*") }
    }
}
