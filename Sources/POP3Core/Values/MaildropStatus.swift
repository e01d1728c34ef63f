/// What `STAT` says: how many messages there are and what they take together. RFC 1939 §5.
public struct MaildropStatus: Hashable, Sendable {
    /// Messages that are not marked for deletion.
    public var messageCount: Int
    /// Octets of them all; `nil` where the server says nonsense.
    public var sizeInOctets: Int?

    /// Makes a status.
    public init(messageCount: Int, sizeInOctets: Int?) {
        self.messageCount = messageCount
        self.sizeInOctets = sizeInOctets
    }
}
