import MartletMIME
import MartletText

/// A message as JSON, in the shape that `ParseSchema` describes.
package struct ParseJSON {
    private let message: Message
    private let defects: MessageDefects
    private let files: [AttachedFile]
    /// By the numbers of parts that are files.
    private let safeNames: [String: String]

    package init(_ message: Message, detector: CharsetDetector?) {
        self.message = message
        defects = MessageDefects(of: message, detector: detector)
        files = message.attachedFiles
        safeNames = ParseReport.safeNames(of: files)
    }

    package var value: JSONText {
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
            ("files", .array(files.map(file))),
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
            (
                "safeName",
                .optional(
                    part.fileName.map {
                        safeNames[part.section]
                            ?? SafeFileName($0, typeName: type.description).text
                    })
            ),
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
            ("defects", .array(defects[part].map(defect))),
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

    private func file(_ file: AttachedFile) -> JSONText {
        .object([
            ("section", .string(file.part.section)), ("isUnpacked", .bool(file.isUnpacked)),
            ("fileName", .optional(file.name)), ("safeName", .string(file.safeName)),
            ("type", .string(file.type.description)),
            ("sizeInOctets", .integer(file.sizeInOctets)),
        ])
    }

    private func addresses(_ list: AddressList) -> JSONText {
        .array(
            list.entries.flatMap { entry -> [JSONText] in
                guard case .group(let name, let members) = entry else { return [address(entry)] }
                if members.isEmpty { return [address(name: nil, nil, raw: nil, group: name)] }
                return members.map { address($0, group: name) }
            })
    }

    private func address(_ entry: AddressList.Entry, group: String? = nil) -> JSONText {
        switch entry {
        case .mailbox(let mailbox):
            address(name: mailbox.displayName, mailbox.addrSpec, raw: nil, group: group)
        case .invalid(let invalid):
            address(name: invalid.displayName, nil, raw: invalid.description, group: group)
        // There are none in groups.
        case .group(let name, _): address(name: nil, nil, raw: nil, group: name)
        }
    }

    private func address(
        name: String?, _ address: String?, raw: String?, group: String?
    ) -> JSONText {
        .object([
            ("name", .optional(name)), ("address", .optional(address)), ("raw", .optional(raw)),
            ("group", .optional(group)),
        ])
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
