import MartletIMAPCore
import MartletMIME

/// A mailbox of the sandbox as it was when it was asked for.
public struct StoredMailbox: Sendable, Identifiable {
    /// Its name, such as `INBOX` or `Archive/2026`.
    public let name: String
    /// Its name for ever, which stays when it is renamed. RFC 8474.
    public let id: String
    /// Changes when UIDs no longer mean what they did.
    public let uidValidity: UIDValidity
    /// What it is for, such as `\Sent`.
    public let uses: [MailboxAttribute]
    /// Whether the user subscribed to it.
    public let isSubscribed: Bool
    /// Its messages in the order of their UIDs.
    public let messages: [Entry]

    /// For an error: how it is.
    var summary: String {
        guard !messages.isEmpty else { return "no messages." }
        let told = messages.suffix(10).map { message in
            "\(message.uid) (\(message.flags.map(\.rawValue).joined(separator: " ")))"
        }
        return "\(messages.count) messages: \(told.joined(separator: ", "))."
    }

    /// A message in it.
    public struct Entry: Sendable, Identifiable {
        /// Its number in the mailbox.
        public let uid: UID
        /// Its flags and keywords, in the order in which they were set.
        public let flags: [MessageFlag]
        /// When it arrived.
        public let internalDate: MailDate
        /// Octet for octet.
        public let octets: [UInt8]

        /// Its UID.
        public var id: UID { uid }
        /// The message, parsed: each time it is asked for.
        public var message: Message { Message(parsing: octets) }
        /// Whether it is marked as read.
        public var isSeen: Bool { flags.contains(.seen) }
    }
}
