/// Mailboxes under a common name, `group` of RFC 5322 §3.4: `Friends: a@example.org, b@example.org;`.
///
/// Without members it stands for recipients whom the message does not name:
/// `try MailboxGroup("undisclosed-recipients")`.
public struct MailboxGroup: Hashable, Sendable {
    /// The name, unquoted and decoded; never empty, without control characters.
    public let name: String
    /// The mailboxes.
    public var members: [MailboxAddress]

    /// Makes a group.
    ///
    /// - Throws: `CompositionError`, to be mended by the caller, when the name is empty, longer than
    ///   `MailboxAddress.displayNameLimitInOctets` or has a control character.
    public init(_ name: String, members: [MailboxAddress] = []) throws(CompositionError) {
        try refuseLineBreaks(in: name, field: Self.field)
        guard !name.isEmpty, !hasControlCharacter(name) else {
            throw CompositionError(.invalid, field: Self.field, value: name)
        }
        let limit = MailboxAddress.displayNameLimitInOctets
        guard name.utf8.count <= limit else {
            throw CompositionError(.tooLong(limit: limit), field: Self.field)
        }
        self.name = name
        self.members = members
    }

    private static let field = "The name of a group"
}
