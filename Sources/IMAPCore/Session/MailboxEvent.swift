/// Something that a server told without being asked, or beside an answer.
public enum MailboxEvent: Sendable {
    /// The mailbox has so many messages now.
    case exists(UInt32)
    /// A message is gone: the number that it had, and its UID if it was known.
    case expunged(SequenceNumber, UID?)
    /// Messages are gone, by UID. RFC 7162 §3.2.10.
    case vanished(UIDSet)
    /// Numbers of messages that were known are void: the server said things that cannot both be true.
    case numbersLost
    /// Something about a message changed, such as its flags.
    case changed(FetchResponse)
    /// The flags that messages can have.
    case flags([MessageFlag])
    /// The flags that a client can change for good.
    case permanentFlags([MessageFlag])
    /// The UID that the next message will have, or a larger one.
    case uidNext(UID)
    /// The highest mod-sequence.
    case highestModSeq(ModSequence)
    /// Another mailbox's numbers. RFC 5465 §5.3.
    case status(MailboxName, MailboxStatus)
    /// A mailbox was made, renamed, deleted or subscribed. RFC 5465 §5.4.
    case mailbox(ListEntry)
    /// Annotations changed. RFC 5464 §4.4.2.
    case metadata(MetadataResponse)
    /// A search's result changed. RFC 5267 §4.3.
    case search(ExtendedSearchResponse)
    /// How far a command is. RFC 9585.
    case progress(CommandProgress)
    /// Words that must be shown to the user. RFC 9051 §7.1 `ALERT`.
    case alert(String)
    /// The server no longer tells of changes in other mailboxes. RFC 5465 §5.8.
    case notificationOverflow
    /// Anything else that was said.
    case other(IMAPResponse)
}
