import MartletBytes

/// What stands in the brackets of `BODY[…]`: which octets of a message. RFC 9051 §6.4.5.1 `section-spec`.
///
///     BODY[]   BODY[HEADER.FIELDS (Subject Date)]   BODY[2.1]   BODY[2.1.MIME]
public struct MessageSection: Hashable, Sendable {
    /// Which octets of the part.
    public enum Content: Hashable, Sendable {
        /// All of the message, or the body of the part.
        case whole
        /// The header of the message, or of the message that the part is.
        case header
        /// Fields of that header, by name.
        case headerFields([String])
        /// That header without some fields.
        case headerFieldsNot([String])
        /// What stands behind that header.
        case text
        /// The header of the part itself. Not for the message.
        case mime
    }

    /// Which part; empty for the message.
    public var part: PartNumber
    /// Which of its octets.
    public var content: Content

    /// Makes one.
    public init(_ part: PartNumber = .message, _ content: Content = .whole) {
        self.part = part
        self.content = content
    }

    /// `BODY[]`: all of the message.
    public static let message = MessageSection()
    /// `BODY[HEADER]`: its header.
    public static let header = MessageSection(.message, .header)
    /// `BODY[TEXT]`: what stands behind its header.
    public static let text = MessageSection(.message, .text)
}

extension MessageSection: CustomStringConvertible {
    /// What stands in the brackets. Names that are no atoms are in quotes.
    public var description: String {
        let word: String
        switch content {
        case .whole: word = ""
        case .header: word = "HEADER"
        case .headerFields(let names): word = "HEADER.FIELDS " + Self.list(names)
        case .headerFieldsNot(let names): word = "HEADER.FIELDS.NOT " + Self.list(names)
        case .text: word = "TEXT"
        case .mime: word = "MIME"
        }
        let number = part.description
        return number.isEmpty || word.isEmpty ? number + word : number + "." + word
    }

    private static func list(_ names: [String]) -> String {
        "(" + names.map(astring).joined(separator: " ") + ")"
    }

    private static func astring(_ name: String) -> String {
        let octets = name.utf8
        if !octets.isEmpty, octets.allSatisfy({ $0.isAtomOctet || $0 == UInt8(ascii: "]") }) {
            return name
        }
        // What would end the line is in no field's name.
        var quoted: [UInt8] = [ASCII.quote]
        for octet in octets where !octet.isControl {
            if octet == ASCII.quote || octet == ASCII.backslash { quoted.append(ASCII.backslash) }
            quoted.append(octet)
        }
        return String(decoding: quoted + [ASCII.quote], as: UTF8.self)
    }
}

extension IMAPCursor {
    // section = "[" [section-spec] "]"
    /// A section with its brackets.
    package mutating func section() throws(ParseFailure) -> MessageSection {
        try expect(UInt8(ascii: "["), "\"[\"")
        let (part, isBeforeText) = try partNumber()
        var section = MessageSection(part)
        if isBeforeText || part.path.isEmpty && next != UInt8(ascii: "]") {
            section.content = try sectionText()
            guard section.content != .mime || !part.path.isEmpty || !isStrict else {
                throw failure("section-msgtext")
            }
        }
        try expect(UInt8(ascii: "]"), "\"]\"")
        return section
    }

    // section-part = nz-number *("." nz-number)
    /// A part's number, perhaps none, and whether a dot follows it.
    mutating func partNumber() throws(ParseFailure) -> (PartNumber, isBeforeText: Bool) {
        var part = PartNumber.message
        guard next.isDigit else { return (part, false) }
        repeat {
            guard part.path.count < limits.nestingDepth else {
                throw failure("a shorter section-part")
            }
            part.path.append(try nzNumber())
            guard takeIfPresent(ASCII.dot) else { return (part, false) }
        } while next.isDigit
        return (part, true)
    }

    // section-text = section-msgtext / "MIME"
    private mutating func sectionText() throws(ParseFailure) -> MessageSection.Content {
        let start = index
        switch try keyword() {
        case "HEADER": return .header
        case "HEADER.FIELDS": return .headerFields(try headerList())
        case "HEADER.FIELDS.NOT": return .headerFieldsNot(try headerList())
        case "TEXT": return .text
        case "MIME": return .mime
        default:
            index = start
            throw failure("section-text")
        }
    }

    // header-list = "(" header-fld-name *(SP header-fld-name) ")"
    private mutating func headerList() throws(ParseFailure) -> [String] {
        var names: [String] = []
        try space()
        try list { cursor throws(ParseFailure) in names.append(try cursor.astring().text) }
        return names
    }
}
