/// What stands in the brackets of a status response, for programs. RFC 9051 §7.1, RFC 5530 §3, IANA "IMAP Response Codes".
///
/// A code that is malformed is `other` with its text: the response that it stands in is read all the same.
public enum ResponseCode: Hashable, Sendable {
    // RFC 9051 §7.1, RFC 3501 §7.1

    /// The words must be shown to the user.
    case alert
    /// The charset of a search is not known; those that are, if the server says.
    case badCharset([String])
    /// What the server can do, without being asked.
    case capability([Capability])
    /// A message's header could not be read by the server.
    case parse
    /// The flags that a client can change for good.
    case permanentFlags([MessageFlag])
    /// The mailbox was opened for reading only.
    case readOnly
    /// The mailbox was opened for reading and writing.
    case readWrite
    /// The mailbox does not exist and could be made.
    case tryCreate
    /// The UID that the next message will have, or a larger one.
    case uidNext(UID)
    /// Whether known UIDs are still valid.
    case uidValidity(UIDValidity)
    /// The first message without `\Seen`.
    case unseen(SequenceNumber)
    /// The mailbox has others inside of it and cannot be deleted.
    case hasChildren
    /// The transfer encoding of a part is not known.
    case unknownCTE
    /// The result of a search was not kept for `$`. RFC 5182.
    case notSaved

    // UIDPLUS, RFC 9051 §7.1, RFC 4315

    /// The UIDs that appended messages got, in their order.
    case appendUID(UIDValidity, MessageNumberList)
    /// The UIDs that copied messages had and got.
    case copyUID(CopiedUIDs)
    /// UIDs change with each session.
    case uidNotSticky

    // CONDSTORE and QRESYNC, RFC 7162

    /// The highest mod-sequence in the mailbox.
    case highestModSeq(ModSequence)
    /// The mailbox keeps no mod-sequences.
    case noModSeq
    /// Messages that somebody else had changed; UIDs in the answer to a UID command, else sequence numbers.
    case modified(MessageNumberList)
    /// The mailbox that was selected is so no longer; what follows is about the next one.
    case closed

    // RFC 5530 §3

    /// For now, a part of the server does not work.
    case unavailable
    /// Name or password were wrong.
    case authenticationFailed
    /// The login was right, and may not act for the other user.
    case authorizationFailed
    /// The password has expired.
    case expired
    /// Not without encryption.
    case privacyRequired
    /// The administrator has to be asked.
    case contactAdmin
    /// Access rights forbid it.
    case noPermission
    /// Somebody else uses it.
    case inUse
    /// Somebody else removed messages.
    case expungeIssued
    /// The server's data are damaged.
    case corruption
    /// A fault of the server's.
    case serverBug
    /// A fault of the client's.
    case clientBug
    /// Can never be done.
    case cannot
    /// A limit of the server's.
    case limit
    /// A quota is full. RFC 5530 §3, RFC 9208 §4.3.
    case overQuota
    /// It exists already.
    case alreadyExists
    /// It does not exist.
    case nonexistent

    // More extensions

    /// The message is too large. RFC 4469 §5, RFC 7889 §4.
    case tooBig
    /// A URL in APPEND cannot be used. RFC 4469 §4.2.
    case badURL(String)
    /// The connection is compressed already. RFC 4978 §3.
    case compressionActive
    /// The use of a mailbox that is to be made cannot be set. RFC 6154 §3.
    case useAttribute
    /// About annotations. RFC 5464 §4.2.1, §4.3.
    case metadata(MetadataCode)
    /// The server no longer notifies. RFC 5465 §5.8.
    case notificationOverflow
    /// Events that the server does not know; those that it does. RFC 5465 §5.
    case badEvent([String])
    /// The server does not update a search's result; the tag of its command. RFC 5267 §4.3.
    case noUpdate(tag: String)
    /// The filter does not exist. RFC 5466 §3.1.
    case undefinedFilter(String)
    /// No comparator fits. RFC 5255 §4.9.
    case badComparator
    /// It is elsewhere. RFC 2193 §4, RFC 2221 §4.
    case referral(String)
    /// How far a command is. RFC 9585 §4.
    case inProgress(CommandProgress)
    /// A command touched more messages than allowed at once. RFC 9738 §3.
    case messageLimit(MessageLimit)
    /// Sequence numbers are switched off. RFC 9586 §3.
    case uidRequired
    /// The mailbox's lasting identifier. RFC 8474 §4.
    case mailboxID(ObjectID)
    /// Methods of URLAUTH. RFC 4467 §9.
    case urlMechanism(text: String)
    /// Too much was asked for in a time. Gmail.
    case throttled
    /// The user must visit a page; its URL, if there is one. Gmail.
    case webAlert(String)

    /// Any other, or one that is malformed: its name in upper case, and what stands behind a space.
    case other(name: String, octets: [UInt8])
}

/// The UIDs that messages had and that their copies got, in the same order. RFC 9051 §7.1 `COPYUID`.
public struct CopiedUIDs: Hashable, Sendable {
    /// Of the mailbox that they were copied to.
    public var uidValidity: UIDValidity
    /// The UIDs of the messages.
    public var source: MessageNumberList
    /// The UIDs of their copies.
    public var destination: MessageNumberList

    /// Makes one.
    public init(
        uidValidity: UIDValidity, source: MessageNumberList, destination: MessageNumberList
    ) {
        self.uidValidity = uidValidity
        self.source = source
        self.destination = destination
    }
}

/// What a code says about annotations. RFC 5464 §4.2.1, §4.3.
public enum MetadataCode: Hashable, Sendable {
    /// Values were left out since they are larger than asked for: the size of the largest.
    case longEntries(UInt64)
    /// The value is larger than this many octets.
    case maximumSize(UInt64)
    /// There are too many annotations.
    case tooMany
    /// Private annotations are not offered.
    case noPrivate
}

/// How far a command is. RFC 9585 §4.
public struct CommandProgress: Hashable, Sendable {
    /// The command's tag, if the server says.
    public var tag: String?
    /// What is done.
    public var progress: UInt32?
    /// What there is to do.
    public var goal: UInt32?

    /// Makes one.
    public init(tag: String? = nil, progress: UInt32? = nil, goal: UInt32? = nil) {
        self.tag = tag
        self.progress = progress
        self.goal = goal
    }
}

/// What a code says about a limit of messages. RFC 9738 §3.
public struct MessageLimit: Hashable, Sendable {
    /// How many messages one command may touch.
    public var limit: UInt32
    /// The lowest UID that was done, where not all were.
    public var lowestUID: UID?

    /// Makes one.
    public init(limit: UInt32, lowestUID: UID? = nil) {
        self.limit = limit
        self.lowestUID = lowestUID
    }
}
