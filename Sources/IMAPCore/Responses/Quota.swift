import MartletBytes

/// What may be used of something, and what is. RFC 9208 §4.2.1.
public struct QuotaResponse: Hashable, Sendable {
    /// Something that is limited.
    public struct Resource: Hashable, Sendable {
        /// What it is in upper case: `STORAGE` (units of 1,024 octets), `MESSAGE`, `MAILBOX`, `ANNOTATION-STORAGE`, or
        /// another.
        public var name: String
        /// What is used of it.
        public var usage: UInt64
        /// What may be used of it.
        public var limit: UInt64

        /// Makes one.
        public init(name: String, usage: UInt64, limit: UInt64) {
            self.name = name
            self.usage = usage
            self.limit = limit
        }
    }

    /// The name of the quota's root, often empty.
    public var root: String
    /// What is limited.
    public var resources: [Resource]

    /// Makes one.
    public init(root: String, resources: [Resource]) {
        self.root = root
        self.resources = resources
    }
}

/// The quota roots that count for a mailbox. RFC 9208 §4.2.2.
public struct QuotaRootResponse: Hashable, Sendable {
    /// The mailbox.
    public var mailbox: MailboxName
    /// Its quota roots' names.
    public var roots: [String]

    /// Makes one.
    public init(mailbox: MailboxName, roots: [String]) {
        self.mailbox = mailbox
        self.roots = roots
    }
}

extension IMAPCursor {
    // quota-response = "QUOTA" SP quota-root-name SP quota-list
    mutating func quotaResponse() throws(ParseFailure) -> QuotaResponse {
        var response = QuotaResponse(root: try name(before: UInt8(ascii: "(")).text, resources: [])
        skipSpaces()
        // quota-resource = resource-name SP resource-usage SP resource-limit
        try list { cursor throws(ParseFailure) in
            let name = try cursor.astring().uppercasedText
            try cursor.space()
            let usage = try cursor.quotaNumber()
            try cursor.space()
            response.resources.append(
                .init(name: name, usage: usage, limit: try cursor.quotaNumber()))
        }
        return response
    }

    /// A number; -1, by which some mean "none", is the largest.
    private mutating func quotaNumber() throws(ParseFailure) -> UInt64 {
        guard takeIfPresent(UInt8(ascii: "-")) else { return try number64() }
        _ = try number64()
        return UInt64(Int64.max)
    }

    // quotaroot-response = "QUOTAROOT" SP mailbox *(SP quota-root-name)
    mutating func quotaRootResponse() throws(ParseFailure) -> QuotaRootResponse {
        var response = QuotaRootResponse(mailbox: try mailbox(), roots: [])
        try elementsToEnd { cursor throws(ParseFailure) in
            response.roots.append(try cursor.astring().text)
        }
        return response
    }
}
