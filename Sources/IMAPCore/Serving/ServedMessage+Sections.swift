import MartletBytes
import MartletMIME

extension ServedMessage {
    /// The octets of a section. RFC 9051 §6.4.5.1.
    ///
    /// `HEADER`, its fields and `TEXT` with a part's number are those of the message that the part is; there are none in
    /// other parts. The body of a message that is no multipart is its part 1, whose `MIME` is the message's header.
    /// - Returns: `.missing` where there is no such part, or no such thing in it.
    package mutating func section(_ section: MessageSection) -> SectionContent {
        if section == .message { return .piece(octets, 0..<octets.count) }
        if section.part == .message {
            // Nothing but its header is needed to tell it from the rest.
            let root = header()
            if case .text = section.content {
                return .piece(octets, root.headerRange.upperBound..<octets.count)
            }
            return content(section.content, of: root, in: octets)
        }
        guard let part = part(section.part) else { return .missing }
        switch section.content {
        case .whole: return .piece(part.octets, part.bodyRange)
        case .mime: return .piece(part.octets, part.headerRange)
        case .header, .headerFields, .headerFieldsNot, .text:
            guard let embedded = part.embeddedMessage else { return .missing }
            return content(section.content, of: embedded, in: embedded.octets)
        }
    }

    /// The octets that an old name of a section stands for. RFC 3501 §6.4.5.
    package mutating func section(_ part: RFC822Part) -> SectionContent {
        switch part {
        case .message: section(MessageSection.message)
        case .header: section(MessageSection.header)
        case .text: section(MessageSection.text)
        }
    }

    private func content(
        _ content: MessageSection.Content, of message: Part, in octets: Octets
    ) -> SectionContent {
        switch content {
        case .whole: .piece(octets, message.range)
        case .header: .piece(octets, message.headerRange)
        case .text: .piece(octets, message.bodyRange)
        case .headerFields(let names): .made(message.fields(names, areWanted: true))
        case .headerFieldsNot(let names): .made(message.fields(names, areWanted: false))
        case .mime: .missing
        }
    }

    /// The part with a number; `nil` if there is none. Without a number there is no part.
    mutating func part(_ number: PartNumber) -> Part? {
        var part: Part?
        // The message whose body the next number counts in.
        var message: Part? = message().root
        for number in number.path {
            if let body = message {
                part = body.bodyPart(number)
            } else {
                part = part.flatMap { $0.kind == .multipart ? $0.child(number) : nil }
            }
            guard let found = part else { return nil }
            message = found.embeddedMessage
        }
        return part
    }
}

extension Part {
    /// The part with a number in the message that this is.
    fileprivate func bodyPart(_ number: UInt32) -> Part? {
        if kind == .multipart, children.contains(where: { _ in true }) { return child(number) }
        return number == 1 ? self : nil
    }

    fileprivate func child(_ number: UInt32) -> Part? {
        var rest = number
        for child in children {
            rest -= 1
            if rest == 0 { return child }
        }
        return nil
    }

    /// Fields of the header by their names, or all others with what is between them; and the empty line behind.
    ///
    /// Where the header has no empty line since there is no body, as RFC 9051 §6.4.5.1 has it, there is none.
    fileprivate func fields(_ names: [String], areWanted: Bool) -> [UInt8] {
        let names = Set(names.map { String(decoding: $0.utf8.map(\.lowercased), as: UTF8.self) })
        return octets.withUnsafeBytes { octets in
            var result: [UInt8] = []
            var end = headerRange.lowerBound
            let emptyLine = octets.emptyLine(before: headerRange)
            for field in header {
                let name = String(decoding: field.name.utf8.map(\.lowercased), as: UTF8.self)
                let isNamed = names.contains(name)
                if !areWanted {
                    let start = isNamed ? field.range.lowerBound : field.range.upperBound
                    result += octets[end..<max(end, start)]
                } else if isNamed {
                    result += octets[field.range]
                }
                end = max(end, field.range.upperBound)
            }
            if !areWanted { result += octets[end..<max(end, emptyLine.lowerBound)] }
            return result + octets[emptyLine]
        }
    }
}

extension UnsafeRawBufferPointer {
    /// The empty line at the end of a header; empty if there is none.
    fileprivate func emptyLine(before header: Range<Int>) -> Range<Int> {
        let end = header.upperBound
        var start = end
        guard start > header.lowerBound, self[start - 1].isLineBreak else { return end..<end }
        if self[start - 1] == ASCII.lf, start - 1 > header.lowerBound, self[start - 2] == ASCII.cr {
            start -= 1
        }
        start -= 1
        guard start == header.lowerBound || self[start - 1].isLineBreak else { return end..<end }
        return start..<end
    }
}
