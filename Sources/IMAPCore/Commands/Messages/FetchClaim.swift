/// Tells the answers to a FETCH from what servers say unasked.
struct FetchClaim<Number: MessageNumber>: Sendable {
    let messages: MessageSelection<Number>
    let attributes: [FetchAttribute]
    /// Whether the answers name all messages asked for.
    let isComplete: Bool
    private(set) var answered: [UInt32] = []

    init(_ command: IMAP.Fetch<Number>) {
        messages = command.messages
        attributes = command.attributes
        isComplete = command.changedSince == nil && command.partial == nil
    }

    init(_ messages: MessageSelection<Number>, _ attributes: [FetchAttribute]) {
        self.messages = messages
        self.attributes = attributes
        isComplete = true
    }

    /// Whether a row holds something that was asked for, of a message that was asked for. Then it is noted.
    mutating func claims(_ row: FetchResponse) -> Bool {
        var isAnswer = false
        var isOurs = false
        for item in row.items {
            for attribute in attributes where attribute.isAnswered(by: item) {
                isAnswer = true
                if !attribute.isToldUnasked { isOurs = true }
            }
        }
        guard isAnswer else { return false }
        guard let number = Self.number(of: row) else {
            // QUIRK(fetch-without-uid): what nobody tells unasked is an answer even so.
            return isOurs
        }
        guard messages.mayHold(number) || isOurs && endsOpen else { return false }
        answered.append(number.rawValue)
        return true
    }

    /// `n:*` names the last message even if its number is less than n.
    private var endsOpen: Bool {
        guard case .numbers(let set) = messages else { return true }
        return set.openEnd != nil
    }

    /// Whether a row that could not be read would have been an answer.
    mutating func claims(_ damaged: DamagedResponse) -> Bool {
        guard damaged.name == "FETCH" || damaged.name == "UIDFETCH" else { return false }
        let number = Number.isUID ? damaged.uid?.rawValue : damaged.number?.rawValue
        guard let number = number.flatMap({ Number($0) }) else { return true }
        guard messages.mayHold(number) || endsOpen else { return false }
        answered.append(number.rawValue)
        return true
    }

    /// Whether large data that come are of an item and a message that were asked for.
    func claims(_ owner: LiteralOwner) -> Bool {
        guard let item = owner.item, attributes.contains(where: { $0.isAnswered(by: item) }) else {
            return false
        }
        let number = Number.isUID ? owner.uid?.rawValue : owner.number?.rawValue
        // The UID may stand behind the data.
        guard let number = number.flatMap({ Number($0) }) else { return true }
        return messages.mayHold(number) || endsOpen
    }

    /// The numbers that were named and not answered; `nil` where that cannot be told.
    var missing: MessageNumberSet<Number>? {
        guard isComplete, let asked = messages.closedSet else { return nil }
        return asked.subtracting(answeredSet)
    }

    /// Whether a message was answered more than once.
    var hasRepetitions: Bool { answeredSet.count != answered.count }

    private var answeredSet: MessageNumberSet<Number> {
        MessageNumberSet(sorted: answered.sorted())
    }

    static func number(of row: FetchResponse) -> Number? {
        let number = Number.isUID ? row.uid?.rawValue : row.number?.rawValue
        return number.flatMap { Number($0) }
    }
}
