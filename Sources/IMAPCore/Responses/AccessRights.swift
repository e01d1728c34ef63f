import MartletBytes

/// Rights by their letters, such as `lrswipkxtea`. RFC 4314 §2.1.
public struct AccessRights: Hashable, Sendable, CustomStringConvertible {
    /// The letters, as they were written.
    public var letters: String

    /// Makes one.
    public init(_ letters: String) { self.letters = letters }

    /// Whether the right with that letter is among them.
    public func contains(_ letter: Character) -> Bool { letters.contains(letter) }

    /// The letters.
    public var description: String { letters }
}

/// Who may do what in a mailbox. RFC 4314 §3.6.
public struct ACLResponse: Hashable, Sendable {
    /// Somebody's rights.
    public struct Entry: Hashable, Sendable {
        /// Who, such as a user's name or `anyone`; with a minus sign in front the rights are taken.
        public var identifier: String
        /// The rights.
        public var rights: AccessRights

        /// Makes one.
        public init(identifier: String, rights: AccessRights) {
            self.identifier = identifier
            self.rights = rights
        }
    }

    /// The mailbox.
    public var mailbox: MailboxName
    /// Everybody who has rights.
    public var entries: [Entry]

    /// Makes one.
    public init(mailbox: MailboxName, entries: [Entry]) {
        self.mailbox = mailbox
        self.entries = entries
    }
}

/// Which rights somebody can be given. RFC 4314 §3.7.
public struct ListRightsResponse: Hashable, Sendable {
    /// The mailbox.
    public var mailbox: MailboxName
    /// Who.
    public var identifier: String
    /// The rights that somebody always has.
    public var required: AccessRights
    /// Rights that can be given; those of one group only together.
    public var optional: [AccessRights]

    /// Makes one.
    public init(
        mailbox: MailboxName, identifier: String, required: AccessRights, optional: [AccessRights]
    ) {
        self.mailbox = mailbox
        self.identifier = identifier
        self.required = required
        self.optional = optional
    }
}

/// What the user may do in a mailbox. RFC 4314 §3.8.
public struct MyRightsResponse: Hashable, Sendable {
    /// The mailbox.
    public var mailbox: MailboxName
    /// The rights.
    public var rights: AccessRights

    /// Makes one.
    public init(mailbox: MailboxName, rights: AccessRights) {
        self.mailbox = mailbox
        self.rights = rights
    }
}

extension IMAPCursor {
    // acl-data = "ACL" SP mailbox *(SP identifier SP rights)
    mutating func aclResponse() throws(ParseFailure) -> ACLResponse {
        var response = ACLResponse(mailbox: try mailbox(), entries: [])
        try elementsToEnd { cursor throws(ParseFailure) in
            let identifier = try cursor.astring().text
            try cursor.space()
            response.entries.append(
                .init(identifier: identifier, rights: AccessRights(try cursor.astring().text)))
        }
        return response
    }

    // listrights-data = "LISTRIGHTS" SP mailbox SP identifier SP rights *(SP rights)
    mutating func listRightsResponse() throws(ParseFailure) -> ListRightsResponse {
        let mailbox = try mailbox()
        try space()
        let identifier = try astring().text
        try space()
        var response = ListRightsResponse(
            mailbox: mailbox, identifier: identifier, required: AccessRights(try astring().text),
            optional: [])
        try elementsToEnd { cursor throws(ParseFailure) in
            response.optional.append(AccessRights(try cursor.astring().text))
        }
        return response
    }

    // myrights-data = "MYRIGHTS" SP mailbox SP rights
    mutating func myRightsResponse() throws(ParseFailure) -> MyRightsResponse {
        let mailbox = try mailbox()
        try space()
        return MyRightsResponse(mailbox: mailbox, rights: AccessRights(try astring().text))
    }
}
