import MartletIMAPCore

/// Somebody's mailboxes.
struct Account: Sendable {
    /// Mailboxes of an account, at most.
    static let mailboxLimit = 10_000
    /// Levels of a mailbox's name, at most.
    static let levelLimit = 30
    /// What parts the levels of a name.
    static let delimiter: UInt8 = 0x2F

    /// Whose: a whole address in lower case.
    let address: String
    private(set) var mailboxes: [MailboxName: Mailbox] = [:]
    var subscriptions: Set<MailboxName>
    /// Annotations of the account by their names in lower case. RFC 5464.
    var metadata: [String: [UInt8]] = [:]
    /// Whether somebody has the maildrop open by POP3. RFC 1939 §8.
    var isMaildropLocked = false
    /// Goes up with each change of any mailbox.
    private(set) var changeCount = 0

    /// What a new account has, by what it is for.
    static let usual: [(name: String, uses: [MailboxAttribute])] = [
        ("INBOX", []), ("Archive", [.archive]), ("Drafts", [.drafts]), ("Junk", [.junk]),
        ("Sent", [.sent]), ("Trash", [.trash]),
    ]

    init(address: String) {
        self.address = address
        subscriptions = Set(Self.usual.compactMap { try? MailboxName($0.name) })
    }

    /// The mailbox of that name.
    subscript(name: MailboxName) -> Mailbox? {
        get { mailboxes[name] }
        set {
            mailboxes[name] = newValue
            changeCount += 1
        }
    }

    /// Changes a mailbox in its place.
    ///
    /// - Parameter quietly: whether it is no change that anybody sees.
    mutating func change<Result>(
        _ name: MailboxName, quietly: Bool = false, _ body: (inout Mailbox) throws -> Result
    ) rethrows -> Result? {
        guard let index = mailboxes.index(forKey: name) else { return nil }
        if !quietly { changeCount += 1 }
        return try body(&mailboxes.values[index])
    }

    /// The names below a mailbox, at any depth.
    func names(below name: MailboxName) -> [MailboxName] {
        let prefix = name.text + "/"
        return mailboxes.keys.filter { $0.text.utf8.starts(with: prefix.utf8) }
    }

    /// Octets of all messages.
    var sizeInOctets: Int { mailboxes.values.reduce(0) { $0 + $1.sizeInOctets } }
    /// Messages in all mailboxes.
    var messageCount: Int { mailboxes.values.reduce(0) { $0 + $1.messages.count } }
}
