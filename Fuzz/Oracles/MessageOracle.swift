import MartletBytes
import MartletMIME

/// What must hold for any octets as a message.
package enum MessageOracle {
    /// Traps where the reader of messages breaks a promise.
    package static func check(_ input: [UInt8]) {
        let message = Message(parsing: input)
        precondition(message.octets.octetsInMemory == input, "the octets changed")
        let whole = outline(message)
        let cut = input.count / 3
        precondition(parsed([input[..<cut], input[cut...]]) == whole, "a cut changes the parts")
        if input.count <= 1_024 {
            precondition(
                parsed(input.indices.map { input[$0...$0] }) == whole, "cuts change the parts")
        }
        for part in message.parts { check(part, of: message) }
    }

    private static func check(_ part: Part, of message: Message) {
        let all = 0..<part.octets.count
        for range in [part.range, part.headerRange, part.bodyRange] {
            precondition(range.clamped(to: all) == range, "a range leaves the octets")
        }
        precondition(part.headerRange.upperBound == part.bodyRange.lowerBound)
        precondition(part.preambleRange.clamped(to: all) == part.preambleRange)
        precondition(part.epilogueRange.clamped(to: all) == part.epilogueRange)
        precondition(part.depth <= MIMELimits.standard.nestingDepth + 1)
        if let parent = part.parent, parent.octets.count == part.octets.count {
            let inside = part.range.clamped(to: parent.bodyRange)
            precondition(
                inside == part.range || parent.isInEncodedContainer != part.isInEncodedContainer
                    || !parent.defects.isEmpty, "a part leaves its parent")
        }
        var end = part.headerRange.lowerBound
        for field in part.header {
            precondition(field.range.lowerBound >= end, "fields overlap")
            precondition(field.range.upperBound <= part.headerRange.upperBound)
            precondition(field.valueRange.clamped(to: field.range) == field.valueRange)
            end = field.range.upperBound
        }
        precondition(message.part(part.section)?.range == part.range, "a section is not found")
        for defect in part.allDefects() {
            precondition(all.upperBound >= defect.offset && defect.offset >= 0)
        }
        _ = part.fileName
        _ = part.date
        _ = part.references
        for list in [part.from, part.to, part.replyTo] {
            for mailbox in list.mailboxes { precondition(isOneLine(mailbox.description)) }
        }
        precondition(part.subject.map(isOneLine) ?? true, "a subject is more than a line")
        precondition(part.fileName.map(isOneLine) ?? true, "a file name is more than a line")
        if part.kind == .leaf { _ = part.text() }
    }

    private static func outline(_ message: Message) -> [String] {
        message.parts.map { part in
            "\(part.kind) \(part.depth) \(part.range) \(part.bodyRange) \(part.header.map(\.range)) \(part.defects)"
        }
    }

    private static func parsed(_ pieces: [ArraySlice<UInt8>]) -> [String] {
        var parser = MessageParser()
        for piece in pieces { parser.receive(piece) }
        return outline(parser.finish())
    }
}

/// Whether nothing in a text could end a line or move a terminal's cursor.
func isOneLine(_ text: String) -> Bool {
    !text.unicodeScalars.contains { $0.properties.generalCategory == .control }
}
