import MartletBytes

/// An enhanced mail system status code such as `5.1.1`. RFC 3463 §2, RFC 2034.
public struct EnhancedStatusCode: Hashable, Sendable, CustomStringConvertible {
    /// 2 success, 4 try later, 5 for good.
    public let statusClass: UInt8
    /// What it is about: 1 address, 2 mailbox, 3 system, 4 network, 5 protocol, 6 content, 7 policy.
    public let subject: UInt16
    /// The precise condition, 0…999.
    public let detail: UInt16

    /// Makes a code. `nil` unless the class is 2, 4 or 5 and the others are at most 999.
    public init?(_ statusClass: Int, _ subject: Int, _ detail: Int) {
        guard statusClass == 2 || statusClass == 4 || statusClass == 5,
            0...999 ~= subject, 0...999 ~= detail
        else { return nil }
        self.statusClass = UInt8(statusClass)
        self.subject = UInt16(subject)
        self.detail = UInt16(detail)
    }

    /// Reads the code at the start of a reply's text; it ends at a space or with the text.
    ///
    /// - Returns: the code and how many octets it and the space after it take.
    package static func prefix(
        of text: UnsafeBufferPointer<UInt8>
    ) -> (code: EnhancedStatusCode, octets: Int)? {
        guard let (code, end) = code(in: text, at: 0) else { return nil }
        guard end < text.count else { return (code, end) }
        guard text[end].isBlank || text[end] == ASCII.lf else { return nil }
        return (code, text[end].isBlank ? end + 1 : end)
    }

    // status-code = class "." subject "." detail ; RFC 3463 §2
    /// The code at `start`, whatever is behind it, and where it ends.
    private static func code(
        in octets: UnsafeBufferPointer<UInt8>, at start: Int
    ) -> (code: EnhancedStatusCode, end: Int)? {
        var index = start
        func number() -> Int? {
            let digits = octets[index...].prefix(4).prefix(while: \.isDigit)
            guard 1...3 ~= digits.count else { return nil }
            index += digits.count
            return digits.reduce(0) { $0 * 10 + Int($1 - ASCII.zero) }
        }
        func skipDot() -> Bool {
            guard index < octets.count, octets[index] == ASCII.dot else { return false }
            index += 1
            return true
        }
        guard let statusClass = number(), skipDot(), let subject = number(), skipDot(),
            let detail = number(), octets[start + 1] == ASCII.dot,
            let code = EnhancedStatusCode(statusClass, subject, detail)
        else { return nil }
        return (code, index)
    }

    /// `5.1.1`.
    public var description: String { "\(statusClass).\(subject).\(detail)" }
}

extension EnhancedStatusCode {
    /// Whether trying again is of no use.
    public var isPermanentFailure: Bool { statusClass == 5 }
    /// Whether it only says success or failure.
    var isGeneral: Bool { subject == 0 && detail == 0 }

    /// The first status code in a text, such as a server's reply; `nil` if there is none. Parts of IP addresses and of
    /// versions are none.
    public static func find(in text: String) -> EnhancedStatusCode? {
        var text = text
        return text.withUTF8 { octets in
            for start in octets.indices {
                let isAtWord =
                    start == 0
                    || !(octets[start - 1].isLetter || octets[start - 1].isDigit
                        || octets[start - 1] == ASCII.dot || octets[start - 1] == ASCII.hyphen)
                if isAtWord, let (code, end) = code(in: octets, at: start),
                    endsWord(octets, at: end)
                {
                    return code
                }
            }
            return nil
        }
    }

    /// Whether nothing goes on at `end`, as one more number of an address does.
    private static func endsWord(_ octets: UnsafeBufferPointer<UInt8>, at end: Int) -> Bool {
        guard end < octets.count else { return true }
        if octets[end].isDigit || octets[end].isLetter { return false }
        return octets[end] != ASCII.dot || end + 1 >= octets.count || !octets[end + 1].isDigit
    }

    /// What a reply of SMTP in a text comes to: `550 no such user` is 5.0.0. RFC 3463 §2, RFC 5321 §4.2.1.
    static func fromReply(in text: String) -> EnhancedStatusCode? {
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
                return EnhancedStatusCode(Int(octets[start] - ASCII.zero), 0, 0)
            }
        }
        return nil
    }
}
