/// Who sends and who receives, as the servers see it: independent of the message's header. RFC 5321 §2.3.1.
public struct DeliveryEnvelope: Hashable, Sendable {
    /// Where failure notices go.
    public var reversePath: ReversePath
    /// The recipients (To, Cc and Bcc together), in the order in which they are named to the server.
    public var forwardPaths: [ForwardPath]

    /// Makes an envelope. One without recipients is refused when it is sent.
    public init(reversePath: ReversePath, forwardPaths: [ForwardPath]) {
        self.reversePath = reversePath
        self.forwardPaths = forwardPaths
    }
}
