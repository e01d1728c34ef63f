import MartletIMAPCore
import MartletMIME

/// Mailboxes, for tests of clients.
extension Sandbox {
    /// The mailboxes of a user, by name: `INBOX` first.
    ///
    /// - Parameter user: a name or whole address. Everybody has mailboxes.
    public func mailboxes(of user: String) async -> [StoredMailbox] {
        let address = shared.mail.rules.address(of: user)
        return await shared.mail.storedMailboxes(of: address)
    }

    /// A mailbox of a user; `nil` where there is none of that name.
    public func mailbox(_ name: String = "INBOX", of user: String) async -> StoredMailbox? {
        guard let mailbox = try? Self.name(name) else { return nil }
        return await shared.mail.stored(mailbox, of: shared.mail.rules.address(of: user))
    }

    /// Puts a message into a mailbox, without SMTP. A mailbox that is not there is made.
    ///
    ///     try await sandbox.append(Array("Subject: Hello\r\n\r\nText\r\n".utf8), of: "bob", flags: [.seen])
    ///
    /// - Parameters:
    ///   - octets: the message. It is kept as it is: its lines should end with CRLF.
    ///   - name: the mailbox.
    ///   - user: whose: a name or whole address.
    ///   - flags: flags and keywords.
    ///   - date: when it arrived; `nil`: now.
    /// - Returns: its UID.
    /// - Throws: `SandboxError` of kind `.mailbox`.
    @discardableResult
    public func append(
        _ octets: [UInt8], to name: String = "INBOX", of user: String, flags: [MessageFlag] = [],
        date: MailDate? = nil
    ) async throws(SandboxError) -> UID {
        let mailbox = try Self.name(name)
        let address = shared.mail.rules.address(of: user)
        do throws(MailProblem) {
            if await shared.mail.mailbox(mailbox, of: address) == nil {
                _ = try await shared.mail.create(mailbox, uses: [], of: address)
            }
            let message = NewMessage(octets: octets, flags: flags, date: date)
            let added = try await shared.mail.append([message], to: mailbox, of: address)
            guard let uid = added.uids.first else { throw .noNumbers }
            return uid
        } catch {
            throw SandboxError(.mailbox, "\(name) of \(address): \(error.words).")
        }
    }

    /// Makes all as at the start: no mail, only the usual mailboxes, the faults of the configuration.
    ///
    /// Clients that are connected stay so: they are told that messages are gone. UIDs are not used again. Who has a mailbox
    /// selected that somebody made is told that it is gone.
    public func reset() async {
        await shared.mail.reset()
        shared.faults.forgetAddresses()
        // They were valid at the start.
        _ = try? shared.faults.add(configuration.faults, replaces: true)
    }

    static func name(_ text: String) throws(SandboxError) -> MailboxName {
        do {
            return try MailSystem.checked(try MailboxName(text))
        } catch {
            throw SandboxError(
                .mailbox,
                "A mailbox cannot be called \"\(text)\". "
                    + ((error as? MailProblem)?.words ?? "Its name is too long") + ".")
        }
    }
}

extension MailSystem {
    /// A mailbox with what its messages say.
    func stored(_ name: MailboxName, of address: String) -> StoredMailbox? {
        let account = account(address)
        return account[name].map { stored($0, of: account) }
    }

    func storedMailboxes(of address: String) -> [StoredMailbox] {
        let account = account(address)
        let names = account.mailboxes.keys.sorted { first, second in
            first == .inbox || second != .inbox && first.text < second.text
        }
        return names.compactMap { name in account[name].map { stored($0, of: account) } }
    }

    private func stored(_ mailbox: Mailbox, of account: Account) -> StoredMailbox {
        StoredMailbox(
            name: mailbox.name.text, id: mailbox.mailboxID.rawValue,
            uidValidity: mailbox.uidValidity, uses: mailbox.uses,
            isSubscribed: account.subscriptions.contains(mailbox.name),
            messages: mailbox.messages.map { message in
                StoredMailbox.Entry(
                    uid: message.uid, flags: message.flags, internalDate: message.internalDate,
                    octets: octets(of: message, in: mailbox.name, of: account.address) ?? [])
            })
    }

    /// Forgets all mail, and all that users made.
    func reset() {
        removeAll()
        for address in addresses {
            let usual = Account.usual.compactMap { text, uses in
                (try? MailboxName(text)).map { (name: $0, uses: uses) }
            }
            let names = account(address).mailboxes.keys.sorted { $0.text > $1.text }
            // Those inside of others come first.
            for name in names where !usual.contains(where: { $0.name == name }) {
                try? delete(name, of: address)
            }
            change(address) { account in
                account.metadata = [:]
                account.subscriptions = Set(usual.map(\.name))
                for name in Array(account.mailboxes.keys) {
                    account.change(name) { mailbox in mailbox.forgetWords() }
                }
            }
            for (name, uses) in usual where account(address)[name] == nil {
                _ = try? create(name, uses: uses, of: address)
            }
        }
    }
}
