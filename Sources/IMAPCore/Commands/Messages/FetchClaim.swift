/// Tells the answers to a FETCH from what servers say unasked.
///
/// It is the same type for both kinds of numbers, of which it keeps what they say: this runs for each row of many.
struct FetchClaim: Sendable {
    // In the place of sequence numbers there are UIDs that say the same.
    private let messages: MessageSelection<UID>
    private let isByUID: Bool
    private let attributes: [FetchAttribute]
    /// Whether the answers name all messages asked for.
    private let isComplete: Bool
    private var answered: [UInt32] = []

    /// Rows in answer to one command, at most.
    static let rowLimit = 1 << 24

    init<Number>(_ command: IMAP.Fetch<Number>) {
        self.init(
            command.messages, command.attributes,
            isComplete: command.changedSince == nil && command.partial == nil)
    }

    init<Number>(
        _ messages: MessageSelection<Number>, _ attributes: [FetchAttribute],
        isComplete: Bool = true
    ) {
        switch messages {
        case .numbers(let set): self.messages = .numbers(MessageNumberSet(valuesOf: set))
        case .searchResult: self.messages = .searchResult
        }
        isByUID = Number.isUID
        self.attributes = attributes
        self.isComplete = isComplete
    }

    /// Whether a row holds something that was asked for, of a message that was asked for. Then it is noted.
    mutating func claims(_ row: FetchResponse) -> Bool {
        var isAnswer = false
        var isOurs = false
        search: for item in row.items {
            for attribute in attributes where attribute.isAnswered(by: item) {
                isAnswer = true
                guard attribute.isToldUnasked else {
                    isOurs = true
                    break search
                }
            }
        }
        guard isAnswer else { return false }
        guard let number = number(of: row) else {
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
        guard let number = value(damaged.uid, damaged.number) else { return true }
        guard messages.mayHold(number) || endsOpen else { return false }
        answered.append(number.rawValue)
        return true
    }

    /// Whether large data that come are of an item and a message that were asked for.
    func claims(_ owner: LiteralOwner) -> Bool {
        guard let item = owner.item, attributes.contains(where: { $0.isAnswered(by: item) }) else {
            return false
        }
        // The UID may stand behind the data.
        guard let number = value(owner.uid, owner.number) else { return true }
        return messages.mayHold(number) || endsOpen
    }

    /// The numbers that were named and not answered; `nil` where that cannot be told.
    func missing<Number>(_: Number.Type = Number.self) -> MessageNumberSet<Number>? {
        guard isComplete, let asked = messages.closedSet else { return nil }
        return MessageNumberSet(valuesOf: asked.subtracting(answeredSet))
    }

    /// Set once a server goes on and on.
    var excess: IMAPError? {
        answered.count <= Self.rowLimit
            ? nil
            : IMAPError(kind: .protocolViolation("answers with more than \(Self.rowLimit) rows"))
    }

    /// Whether a message was answered more than once.
    var hasRepetitions: Bool { answeredSet.count != answered.count }

    private var answeredSet: UIDSet { UIDSet(sorted: answered.sorted()) }

    private func number(of row: FetchResponse) -> UID? { value(row.uid, row.number) }

    private func value(_ uid: UID?, _ number: SequenceNumber?) -> UID? {
        isByUID ? uid : number.flatMap { UID($0.rawValue) }
    }
}

extension FetchResponse {
    /// The number by which a FETCH with such numbers asked for the row.
    func number<Number: MessageNumber>(as _: Number.Type) -> UInt32? {
        Number.isUID ? uid?.rawValue : number?.rawValue
    }
}

extension MessageNumberSet {
    /// The numbers of a set as ones of another kind.
    init<Other>(valuesOf other: MessageNumberSet<Other>) {
        ranges = other.ranges
        switch other.openEnd {
        case .last: openEnd = .last
        case .from(let first): openEnd = Number(first.rawValue).map { .from($0) }
        case nil: break
        }
    }
}
