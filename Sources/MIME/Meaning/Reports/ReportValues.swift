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

/// A status code such as `5.1.1`. RFC 3463 §2.
public struct DeliveryStatusCode: Hashable, Sendable {
    /// 2 success, 4 may still succeed, 5 failed for good.
    public var statusClass: Int
    /// What it is about: 1 address, 2 mailbox, 3 system, 4 network, 5 protocol, 6 content, 7 policy; 0 others.
    public var subject: Int
    /// The precise condition.
    public var detail: Int

    /// A code.
    public init(_ statusClass: Int, _ subject: Int, _ detail: Int) {
        self.statusClass = statusClass
        self.subject = subject
        self.detail = detail
    }

    /// Whether trying again is of no use.
    public var isPermanentFailure: Bool { statusClass == 5 }
    /// Whether it only says success or failure.
    var isGeneral: Bool { subject == 0 && detail == 0 }

    /// The first status code in a text, such as a server's reply; `nil` if there is none. Parts of IP addresses and of
    /// versions are none.
    public static func find(in text: String) -> DeliveryStatusCode? {
        let octets = Array(text.utf8)
        for start in octets.indices {
            let isAtWord =
                start == 0
                || !(octets[start - 1].isLetter || octets[start - 1].isDigit
                    || octets[start - 1] == ASCII.dot || octets[start - 1] == ASCII.hyphen)
            if isAtWord, let code = code(in: octets, at: start) { return code }
        }
        return nil
    }

    // status-code = status-class "." 1*3DIGIT "." 1*3DIGIT
    private static func code(in octets: [UInt8], at start: Int) -> DeliveryStatusCode? {
        var index = start
        var numbers: [Int] = []
        while numbers.count < 3 {
            let digits = octets[index...].prefix(4).prefix(while: \.isDigit)
            guard !digits.isEmpty, digits.count <= 3 else { return nil }
            numbers.append(digits.reduce(0) { $0 * 10 + Int($1 - ASCII.zero) })
            index += digits.count
            if numbers.count < 3 {
                guard index < octets.count, octets[index] == ASCII.dot else { return nil }
                index += 1
            }
        }
        if index < octets.count {
            // One more number: an address.
            if octets[index].isDigit || octets[index].isLetter { return nil }
            if octets[index] == ASCII.dot, index + 1 < octets.count, octets[index + 1].isDigit {
                return nil
            }
        }
        guard [2, 4, 5].contains(numbers[0]), octets[start + 1] == ASCII.dot else { return nil }
        return DeliveryStatusCode(numbers[0], numbers[1], numbers[2])
    }

    /// What a reply of SMTP in a text comes to: `550 no such user` is 5.0.0. RFC 3463 §2, RFC 5321 §4.2.1.
    static func fromReply(in text: String) -> DeliveryStatusCode? {
        let octets = Array(text.utf8)
        for start in octets.indices where [0x32, 0x34, 0x35].contains(octets[start]) {
            guard start + 2 < octets.count, 0x30...0x35 ~= octets[start + 1],
                octets[start + 2].isDigit
            else { continue }
            let before = start == 0 ? ASCII.space : octets[start - 1]
            let behind = start + 3 < octets.count ? octets[start + 3] : ASCII.space
            let isWord =
                !(before.isDigit || before.isLetter || before == ASCII.dot
                || before == ASCII.hyphen)
            if isWord,
                behind == ASCII.space || behind == ASCII.hyphen || behind == UInt8(ascii: ":")
            {
                return DeliveryStatusCode(Int(octets[start] - ASCII.zero), 0, 0)
            }
        }
        return nil
    }
}

extension DeliveryStatusCode: CustomStringConvertible {
    /// `5.1.1`.
    public var description: String { "\(statusClass).\(subject).\(detail)" }
}
