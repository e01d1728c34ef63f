import MartletBytes

/// A value that says what kind of name it is: `dns; mx.example.org`, `smtp; 550 no such user`. RFC 3464 §2.1.2.
public struct TypedReportValue: Hashable, Sendable {
    /// What kind of name or code it is, in lower case: `dns`, `smtp`, `x-local`. Empty where the field does not say.
    public var type: String
    /// The name or text.
    public var text: String

    /// A value of a type in lower case.
    public init(type: String, text: String) {
        self.type = type
        self.text = text
    }

    init?(_ field: String?) {
        guard let field else { return nil }
        let octets = field.utf8
        let kind = octets.prefix { $0 != UInt8(ascii: ";") }
        let isToken =
            kind.count < octets.count
            && kind.allSatisfy { isTokenOctet($0) || $0.isBlank } && !kind.isEmpty
        guard isToken else {
            self.init(type: "", text: field.trimmedOfSpace)
            return
        }
        self.init(
            type: String(decoding: kind, as: UTF8.self).trimmedOfSpace.lowercased(),
            text: String(decoding: octets.dropFirst(kind.count + 1), as: UTF8.self).trimmedOfSpace)
    }
}

/// The address of a recipient as a report has it: `rfc822; a@example.org`. RFC 3464 §2.3.1, RFC 6533 §3.
public struct ReportAddress: Hashable, Sendable {
    /// The kind of address in lower case: `rfc822`, `utf-8`, `x400`. `rfc822` where the field does not say.
    public var type: String
    /// The address as text; of type `utf-8` with its escapes decoded.
    public var text: String

    /// An address of a type in lower case.
    public init(type: String, text: String) {
        self.type = type
        self.text = text
    }

    /// The address, if it is one of mail.
    public var mailbox: MailboxAddress? { AddressList.parse(text.utf8).value.mailboxes.first }

    init?(_ field: String?) {
        guard let value = TypedReportValue(field), !value.text.isEmpty else { return nil }
        let isUTF8 = value.type == "utf-8"
        var text = isUTF8 ? Self.unescaped(value.text) : value.text
        text = text.withoutBrackets
        self.init(type: value.type.isEmpty ? "rfc822" : value.type, text: text)
    }

    // EmbeddedUnicodeChar = "\x{" HEXPOINT "}" ; RFC 6533 §3
    private static func unescaped(_ text: String) -> String {
        guard text.utf8.contains(ASCII.backslash) else { return text }
        let octets = Array(text.utf8)
        var decoded: [UInt8] = []
        var index = 0
        while index < octets.count {
            if octets[index] == ASCII.backslash, let (scalar, end) = scalar(in: octets, at: index) {
                decoded.append(contentsOf: UTF8.encode(scalar)!)
                index = end
            } else {
                decoded.append(octets[index])
                index += 1
            }
        }
        return String(decoding: decoded, as: UTF8.self)
    }

    private static func scalar(
        in octets: [UInt8], at start: Int
    ) -> (scalar: Unicode.Scalar, end: Int)? {
        guard start + 4 < octets.count, octets[start + 1].lowercased == UInt8(ascii: "x"),
            octets[start + 2] == UInt8(ascii: "{")
        else { return nil }
        var value: UInt32 = 0
        var index = start + 3
        while index < octets.count, index - start < 10, let digit = octets[index].hexValue {
            value = value << 4 | UInt32(digit)
            index += 1
        }
        guard index > start + 3, index < octets.count, octets[index] == UInt8(ascii: "}"),
            let scalar = Unicode.Scalar(value), value >= 0x20, value != 0x7F
        else { return nil }
        return (scalar, index + 1)
    }
}
