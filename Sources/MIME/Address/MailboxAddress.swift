import MartletBytes

/// A person's or machine's mail address with the name shown beside it: `mailbox` of RFC 5322 §3.4.
///
/// A value is always valid: it holds no CR, LF, NUL or other control character, so that nothing can be
/// smuggled through it into a header or an SMTP command.
public struct MailboxAddress: Hashable, Sendable {
    /// The longest local part in octets. RFC 5321 §4.5.3.1.1 asks for 64 at least; return paths of
    /// mailing lists are longer.
    public static let localPartLimitInOctets = 256
    /// The longest domain in octets. RFC 1035 §2.3.4.
    public static let domainLimitInOctets = 255
    /// The longest display name in octets.
    public static let displayNameLimitInOctets = 4_096

    /// The name shown for the address, unquoted and decoded; `nil` without one.
    public let displayName: String?
    /// What stands before the `@`, without quotes: `john doe` for `"john doe"@example.org`.
    public let localPart: String
    /// What stands behind the `@`: a host name, possibly with non-ASCII letters, or `[address]`.
    public let domain: String

    /// Makes an address of its parts.
    ///
    /// - Parameters:
    ///   - displayName: any text without control characters; an empty one counts as `nil`.
    ///   - localPart: without quotes; they are written where they are needed.
    ///   - domain: a host name (labels of letters, digits, `-`, `_` and non-ASCII characters), or an
    ///     address literal in brackets.
    /// - Throws: `AddressError`, to be mended by the caller.
    public init(
        displayName: String? = nil, localPart: String, domain: String
    ) throws(AddressError) {
        let parts = [displayName ?? "", localPart, domain]
        func refuse(_ kind: AddressError.Kind) -> AddressError {
            AddressError(
                kind: kind,
                text: localPart.isEmpty && domain.isEmpty ? "" : localPart + "@" + domain)
        }
        guard !parts.contains(where: hasControlCharacter) else { throw refuse(.controlCharacter) }
        let limits = [
            Self.displayNameLimitInOctets, Self.localPartLimitInOctets, Self.domainLimitInOctets,
        ]
        for (part, limit) in zip(parts, limits) where part.utf8.count > limit {
            throw refuse(.tooLong(limit: limit))
        }
        guard !localPart.isEmpty else { throw refuse(.invalidLocalPart) }
        guard isValidDomain(domain) else { throw refuse(.invalidDomain) }
        self.displayName = displayName == "" ? nil : displayName
        self.localPart = localPart
        self.domain = domain
    }

    /// Makes an address of parts that have been checked: ASCII atoms with single dots, within the limits.
    /// The name has neither control characters nor too many octets.
    init(plainLocalPart localPart: String, domain: String, displayName: String?) {
        self.displayName = displayName == "" ? nil : displayName
        self.localPart = localPart
        self.domain = domain
    }

    /// Reads one address as a person writes it: `jane@example.org`, `Jane Doe <jane@example.org>`,
    /// `"Doe, Jane" <"jane doe"@example.org>`, `jane@[192.0.2.1]`; comments are passed over.
    ///
    /// - Throws: `AddressError` when it is no address, or more than one.
    public init(_ text: String) throws(AddressError) {
        do {
            self = try AddressReader.singleMailbox(in: text)
        } catch {
            throw AddressError(kind: error.kind, text: text)
        }
    }

    /// `local-part@domain`, the local part in quotes where it has to be. RFC 5322 §3.4.1.
    public var addrSpec: String { quotedLocalPart + "@" + domain }

    /// Whether the local part has non-ASCII characters, which only SMTPUTF8 servers take (RFC 6531).
    /// A non-ASCII *domain* does not count: it has an ASCII form.
    public var needsSMTPUTF8: Bool { !localPart.utf8.allSatisfy { $0 < 0x80 } }

    /// The same mailbox at another spelling of its domain, such as the ASCII form of a non-ASCII one.
    ///
    /// - Throws: `AddressError` when `domain` is not valid.
    public func replacingDomain(_ domain: String) throws(AddressError) -> MailboxAddress {
        try MailboxAddress(displayName: displayName, localPart: localPart, domain: domain)
    }

    private var quotedLocalPart: String {
        let octets = localPart.utf8
        let words = octets.split(separator: ASCII.dot, omittingEmptySubsequences: false)
        let isDotAtom = words.allSatisfy { !$0.isEmpty && $0.allSatisfy(isAtomOctet) }
        return isDotAtom ? localPart : quotedString(localPart)
    }
}

extension MailboxAddress: CustomStringConvertible {
    /// `Jane Doe <jane@example.org>`, as a person writes it and `init(_:)` reads it.
    public var description: String {
        guard let displayName else { return addrSpec }
        return (isPhraseOfAtoms(displayName) ? displayName : quotedString(displayName))
            + " <\(addrSpec)>"
    }
}

/// Whether `text` is words of atom characters with single spaces between: such a display name needs no
/// quotes.
func isPhraseOfAtoms(_ text: String) -> Bool {
    text.utf8.split(separator: ASCII.space, omittingEmptySubsequences: false)
        .allSatisfy { !$0.isEmpty && $0.allSatisfy(isAtomOctet) }
}

/// `text` as a `quoted-string`, RFC 5322 §3.2.4.
func quotedString(_ text: String) -> String {
    var quoted: [UInt8] = [ASCII.quote]
    for octet in text.utf8 {
        if octet == ASCII.quote || octet == ASCII.backslash { quoted.append(ASCII.backslash) }
        quoted.append(octet)
    }
    quoted.append(ASCII.quote)
    return String(decoding: quoted, as: UTF8.self)
}

/// `atext` of RFC 5322 §3.2.3, with the non-ASCII characters of RFC 6532 §3.2.
func isAtomOctet(_ octet: UInt8) -> Bool {
    guard octet > 0x20, octet != ASCII.del else { return false }
    switch octet {
    case UInt8(ascii: "("), UInt8(ascii: ")"), UInt8(ascii: "<"), UInt8(ascii: ">"),
        UInt8(ascii: "["), UInt8(ascii: "]"), UInt8(ascii: ":"), UInt8(ascii: ";"),
        UInt8(ascii: "@"), UInt8(ascii: "\\"), UInt8(ascii: ","), UInt8(ascii: "."),
        UInt8(ascii: "\""):
        return false
    default:
        return true
    }
}

/// Whether `text` has a control character, of ASCII or of ISO 6429's second set.
func hasControlCharacter(_ text: String) -> Bool {
    var previous: UInt8 = 0
    for octet in text.utf8 {
        if octet.isControl || (previous == 0xC2 && octet < 0xA0) { return true }
        previous = octet
    }
    return false
}

/// A host name or an address literal.
private func isValidDomain(_ domain: String) -> Bool {
    let octets = domain.utf8
    if octets.first == UInt8(ascii: "[") {
        guard octets.last == UInt8(ascii: "]"), octets.count > 2 else { return false }
        return octets.dropFirst().dropLast().allSatisfy {
            $0.isDigit || $0.isLetter || $0 == ASCII.dot || $0 == UInt8(ascii: ":")
                || $0 == ASCII.hyphen
        }
    }
    let labelLimit = 63
    for label in octets.split(separator: ASCII.dot, omittingEmptySubsequences: false) {
        let isASCII = label.allSatisfy { $0 < 0x80 }
        guard !label.isEmpty, !isASCII || label.count <= labelLimit else { return false }
        guard label.allSatisfy({ $0.isLabelOctet || $0 >= 0x80 }) else { return false }
    }
    return octets.allSatisfy { $0 < 0x80 }
        || !domain.unicodeScalars.contains { $0.properties.isWhitespace }
}
