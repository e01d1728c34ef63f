import MartletSMTPCore

extension Sandbox {
    /// What happens in a sandbox, for a person who watches.
    public enum Event: Sendable {
        /// A message was taken.
        case message(StoredMessage)
        /// The oldest messages went, since memory was full.
        case dropped(count: Int)
        /// A login was refused.
        case loginRefused(user: String)
        /// TLS could not be started with a client.
        case tlsFailed(client: String, reason: String)
        /// A fault struck.
        case fault(FaultStrike)
    }
}
