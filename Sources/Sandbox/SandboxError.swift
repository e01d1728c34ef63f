/// What a sandbox cannot do.
public struct SandboxError: Error, Hashable, Sendable, CustomStringConvertible {
    /// What happened.
    public enum Kind: Hashable, Sendable {
        /// A fault that cannot be. Change it as the description says.
        case invalidFault
        /// What was waited for did not happen in time. The description tells what did.
        case timedOut
        /// The sandbox was stopped while somebody waited.
        case stopped
        /// There is no such mailbox, or it cannot be changed.
        case mailbox
    }

    /// What happened.
    public let kind: Kind
    /// What happened and what to do, for people.
    public let description: String

    init(_ kind: Kind, _ description: String) {
        self.kind = kind
        self.description = description
    }
}
