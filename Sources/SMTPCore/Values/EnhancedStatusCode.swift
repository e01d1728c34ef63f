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
    static func prefix(
        of text: UnsafeBufferPointer<UInt8>
    ) -> (code: EnhancedStatusCode, octets: Int)? {
        // status-code = class "." subject "." detail ; RFC 3463 §2
        guard text.count >= 5, text[0].isDigit, text[1] == ASCII.dot else { return nil }
        var offset = 2
        func number() -> Int? {
            let start = offset
            var value = 0
            while offset < text.count, text[offset].isDigit, offset - start < 3 {
                value = value * 10 + Int(text[offset] - ASCII.zero)
                offset += 1
            }
            return offset > start ? value : nil
        }
        guard let subject = number(), offset < text.count, text[offset] == ASCII.dot else {
            return nil
        }
        offset += 1
        guard let detail = number() else { return nil }
        if offset < text.count {
            guard text[offset].isBlank || text[offset] == ASCII.lf else { return nil }
            if text[offset].isBlank { offset += 1 }
        }
        guard let code = EnhancedStatusCode(Int(text[0] - ASCII.zero), subject, detail) else {
            return nil
        }
        return (code, offset)
    }

    /// `5.1.1`.
    public var description: String { "\(statusClass).\(subject).\(detail)" }
}
