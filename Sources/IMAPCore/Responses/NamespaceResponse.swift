/// Where a server keeps whose mailboxes. RFC 2342 §5, RFC 9051 §7.3.6.
public struct NamespaceResponse: Hashable, Sendable {
    /// A place where mailboxes are.
    public struct Namespace: Hashable, Sendable {
        /// What names in it begin with, the delimiter included; empty for names that begin with nothing.
        public var prefix: MailboxName
        /// What stands between the levels of names, an ASCII character; `nil` where they have no levels.
        public var delimiter: UInt8?
        /// What is not known here.
        public var extensions: [ExtendedItem]

        /// Makes one.
        public init(prefix: MailboxName, delimiter: UInt8?, extensions: [ExtendedItem] = []) {
            self.prefix = prefix
            self.delimiter = delimiter
            self.extensions = extensions
        }
    }

    /// The user's own.
    public var personal: [Namespace]
    /// Other users'.
    public var otherUsers: [Namespace]
    /// Shared ones.
    public var shared: [Namespace]

    /// Makes one.
    public init(
        personal: [Namespace] = [], otherUsers: [Namespace] = [], shared: [Namespace] = []
    ) {
        self.personal = personal
        self.otherUsers = otherUsers
        self.shared = shared
    }
}
