import MartletBytes

/// Annotations of a mailbox or of the server. RFC 5464 §4.4.
public struct MetadataResponse: Hashable, Sendable {
    /// An annotation.
    public struct Entry: Hashable, Sendable {
        /// Its name, such as `/shared/comment`.
        public var name: String
        /// Its value.
        public var value: MessageData

        /// Makes one.
        public init(name: String, value: MessageData) {
            self.name = name
            self.value = value
        }
    }

    /// The mailbox; `nil` for the server.
    public var mailbox: MailboxName?
    /// The annotations asked for. Empty where only the names of changed ones are told.
    public var entries: [Entry]
    /// The names of annotations that changed. RFC 5464 §4.4.2.
    public var changedNames: [String]

    /// Makes one.
    public init(mailbox: MailboxName?, entries: [Entry] = [], changedNames: [String] = []) {
        self.mailbox = mailbox
        self.entries = entries
        self.changedNames = changedNames
    }
}

extension IMAPCursor {
    // metadata-resp = "METADATA" SP mailbox SP (entry-values / entry-list) ; RFC 5464 §5
    mutating func metadataResponse() throws(ParseFailure) -> MetadataResponse {
        let name = try astring()
        var response = MetadataResponse(
            mailbox: name.isEmpty ? nil : MailboxName(wire: name, isUTF8: isUTF8))
        skipSpaces()
        guard next == UInt8(ascii: "(") else {
            try elementsToEnd { cursor throws(ParseFailure) in
                response.changedNames.append(try cursor.astring().text)
            }
            return response
        }
        try list { cursor throws(ParseFailure) in
            let name = try cursor.astring().text
            try cursor.space()
            response.entries.append(.init(name: name, value: try cursor.nstringData()))
        }
        return response
    }
}
