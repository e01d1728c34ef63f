/// What is known of the mailbox that is selected. RFC 9051 §6.3.2.
public struct SelectedMailbox: Sendable {
    /// Its name.
    public let name: MailboxName
    /// Whether it was opened for reading only.
    public internal(set) var isReadOnly = false
    /// Whether UIDs known before are still valid.
    public internal(set) var uidValidity: UIDValidity?
    /// The UID that the next message will have, or a larger one.
    public internal(set) var uidNext: UID?
    /// The first message without `\Seen`, when it was selected.
    public internal(set) var firstUnseen: SequenceNumber?
    /// How many messages are new to this session. RFC 3501 §7.3.2.
    public internal(set) var recentCount: UInt32 = 0
    /// The flags that messages can have.
    public internal(set) var flags: [MessageFlag] = []
    /// The flags that a client can change for good; `nil`: all of `flags`. RFC 9051 §7.1.
    public internal(set) var permanentFlags: [MessageFlag]?
    /// The highest mod-sequence; `nil` where the mailbox keeps none. RFC 7162.
    public internal(set) var highestModSeq: ModSequence?
    /// Its lasting identifier. RFC 8474.
    public internal(set) var mailboxID: ObjectID?
    /// Whether UIDs change with each session. RFC 4315.
    public internal(set) var uidsAreSticky = true
    var numbering = MessageNumbering()

    init(name: MailboxName) { self.name = name }

    /// How many messages it has.
    public var messageCount: Int { numbering.count }

    /// The UID of a message, if it was heard of.
    public func uid(of number: SequenceNumber) -> UID? { numbering.uid(of: number) }

    /// Takes note of a code that came with a response.
    mutating func note(_ code: ResponseCode) {
        switch code {
        case .readOnly: isReadOnly = true
        case .readWrite: isReadOnly = false
        case .uidValidity(let value): uidValidity = value
        case .uidNext(let value): uidNext = value
        case .unseen(let number): firstUnseen = number
        case .permanentFlags(let flags): permanentFlags = flags
        case .highestModSeq(let value):
            // QUIRK(gmail-modseq-zero): 0 is what no mailbox can have; it means none.
            highestModSeq = value.rawValue > 0 ? value : nil
        case .noModSeq: highestModSeq = nil
        case .mailboxID(let id): mailboxID = id
        case .uidNotSticky: uidsAreSticky = false
        default: break
        }
    }
}
