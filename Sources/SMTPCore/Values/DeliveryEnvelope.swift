import MartletMIME

/// Who sends and who receives, as the servers see it: independent of the message's header. RFC 5321 §2.3.1.
public struct DeliveryEnvelope: Hashable, Sendable {
    /// Where failure notices go.
    public var reversePath: ReversePath
    /// The recipients (To, Cc and Bcc together), in the order in which they are named to the server.
    public var forwardPaths: [ForwardPath]
    /// The name under which delivery reports shall speak of the message, told to servers that offer DSN (RFC 3461 §4.4).
    /// Other servers are not told, and their reports have no such name.
    public var envelopeID: EnvelopeID?

    /// Makes an envelope. One without recipients is refused when it is sent.
    public init(
        reversePath: ReversePath, forwardPaths: [ForwardPath], envelopeID: EnvelopeID? = nil
    ) {
        self.reversePath = reversePath
        self.forwardPaths = forwardPaths
        self.envelopeID = envelopeID
    }
}
