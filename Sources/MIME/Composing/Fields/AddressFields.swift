import MartletBytes

/// The address fields of a header, their domains as the server can take them.
///
/// All are looked at before one is written: an address in one field that only SMTPUTF8 servers take makes
/// all of them UTF-8.
struct AddressFields {
    private struct Field {
        var name: String
        var mailboxes: [MailboxAddress]
        var groups: [MailboxGroup]
    }

    private let options: RenderingOptions
    private var fields: [Field] = []
    /// Whether a local part is not ASCII.
    private(set) var needsSMTPUTF8 = false

    init(options: RenderingOptions) { self.options = options }

    /// Adds a field; one without addresses is left out.
    mutating func add(
        _ name: String, _ mailboxes: [MailboxAddress], _ groups: [MailboxGroup] = []
    ) throws(CompositionError) {
        guard !mailboxes.isEmpty || !groups.isEmpty else { return }
        let all = groups.isEmpty ? mailboxes : mailboxes + groups.flatMap(\.members)
        if let mailbox = all.first(where: \.needsSMTPUTF8) {
            guard options.allowsUTF8Headers else {
                throw CompositionError(.needsSMTPUTF8, field: name, value: mailbox.addrSpec)
            }
            needsSMTPUTF8 = true
        }
        fields.append(Field(name: name, mailboxes: mailboxes, groups: groups))
    }

    /// Writes all fields.
    func write(into writer: inout HeaderWriter) throws(CompositionError) {
        for field in fields {
            var groups: [MailboxGroup] = []
            for var group in field.groups {
                group.members = try resolved(group.members, field: field.name)
                groups.append(group)
            }
            try writer.field(
                field.name, mailboxes: try resolved(field.mailboxes, field: field.name),
                groups: groups)
        }
    }

    /// The mailboxes with domains as the server can take them.
    private func resolved(
        _ mailboxes: [MailboxAddress], field: String
    ) throws(CompositionError) -> [MailboxAddress] {
        if needsSMTPUTF8 || mailboxes.allSatisfy({ isASCII($0.domain) }) { return mailboxes }
        var resolved: [MailboxAddress] = []
        for mailbox in mailboxes {
            guard !isASCII(mailbox.domain) else {
                resolved.append(mailbox)
                continue
            }
            do {
                let domain = try options.domainToASCII(mailbox.domain)
                guard isASCII(domain) else {
                    throw CompositionError(.invalidDomain, field: field, value: mailbox.domain)
                }
                resolved.append(try mailbox.replacingDomain(domain))
            } catch {
                throw CompositionError(
                    .invalidDomain, field: field, value: mailbox.domain, underlying: error)
            }
        }
        return resolved
    }

    private func isASCII(_ text: String) -> Bool { text.utf8.allSatisfy { $0 < 0x80 } }
}
