import MartletBytes

/// Names a command that was submitted to a session.
public struct CommandID: Hashable, Sendable {
    let number: UInt64
}

/// What a session wants to be written.
public enum SessionOutput: Sendable {
    /// Octets to write; `secrets` are the ranges of them that no log may show.
    case octets([UInt8], secrets: [Range<Int>])
    /// The octets of a source, as they are, to be pulled and written before anything else.
    case source(any OctetSource, CommandID)
}

/// What a session tells its shell.
public enum SessionEvent: Sendable {
    /// The server's first words.
    case greeting(UntaggedCondition)
    /// A command ended; its collector has what came before.
    case completed(CommandID, any ResponseCollector, TaggedResponse)
    /// A command could not be sent; nothing of it was.
    case failed(CommandID, IMAPError)
    /// A login waits for the answer to this challenge, in base64: `respond(_:)`.
    case challenge(CommandID, [UInt8])
    /// The server tells of changes from now on, until `endIdle()`.
    case idling(CommandID)
    /// Something happened that nobody asked for.
    case mailbox(MailboxEvent)
    /// STARTTLS is agreed on: do the handshake, then call `tlsStarted()`.
    case tlsStarts
    /// Compression is agreed on. The octets are the first compressed ones; give the rest inflated to `receive`.
    case compressionStarts([UInt8])
    /// The server says goodbye and will close.
    case closing(ResponseText)
    /// What came, for a log; only with `tracesFrames`.
    case received(ResponseFrame)
}
