import MartletBytes
import MartletMIME

extension EnvelopeAddress {
    /// Whether the `host` stands for one that the message does not have.
    ///
    /// QUIRK(placeholder-host): servers that may not leave it out write a word instead.
    public var hasPlaceholderHost: Bool {
        guard let host else { return false }
        return Self.placeholders.contains { host.equalsIgnoringCase($0.utf8) }
    }

    private static let placeholders = [
        ".MISSING-HOST-NAME.", ".SYNTAX-ERROR.", "MISSING_DOMAIN", "unspecified-domain",
        "syntax-error", "missing-host-name", "unknown-host",
    ]

    /// The name beside the address, for people.
    public var displayName: String? {
        guard let name, !name.isEmpty else { return nil }
        let text = HeaderText.decode(name[...]).value
        return text.isEmpty ? nil : text
    }

    /// The address as an entry of a list: one that mail can be sent to, or an invalid one to be shown.
    var entry: AddressList.Entry {
        let local = mailbox.map { $0[...].text } ?? ""
        let domain = hasPlaceholderHost ? "" : host.map { $0[...].text } ?? ""
        if let address = try? MailboxAddress(
            displayName: displayName, localPart: local, domain: domain)
        {
            return .mailbox(address)
        }
        let address = domain.isEmpty ? local : local + "@" + domain
        return .invalid(
            InvalidAddress(
                octets: Array(address.utf8), displayName: displayName,
                address: address.isEmpty ? nil : address))
    }
}

extension AddressList {
    /// The addresses of an envelope, groups among them. RFC 9051 §7.5.2.
    ///
    /// A group that nothing ends goes to the end; the end of none is passed over. Groups in groups come one after the
    /// other.
    public init(_ addresses: [EnvelopeAddress]) {
        var entries: [Entry] = []
        var group: (name: String, members: [Entry])?
        for address in addresses {
            if address.host == nil {
                if let open = group {
                    entries.append(.group(name: open.name, members: open.members))
                }
                group = nil
                if let name = address.mailbox {
                    group = (HeaderText.decode(name[...]).value, [])
                } else if address.name != nil {
                    entries.append(address.entry)
                }
            } else if group != nil {
                group?.members.append(address.entry)
            } else {
                entries.append(address.entry)
            }
        }
        if let open = group { entries.append(.group(name: open.name, members: open.members)) }
        self.init(entries: entries)
    }
}
