/// One message of a maildrop, as a session lists it.
public struct MaildropMessage: Hashable, Sendable {
    /// From 1 on. It holds for this session only: the next may count otherwise. RFC 1939 §4.
    public var number: Int
    /// Octets of the message; `nil` where the server does not say, or says nonsense.
    public var sizeInOctets: Int?
    /// What names the message in every session; `nil` where the server has no such names.
    public var uniqueID: UniqueID?

    /// Makes a message.
    public init(number: Int, sizeInOctets: Int? = nil, uniqueID: UniqueID? = nil) {
        self.number = number
        self.sizeInOctets = sizeInOctets
        self.uniqueID = uniqueID
    }
}
