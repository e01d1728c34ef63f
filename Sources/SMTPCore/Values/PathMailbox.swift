import MartletBytes

/// The mailbox between the angle brackets of MAIL and RCPT: always fit for the wire. RFC 5321 §4.1.2.
///
/// It cannot hold CR, LF, NUL, another control character, `<` or `>`, so it cannot carry a second command.
public struct PathMailbox: Hashable, Sendable, CustomStringConvertible {
    /// Most octets that a mailbox takes on the wire: a path of 256 less its brackets, RFC 5321 §4.5.3.1.3.
    ///
    /// The 64 octets that §4.5.3.1.1 gives to a local part are what every server must take, not the most
    /// that is in use: return addresses that encode the recipient are often longer.
    public static let limitInOctets = 254
    /// Most octets of a domain, RFC 5321 §4.5.3.1.2.
    public static let domainLimitInOctets = 255
    /// Most octets of one label of a domain, RFC 1035 §2.3.4.
    public static let labelLimitInOctets = 63

    /// The local part without quotes and backslashes.
    public let localPart: String
    /// The domain or address literal; empty for the bare `postmaster` of RFC 5321 §4.1.1.3.
    public let domain: String
    /// As written between the angle brackets: the local part quoted where it must be.
    public let octets: [UInt8]
    /// Whether it may only be sent with SMTPUTF8. RFC 6531 §3.2.
    public let needsSMTPUTF8: Bool

    /// Checks and keeps a mailbox.
    ///
    /// - Parameters:
    ///   - localPart: the meaning, without quotes: `john doe`, not `"john doe"`.
    ///   - domain: a host name or an address literal such as `[192.0.2.1]`.
    /// - Throws: `.invalidInput`, recovery `.fixInput`.
    public init(localPart: String, domain: String) throws(SMTPError) {
        var octets = try Self.wireForm(localPart: Array(localPart.utf8))
        if domain.isEmpty {
            guard localPart.utf8.map(\.lowercased).elementsEqual("postmaster".utf8) else {
                throw .invalidAddress(localPart, "has no domain")
            }
        } else {
            try Self.check(domain: Array(domain.utf8))
            octets.append(0x40)
            octets.append(contentsOf: domain.utf8)
        }
        guard octets.count <= Self.limitInOctets else {
            throw .invalidAddress(
                localPart + "@" + domain, "is longer than \(Self.limitInOctets) octets")
        }
        self.localPart = localPart
        self.domain = domain
        self.octets = octets
        needsSMTPUTF8 = octets.contains { $0 >= 0x80 }
    }

    /// Reads an address as people and servers write it: `a@example.org`, `"john doe"@example.org`.
    ///
    /// - Throws: `.invalidInput`, recovery `.fixInput`.
    public init(_ text: String) throws(SMTPError) {
        let octets = Array(text.utf8)
        guard octets.first == ASCII.quote else {
            guard let at = octets.lastIndex(of: 0x40) else {
                try self.init(localPart: text, domain: "")
                return
            }
            let localPart = String(decoding: octets[..<at], as: UTF8.self)
            // What is not quoted must not need it: `a b@example.org` is a slip, not a mailbox.
            guard Self.isDotString(octets[..<at]) || Self.hasOnlyStrayDots(octets[..<at]) else {
                throw .invalidAddress(text, Self.complaint(octets[..<at]))
            }
            guard at + 1 < octets.count else { throw .invalidAddress(text, "has no domain") }
            try self.init(
                localPart: localPart, domain: String(decoding: octets[(at + 1)...], as: UTF8.self))
            return
        }
        // Quoted-string = DQUOTE *QcontentSMTP DQUOTE ; RFC 5321 §4.1.2
        var localPart: [UInt8] = []
        var offset = 1
        while offset < octets.count, octets[offset] != ASCII.quote {
            if octets[offset] == ASCII.backslash { offset += 1 }
            guard offset < octets.count else { break }
            localPart.append(octets[offset])
            offset += 1
        }
        guard offset + 2 < octets.count, octets[offset + 1] == 0x40 else {
            throw .invalidAddress(text, "has an open quote or no domain")
        }
        try self.init(
            localPart: String(decoding: localPart, as: UTF8.self),
            domain: String(decoding: octets[(offset + 2)...], as: UTF8.self))
    }

    /// The wire form, for people.
    public var description: String { String(decoding: octets, as: UTF8.self) }

    private static func wireForm(localPart: [UInt8]) throws(SMTPError) -> [UInt8] {
        let text = String(decoding: localPart, as: UTF8.self)
        guard !localPart.isEmpty else { throw .invalidAddress(text, "has no local part") }
        guard
            !localPart.contains(where: { $0.isControl || $0 == ASCII.less || $0 == ASCII.greater })
        else { throw .invalidAddress(text, complaint(localPart[...])) }
        if isDotString(localPart[...]) { return localPart }
        var quoted = [ASCII.quote]
        for octet in localPart {
            if octet == ASCII.quote || octet == ASCII.backslash { quoted.append(ASCII.backslash) }
            quoted.append(octet)
        }
        quoted.append(ASCII.quote)
        return quoted
    }

    /// Throws unless `domain` is a host name or an address literal.
    static func check(domain: [UInt8]) throws(SMTPError) {
        let text = String(decoding: domain, as: UTF8.self)
        guard domain.count <= domainLimitInOctets else {
            throw .invalidAddress(text, "has a domain longer than \(domainLimitInOctets) octets")
        }
        if domain.first == 0x5B {
            // address-literal = "[" … "]", dcontent is %d33-90 / %d94-126 ; RFC 5321 §4.1.3
            guard domain.count > 2, domain.last == 0x5D,
                domain.dropFirst().dropLast().allSatisfy({
                    $0 > 0x20 && $0 < 0x7F && !(0x5B...0x5D).contains($0) && $0 != ASCII.less
                        && $0 != ASCII.greater
                })
            else { throw .invalidAddress(text, "is not an address literal") }
            return
        }
        for label in domain.split(separator: ASCII.dot, omittingEmptySubsequences: false) {
            guard !label.isEmpty else { throw .invalidAddress(text, "has an empty label") }
            guard label.count <= labelLimitInOctets || label.contains(where: { $0 >= 0x80 }) else {
                throw .invalidAddress(text, "has a label longer than \(labelLimitInOctets) octets")
            }
            guard label.first != ASCII.hyphen, label.last != ASCII.hyphen,
                label.allSatisfy({ $0.isLabelOctet || $0 >= 0x80 })
            else { throw .invalidAddress(text, "is not a domain name") }
        }
    }

    // Dot-string = Atom *("." Atom) ; RFC 5321 §4.1.2, with UTF8-non-ascii of RFC 6531 §3.3
    private static func isDotString(_ octets: ArraySlice<UInt8>) -> Bool {
        guard !octets.isEmpty else { return false }
        var previous = ASCII.dot
        for octet in octets {
            guard isAtomText(octet) || (octet == ASCII.dot && previous != ASCII.dot) else {
                return false
            }
            previous = octet
        }
        return previous != ASCII.dot
    }

    /// Addresses such as `a..b@…` and `a.@…` exist at phone companies: they are quoted, not refused.
    private static func hasOnlyStrayDots(_ octets: ArraySlice<UInt8>) -> Bool {
        !octets.isEmpty && octets.allSatisfy { isAtomText($0) || $0 == ASCII.dot }
    }

    private static func isAtomText(_ octet: UInt8) -> Bool {
        if octet.isLetter || octet.isDigit || octet >= 0x80 { return true }
        switch octet {
        case 0x21, 0x23, 0x24, 0x25, 0x26, 0x27, 0x2A, 0x2B, 0x2D, 0x2F, 0x3D, 0x3F, 0x5E, 0x5F,
            0x60, 0x7B, 0x7C, 0x7D, 0x7E:
            return true
        default: return false
        }
    }

    private static func complaint(_ octets: ArraySlice<UInt8>) -> String {
        if octets.isEmpty { return "has no local part" }
        if octets.contains(where: \.isControl) { return "holds a control character" }
        if octets.contains(ASCII.less) || octets.contains(ASCII.greater) {
            return "holds an angle bracket"
        }
        return "holds a character that must be quoted"
    }
}

extension SMTPError {
    static func invalidAddress(_ text: String, _ reason: String) -> SMTPError {
        SMTPError(kind: .invalidInput("the address \(quoted(text)) \(reason)"), stage: .envelope)
    }
}
