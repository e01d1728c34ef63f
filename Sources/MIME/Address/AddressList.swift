import MartletBytes

/// The value of a `From`, `To`, `Cc`, `Bcc` or `Reply-To` field: `address-list` of RFC 5322 §3.4, read tolerantly.
///
/// The obsolete syntax of §4.4 is understood, SMTPUTF8 (RFC 6532), encoded words in names (RFC 2047), and
/// damage whose meaning is plain: a missing `>`, commas, dots and `@` in names without quotes, semicolons
/// between addresses, or nothing, doubled or blank-filled brackets, none at all, `mailto:`, dots at odd
/// places, quotes and comments that nothing closes, quotes around a whole address. What has no plain meaning is an invalid entry, with its octets; it loses no
/// other.
///
/// An address comes only from where the grammar has one: `"a@evil.example" <b@example.org>` is
/// `b@example.org`, whatever its name says.
public struct AddressList: Hashable, Sendable {
    /// What stands between two commas.
    public enum Entry: Hashable, Sendable {
        /// An address, perhaps with a name.
        case mailbox(MailboxAddress)
        /// `name: members;`, RFC 5322 §3.4. Its members are mailboxes and invalid entries; groups in groups,
        /// which no RFC has, come one after the other.
        case group(name: String, members: [Entry])
        /// What is no address, or not one that mail can be sent to.
        case invalid(InvalidAddress)
    }

    /// The entries in their order. Empty ones (`a@example.org, , b@example.org`) are none.
    public var entries: [Entry]

    /// A list of `entries`.
    public init(entries: [Entry] = []) { self.entries = entries }

    /// Reads the value of a field, which may be folded. Never fails; takes time linear in its length.
    ///
    /// - Parameter limits: `valueSizeInOctets`, `addressCount` (invalid entries and groups count too) and
    ///   `commentDepth`; what is beyond the first two is not in the list.
    /// - Returns: the list and what is wrong with it.
    public static func parse(
        _ octets: some Collection<UInt8>, limits: MIMELimits = .standard
    ) -> Parsed<AddressList> {
        AddressListReader.read(octets, limits: limits, purpose: .showing)
    }

    /// Reads the value of a field as `parse(_:limits:)` does within the standard limits, without saying what
    /// is wrong.
    public init(parsing octets: some Collection<UInt8>) { self = Self.parse(octets).value }

    /// Reads a list that a person wrote for mail to be sent to, such as `a@example.org, Bob <b@example.org>`.
    ///
    /// All of it, however long it is; and a word between two commas is an invalid entry rather than a part
    /// of the next name, so that nobody is left out unnoticed.
    public init(_ text: String) { self.init(recipients: text.utf8) }

    /// The recipients in a field of a message that is to be sent, read as carefully as a person's list.
    init(recipients octets: some Collection<UInt8>) {
        var limits = MIMELimits()
        limits.addressCount = .max
        limits.valueSizeInOctets = .max
        self = AddressListReader.read(octets, limits: limits, purpose: .sending).value
    }

    /// The addresses in order, those of groups among them.
    public var mailboxes: [MailboxAddress] {
        flattened { entry in
            guard case .mailbox(let mailbox) = entry else { return nil }
            return mailbox
        }
    }

    /// The entries that are no addresses, those of groups among them.
    public var invalidEntries: [InvalidAddress] {
        flattened { entry in
            guard case .invalid(let invalid) = entry else { return nil }
            return invalid
        }
    }

    /// The octets of the entries that are no addresses, as they stood.
    public var damaged: [[UInt8]] { invalidEntries.map(\.octets) }

    /// Adds the entries of another field.
    public mutating func append(_ other: AddressList) { entries += other.entries }

    private func flattened<Value>(_ value: (Entry) -> Value?) -> [Value] {
        var values: [Value] = []
        for entry in entries {
            if case .group(_, let members) = entry {
                for member in members {
                    if let value = value(member) { values.append(value) }
                }
            } else if let value = value(entry) {
                values.append(value)
            }
        }
        return values
    }
}

/// An entry of an address list that is no address: `nobody`, `Jane <jane>`, `a@b c@d`.
public struct InvalidAddress: Hashable, Sendable {
    /// The octets of the entry as they stood, without white space at the ends.
    public var octets: [UInt8]
    /// The name beside it, decoded.
    public var displayName: String?
    /// What stands where an address should be, for a person to see; never one to send mail to.
    public var address: String?

    /// An entry of `octets`, with what can be told of it.
    public init(octets: [UInt8], displayName: String? = nil, address: String? = nil) {
        self.octets = octets
        self.displayName = displayName
        self.address = address
    }
}

extension InvalidAddress: CustomStringConvertible {
    /// The entry as a line of text, for a person to see.
    public var description: String { shownText(octets[...]) }
}

/// `octets` as one line of text: what is not UTF-8 and control characters as U+FFFD, folding as spaces.
func shownText(_ octets: ArraySlice<UInt8>) -> String {
    var shown: [UInt8] = []
    shown.reserveCapacity(octets.count)
    for octet in octets where octet != ASCII.cr && octet != ASCII.lf {
        shown.append(octet == ASCII.tab ? ASCII.space : octet)
    }
    return withoutControlCharacters(String(decoding: shown, as: UTF8.self), replacement: "\u{FFFD}")
}

/// `text` with `replacement` for each control character.
func withoutControlCharacters(_ text: String, replacement: Unicode.Scalar) -> String {
    guard hasControlCharacter(text) else { return text }
    var scalars = String.UnicodeScalarView()
    for scalar in text.unicodeScalars {
        scalars.append(scalar.properties.generalCategory == .control ? replacement : scalar)
    }
    return String(scalars)
}

extension AddressList: CustomStringConvertible {
    /// For people, on one line: `Jane Doe <jane@example.org>, team: bob@example.org;`. Not for a header field.
    public var description: String { entries.map(\.description).joined(separator: ", ") }
}

extension AddressList.Entry: CustomStringConvertible {
    /// For people, on one line.
    public var description: String {
        switch self {
        case .mailbox(let mailbox): mailbox.description
        case .group(let name, let members):
            "\(name): \(members.map(\.description).joined(separator: ", "));"
        case .invalid(let invalid): invalid.description
        }
    }
}
