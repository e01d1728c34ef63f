import MartletBytes

/// A line that is the start of a header field: a name and a colon. RFC 5322 §2.2.
struct HeaderLine {
    /// The fields that say how a body is to be read.
    enum Kind { case contentType, transferEncoding, disposition, other }

    /// Octets of a name that are still believed.
    private static let nameLimit = 1_000

    /// Behind the name, without the blanks that old programs put before the colon (RFC 5322 §4.5).
    let nameEnd: Int
    /// Behind the colon.
    let valueStart: Int
    let kind: Kind

    /// `nil` if the line is none.
    @inline(__always)
    init?(_ octets: UnsafeRawBufferPointer, _ content: Range<Int>) {
        precondition(content.lowerBound >= 0 && content.upperBound <= octets.count)
        let start = content.lowerBound
        let limit = min(content.upperBound, start &+ Self.nameLimit)
        var end = start
        while end < limit, octets[end] &- 0x21 < 0x5E, octets[end] != 0x3A { end &+= 1 }
        guard end > start else { return nil }
        var colon = end
        while colon < limit, octets[colon].isBlank { colon &+= 1 }
        guard colon < limit, octets[colon] == 0x3A else { return nil }
        nameEnd = end
        valueStart = colon &+ 1
        kind = Self.kind(octets, start, end)
    }

    private static func kind(_ octets: UnsafeRawBufferPointer, _ start: Int, _ end: Int) -> Kind {
        guard octets[start] | 0x20 == UInt8(ascii: "c") else { return .other }
        func isNamed(_ name: StaticString) -> Bool {
            let length = name.utf8CodeUnitCount
            guard end &- start == length else { return false }
            for index in 0..<length
            where octets[start &+ index].lowercased != name.utf8Start[index] { return false }
            return true
        }
        switch end - start {
        case 12: return isNamed("content-type") ? .contentType : .other
        case 25: return isNamed("content-transfer-encoding") ? .transferEncoding : .other
        case 19: return isNamed("content-disposition") ? .disposition : .other
        default: return .other
        }
    }

    /// Whether the name, which starts at `start`, is one that messages and body parts really have. Text may have a colon
    /// behind its first word, too.
    func isOfMessage(_ octets: UnsafeRawBufferPointer, _ start: Int) -> Bool {
        let name = String(decoding: octets[start..<nameEnd].map(\.lowercased), as: UTF8.self)
        return name.hasPrefix("content-") || name.hasPrefix("x-")
            || Self.namesOfMessages.contains(name)
    }

    private static let namesOfMessages: Set<String> = [
        "arc-authentication-results", "arc-message-signature", "arc-seal", "authentication-results",
        "cc", "date", "delivered-to", "dkim-signature", "errors-to", "from", "in-reply-to",
        "list-id",
        "message-id", "mime-version", "organization", "precedence", "received", "received-spf",
        "references", "reply-to", "resent-date", "resent-from", "resent-to", "return-path",
        "sender",
        "status", "subject", "to", "user-agent",
    ]

    /// `From `, with or without a `>` before it: the line with which an mbox separates messages.
    static func isMboxLine(_ octets: UnsafeRawBufferPointer, _ line: Range<Int>) -> Bool {
        let text = octets[line]
        return text.starts(with: "From ".utf8) || text.starts(with: ">From ".utf8)
    }

    /// Whole groups of four characters of the alphabet, padded or not.
    static func isBase64(_ octets: UnsafeRawBufferPointer, _ content: Range<Int>) -> Bool {
        let text = octets[content]
        let padding = text.reversed().prefix(2).prefix { $0 == ASCII.equals }.count
        return text.count % 4 == 0
            && text.dropLast(padding).allSatisfy { Base64.digitValues[Int($0)] < 64 }
    }
}
