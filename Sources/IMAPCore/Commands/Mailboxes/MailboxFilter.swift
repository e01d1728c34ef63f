/// Which mailboxes a notification or a search of several is for. RFC 5465 §6, RFC 7377 §2.2.
public enum MailboxFilter: Hashable, Sendable {
    /// The selected one; its messages may go at any time. RFC 5465 §6.1.
    case selected
    /// The selected one; messages go when it is safe for sequence numbers. RFC 5465 §6.2. Not in searches.
    case selectedDelayed
    /// Those that mail is delivered to.
    case inboxes
    /// The user's own.
    case personal
    /// Those that are subscribed.
    case subscribed
    /// These and all inside of them.
    case subtree([MailboxName])
    /// These and those directly inside of them. Only in searches: RFC 7377 §2.2.
    case subtreeOne([MailboxName])
    /// These.
    case mailboxes([MailboxName])

    /// Whether it is for the selected mailbox.
    var isSelected: Bool { self == .selected || self == .selectedDelayed }

    /// How many mailboxes it may name.
    public static let nameLimit = 10_000

    func encode(into encoder: inout CommandEncoder) throws(IMAPError) {
        switch self {
        case .selected: encoder.text("SELECTED")
        case .selectedDelayed: encoder.text("SELECTED-DELAYED")
        case .inboxes: encoder.text("INBOXES")
        case .personal: encoder.text("PERSONAL")
        case .subscribed: encoder.text("SUBSCRIBED")
        case .subtree(let names): try Self.encode("SUBTREE ", names, into: &encoder)
        case .subtreeOne(let names): try Self.encode("SUBTREE-ONE ", names, into: &encoder)
        case .mailboxes(let names): try Self.encode("MAILBOXES ", names, into: &encoder)
        }
    }

    private static func encode(
        _ word: StaticString, _ names: [MailboxName], into encoder: inout CommandEncoder
    ) throws(IMAPError) {
        guard !names.isEmpty, names.count <= nameLimit else {
            throw .invalidInput("a filter needs 1 to \(nameLimit) mailboxes")
        }
        encoder.text(word)
        if names.count == 1 {
            encoder.mailbox(names[0])
        } else {
            encoder.list(names) { $0.mailbox($1) }
        }
    }
}
