import MartletBytes
import MartletMIME

extension MessageEnvelope {
    /// What a server tells of the header of a message, or of one inside of another. RFC 9051 §7.5.2.
    ///
    /// Values stay octets as they stood, unfolded: encoded words and raw octets are the client's to decode. `Sender` and
    /// `Reply-To` that are missing or name nobody are those of `From`. Where a field is there more than once, the
    /// addresses of all count, and of other fields the first.
    package init(of message: Part) {
        self.init()
        for field in message.header {
            let name = field.name
            switch name.utf8.count {
            case 2:
                take(field, name, "To", \.to)
                take(field, name, "Cc", \.cc)
            case 3: take(field, name, "Bcc", \.bcc)
            case 4:
                take(field, name, "From", \.from)
                take(field, name, "Date", \.dateOctets)
            case 6: take(field, name, "Sender", \.sender)
            case 7: take(field, name, "Subject", \.subjectOctets)
            case 8: take(field, name, "Reply-To", \.replyTo)
            case 10: take(field, name, "Message-ID", \.messageIDOctets)
            case 11: take(field, name, "In-Reply-To", \.inReplyToOctets)
            default: break
            }
        }
        if sender.isEmpty { sender = from }
        if replyTo.isEmpty { replyTo = from }
    }

    private mutating func take(
        _ field: PartHeader.Field, _ name: String, _ expected: StaticString,
        _ path: WritableKeyPath<Self, [UInt8]?>
    ) {
        guard name.equals(expected) else { return }
        if self[keyPath: path] == nil { self[keyPath: path] = field.unfoldedValue }
    }

    private mutating func take(
        _ field: PartHeader.Field, _ name: String, _ expected: StaticString,
        _ path: WritableKeyPath<Self, [EnvelopeAddress]>
    ) {
        guard name.equals(expected),
            self[keyPath: path].count < EnvelopeAddressReader.countLimit
        else { return }
        self[keyPath: path] += field.withValue { value in
            var reader = EnvelopeAddressReader(value)
            reader.read()
            return reader.addresses
        }
    }
}

extension String {
    /// Whether both are equal but for the case of ASCII letters.
    fileprivate func equals(_ name: StaticString) -> Bool {
        utf8.equalsIgnoringCase(
            UnsafeBufferPointer(start: name.utf8Start, count: name.utf8CodeUnitCount))
    }
}
