import MartletIMAPCore

/// Quota, access rights, annotations: thin calls; every command is there as a type, too, for `run`.
extension IMAPClient {
    /// What may be used of the account, and what is, as it counts for a mailbox; none where the server keeps none. RFC 9208.
    public func quota(of mailbox: MailboxName = .inbox) async throws(IMAPError) -> [QuotaResponse] {
        _ = try await ready()
        guard await capabilities.has(.quota) else { return [] }
        return try await run(IMAP.GetQuotaRoot(mailbox)).quotas
    }

    /// Who may do what in a mailbox. RFC 4314.
    public func accessRights(to mailbox: MailboxName) async throws(IMAPError) -> [ACLResponse.Entry]
    {
        try await run(IMAP.GetACL(mailbox))
    }

    /// What the user may do in a mailbox; all where the server has no ACL. RFC 4314.
    public func ownRights(to mailbox: MailboxName) async throws(IMAPError) -> AccessRights {
        _ = try await ready()
        guard await capabilities.has(.acl) else { return AccessRights("lrswipkxtea") }
        return try await run(IMAP.MyRights(mailbox))
    }

    /// Annotations of a mailbox, or of the server where `mailbox` is `nil`. RFC 5464.
    public func metadata(
        _ entries: [String], of mailbox: MailboxName?
    ) async throws(IMAPError) -> IMAP.GetMetadata.Result {
        try await run(IMAP.GetMetadata(mailbox, entries))
    }

    /// Sets annotations; a value of `nil` removes one. RFC 5464.
    public func setMetadata(
        _ entries: [IMAP.SetMetadata.Entry], of mailbox: MailboxName?
    ) async throws(IMAPError) {
        try await run(IMAP.SetMetadata(mailbox, entries))
    }
}
