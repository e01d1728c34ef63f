import MartletBytes

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

extension IMAPCursor {
    // "NAMESPACE" SP namespace SP namespace SP namespace
    /// QUIRK(short-namespace): those at the end may be missing.
    mutating func namespaceResponse() throws(ParseFailure) -> NamespaceResponse {
        var response = NamespaceResponse()
        response.personal = try namespaces()
        response.otherUsers = try namespaces()
        response.shared = try namespaces()
        return response
    }

    // namespace = nil / "(" 1*namespace-descr ")"
    private mutating func namespaces() throws(ParseFailure) -> [NamespaceResponse.Namespace] {
        skipSpaces()
        if isAtEnd || nilIfPresent() { return [] }
        var namespaces: [NamespaceResponse.Namespace] = []
        try list { cursor throws(ParseFailure) in namespaces.append(try cursor.namespace()) }
        return namespaces
    }

    // namespace-descr = "(" string SP (DQUOTE QUOTED-CHAR DQUOTE / nil) [namespace-response-extensions] ")"
    private mutating func namespace() throws(ParseFailure) -> NamespaceResponse.Namespace {
        try expect(UInt8(ascii: "("), "\"(\"")
        let prefix = MailboxName(wire: try nstring() ?? [], isUTF8: isUTF8)
        skipSpaces()
        var namespace = NamespaceResponse.Namespace(
            prefix: prefix, delimiter: next == UInt8(ascii: ")") ? nil : try delimiter())
        try elements(until: UInt8(ascii: ")")) { cursor throws(ParseFailure) in
            namespace.extensions.append(try cursor.extendedItem())
        }
        return namespace
    }
}
