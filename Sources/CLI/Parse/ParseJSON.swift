import MartletMIME
import MartletText

/// A message as JSON, in the shape that `ParseSchema` describes.
struct ParseJSON {
    private let message: Message
    private let detector: CharsetDetector?

    init(_ message: Message, detector: CharsetDetector?) {
        self.message = message
        self.detector = detector
    }

    var value: JSONText {
        .object([
            ("sizeInOctets", .integer(message.octets.count)),
            ("subject", .optional(message.subject)),
            ("from", addresses(message.root.from)),
            ("sender", addresses(message.root.sender)),
            ("replyTo", addresses(message.root.replyTo)),
            ("to", addresses(message.root.to)),
            ("cc", addresses(message.root.cc)),
            ("bcc", addresses(message.root.bcc)),
            ("date", date(message.date)),
            ("messageID", .optional(message.messageID?.text)),
            ("inReplyTo", references(message.root.inReplyTo)),
            ("references", references(message.root.references)),
            ("root", part(message.root)),
        ])
    }

    // Recursion goes no deeper than the parser's limit of nesting.
    private func part(_ part: Part) -> JSONText {
        let type = part.contentType
        var members: [(name: String, value: JSONText)] = [
            ("section", .string(part.section)),
            ("kind", .string(name(of: part.kind))),
            ("type", .string(type.description)),
            ("typeParameters", parameters(type.parameters)),
            ("disposition", .optional(part.disposition?.kind.name)),
            ("fileName", .optional(part.fileName)),
            ("contentID", .optional(part.contentID?.text)),
            ("transferEncoding", .string(part.transferEncoding.name)),
            ("isInEncodedContainer", .bool(part.isInEncodedContainer)),
            ("header", range(part.headerRange)),
            ("body", range(part.bodyRange)),
        ]
        if part.kind == .leaf {
            members.append(("decodedSizeInOctets", .integer(part.decodedSizeInOctets)))
        }
        members += [
            ("fields", .array(part.header.map(field))),
            ("defects", .array(part.allDefects(detector: detector).map(defect))),
            ("parts", .array(part.children.map { self.part($0) })),
        ]
        return .object(members)
    }

    private func name(of kind: Part.Kind) -> String {
        switch kind {
        case .leaf: "leaf"
        case .multipart: "multipart"
        case .message: "message"
        }
    }

    private func field(_ field: PartHeader.Field) -> JSONText {
        .object([
            ("name", .string(field.name)), ("text", .string(field.text.value)),
            ("offset", .integer(field.range.lowerBound)),
        ])
    }

    private func defect(_ defect: Defect) -> JSONText {
        .object([
            ("kind", .string(defect.kind.rawValue)), ("offset", .integer(defect.offset)),
            ("limit", .optional(defect.limit)),
        ])
    }

    private func addresses(_ list: AddressList) -> JSONText {
        .array(
            list.mailboxes.map { mailbox in
                .object([
                    ("name", .optional(mailbox.displayName)),
                    ("address", .string(mailbox.addrSpec)),
                ])
            })
    }

    private func date(_ date: MailDate?) -> JSONText {
        guard let date else { return .null }
        return .object([
            ("text", .string(date.text)),
            ("secondsSinceEpoch", .integer(Int(date.secondsSinceEpoch))),
            ("offsetInMinutes", .integer(date.offsetInMinutes)),
        ])
    }

    private func references(_ references: [MessageReference]) -> JSONText {
        .array(references.map { .string($0.text) })
    }

    private func parameters(_ parameters: HeaderParameters) -> JSONText {
        .array(
            parameters.map {
                .object([("name", .string($0.name)), ("value", .string($0.value))])
            })
    }

    private func range(_ range: Range<Int>) -> JSONText {
        .object([
            ("offset", .integer(range.lowerBound)), ("sizeInOctets", .integer(range.count)),
        ])
    }
}
