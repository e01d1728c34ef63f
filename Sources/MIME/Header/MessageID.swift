import MartletBytes

/// The worldwide name of a message, `msg-id` of RFC 5322 §3.6.4, kept without its angle brackets.
public struct MessageID: Hashable, Sendable {
    /// The longest name in octets: it has to stay on one line.
    public static let sizeLimitInOctets = 900

    /// The name without `<` and `>`.
    public let text: String

    /// Makes a message ID of `text`, with or without angle brackets.
    ///
    /// Any printable ASCII without spaces and brackets is taken, since replies must be able to name
    /// messages of programs that leave the `@` out.
    /// - Throws: `CompositionError`, to be mended by the caller.
    public init(_ text: String) throws(CompositionError) {
        try refuseLineBreaks(in: text, field: "Message-ID")
        var name = text[...]
        if name.utf8.first == ASCII.less, name.utf8.last == ASCII.greater {
            name = name.dropFirst().dropLast()
        }
        guard name.utf8.count <= Self.sizeLimitInOctets else {
            throw CompositionError(.tooLong(limit: Self.sizeLimitInOctets), field: "Message-ID")
        }
        let isValid = name.utf8.allSatisfy {
            $0 > ASCII.space && $0 < ASCII.del && $0 != ASCII.less && $0 != ASCII.greater
        }
        guard isValid, !name.isEmpty else {
            throw CompositionError(.invalid, field: "Message-ID", value: text)
        }
        self.text = String(name)
    }

    /// Makes a new, unique message ID from the time and 96 random bits.
    ///
    /// - Parameters:
    ///   - domain: a domain of the sender in its ASCII form. Anything else is replaced by
    ///     `mail.invalid`, since the name has to be valid whatever the sender's domain looks like.
    ///   - date: the time at which the message was made.
    ///   - random: where the unique part comes from.
    public init(
        domain: String, date: MailDate, random: inout some RandomNumberGenerator
    ) {
        let labels = domain.utf8.split(separator: ASCII.dot, omittingEmptySubsequences: false)
        let isUsable =
            domain.utf8.count <= MailboxAddress.domainLimitInOctets
            && labels.allSatisfy { label in
                !label.isEmpty
                    && label.allSatisfy { $0.isDigit || $0.isLetter || $0 == ASCII.hyphen }
            }
        let number =
            String(random.next(), radix: 36)
            + String(UInt32(truncatingIfNeeded: random.next()), radix: 36)
        let seconds = String(date.secondsSinceEpoch.magnitude, radix: 36)
        text = seconds + "." + number + "@" + (isUsable ? domain : "mail.invalid")
    }
}

extension MessageID: CustomStringConvertible {
    /// The message ID in angle brackets, as it stands in a header.
    public var description: String { "<\(text)>" }
}
