import MartletBytes

/// A message ID, or a `Content-ID`, as it was read: `msg-id` of RFC 5322 §3.6.4, RFC 2045 §7.
///
/// Any text that stood between the brackets is kept, so that messages find each other by the IDs that
/// programs really wrote. `MessageID` is its strict sister for composing; `messageID` makes one of this.
public struct MessageReference: Hashable, Sendable {
    /// The ID without its angle brackets, white space and line breaks; one line without control characters.
    public let text: String

    /// The ID for composing, such as the `In-Reply-To` of an answer; `nil` for one that cannot be
    /// written: too long, or with octets that are not ASCII.
    public var messageID: MessageID? { try? MessageID(text) }
}

extension MessageReference: CustomStringConvertible {
    /// The ID in angle brackets.
    public var description: String { "<\(text)>" }
}

extension MessageReference {
    /// Reads the value of `Message-ID`, `Content-ID` and `Resent-Message-ID` as it stands in the
    /// message: the first ID in it.
    ///
    /// Without any ID it is `nil`, and a defect says so.
    public static func parse(
        _ value: ArraySlice<UInt8>, limits: MIMELimits = .standard
    ) -> Parsed<MessageReference?> {
        var limits = limits
        // There is one; another is odd, but no reason to read on.
        limits.messageIDCount = min(limits.messageIDCount, 1)
        let list = parseList(value, limits: limits)
        var defects = list.defects
        if limits.messageIDCount == 1 {
            for index in defects.indices where defects[index].limit == "messageIDCount" {
                defects[index] = Defect(.invalidMessageID, at: defects[index].offset)
            }
        }
        if list.value.isEmpty, defects.isEmpty {
            defects.append(Defect(.invalidMessageID, at: 0))
        }
        return Parsed(list.value.first, defects: defects)
    }

    /// Reads the value of `References` and `In-Reply-To` as it stands in the message.
    ///
    /// Phrases, comments and commas between IDs are passed over. Where there are no angle brackets at all, each
    /// word with an `@`, or a word that is alone, is an ID. White space inside of brackets is dropped,
    /// together with comments if there is any: that is the obsolete form.
    public static func parseList(
        _ value: ArraySlice<UInt8>, limits: MIMELimits = .standard
    ) -> Parsed<[MessageReference]> {
        let octets = value.span
        var reader = MessageIDReader(limits: limits)
        // Some programs encode what they fold.
        if octets.mayBeEncoded {
            let decoded = Array(HeaderText.decode(octets, limits: limits).value.utf8)
            if decoded.contains(ASCII.less) {
                reader.read(decoded.span)
                return Parsed(reader.references, defects: [Defect(.invalidMessageID, at: 0)])
            }
        }
        reader.read(octets)
        return Parsed(reader.references, defects: reader.defects)
    }
}

extension Span<UInt8> {
    /// Whether it begins with an encoded word, or may have one and no brackets.
    fileprivate var mayBeEncoded: Bool {
        let question = UInt8(ascii: "?")
        let start = trimmed(0..<count).lowerBound
        if start + 1 < count, self[start] == ASCII.equals, self[start + 1] == question {
            return true
        }
        var previous: UInt8 = 0
        var hasWord = false
        for index in indices {
            if self[index] == ASCII.less { return false }
            if self[index] == question, previous == ASCII.equals { hasWord = true }
            previous = self[index]
        }
        return hasWord
    }
}
