/// Which messages a command is for.
public enum MessageSelection<Number: MessageNumber>: Hashable, Sendable {
    /// Those with these numbers. An empty set cannot be sent.
    case numbers(MessageNumberSet<Number>)
    /// `$`: those that the last search with `SAVE` found. RFC 5182 §2.1.
    case searchResult

    /// Whether a message with this number may be meant. Of `$` and `*` alone that cannot be told: any.
    func mayHold(_ number: Number) -> Bool {
        switch self {
        case .numbers(let set): set.openEnd == .last || set.contains(number)
        case .searchResult: true
        }
    }

    /// The numbers, where all of them can be told.
    var closedSet: MessageNumberSet<Number>? {
        guard case .numbers(let set) = self, set.openEnd == nil else { return nil }
        return set
    }
}

extension CommandOrder {
    /// What commands need that name messages by `number`.
    ///
    /// - Parameter keeps: whether servers keep sequence numbers as they are during the form without UID.
    static func naming<Number: MessageNumber>(_: Number.Type, keeps: Bool) -> CommandOrder {
        guard !Number.isUID else { return [] }
        return keeps ? [.usesSequenceNumbers, .keepsSequenceNumbers] : .usesSequenceNumbers
    }
}
