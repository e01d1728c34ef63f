import MartletBytes
import MartletMIME

/// The items of a FETCH, each as it is named.
extension IMAPCursor {
    /// One item.
    mutating func fetchItem() throws(ParseFailure) -> FetchItem {
        let item =
            switch next.uppercased {
            case UInt8(ascii: "B"): try bodyItem()
            case UInt8(ascii: "R"): try rfc822Item()
            case UInt8(ascii: "X"): try gmailItem()
            default: try otherItem()
            }
        if let item { return item }
        return try unknownItem()
    }

    /// Reads an item's name and the space behind it, if it is there.
    private mutating func name(_ name: StaticString) -> Bool {
        guard wordIfPresent(name) else { return false }
        skipSpaces()
        return true
    }

    private mutating func otherItem() throws(ParseFailure) -> FetchItem? {
        if name("UID") { return .uid(try uid()) }
        if name("FLAGS") { return .flags(try flagList()) }
        if name("ENVELOPE") {
            return .envelope(
                try damageable { cursor throws(ParseFailure) in try cursor.envelope() })
        }
        if name("INTERNALDATE") { return .internalDate(try internalDate()) }
        if name("MODSEQ") { return .modSeq(try modSeqItem()) }
        if name("EMAILID") { return .emailID(try objectID()) }
        if name("THREADID") { return .threadID(nilIfPresent() ? nil : try objectID()) }
        if name("PREVIEW") { return .preview(try preview()) }
        if name("SAVEDATE") { return .saveDate(nilIfPresent() ? nil : try internalDate()) }
        return nil
    }

    private mutating func rfc822Item() throws(ParseFailure) -> FetchItem? {
        if name("RFC822.SIZE") { return .size(try messageSize()) }
        if name("RFC822") { return .rfc822(.message, try nstringData()) }
        if name("RFC822.HEADER") { return .rfc822(.header, try nstringData()) }
        if name("RFC822.TEXT") { return .rfc822(.text, try nstringData()) }
        return nil
    }

    private mutating func gmailItem() throws(ParseFailure) -> FetchItem? {
        if name("X-GM-MSGID") { return .gmailMessageID(try unsigned64()) }
        if name("X-GM-THRID") { return .gmailThreadID(try unsigned64()) }
        if name("X-GM-LABELS") { return .gmailLabels(try gmailLabels()) }
        return nil
    }

    private mutating func bodyItem() throws(ParseFailure) -> FetchItem? {
        if name("BODYSTRUCTURE") { return .bodyStructure(try bodyStructureItem()) }
        if name("BODY") { return .body(try bodyStructureItem()) }
        let start = index
        let word = prefix { $0.isLetter || $0 == ASCII.dot }.uppercasedText
        if next == UInt8(ascii: "[") {
            switch word {
            case "BODY": return try sectionItem()
            case "BINARY": return try binaryItem()
            case "BINARY.SIZE":
                let part = try sectionBinary()
                try space()
                return .binarySize(part, try number64())
            default: break
            }
        }
        index = start
        return nil
    }

    private mutating func unknownItem() throws(ParseFailure) -> FetchItem {
        let name = itemName()
        guard takeIfPresent(ASCII.space) else { return .unknown(name: name, octets: []) }
        skipSpaces()
        if isAtEnd || next == UInt8(ascii: ")") { return .unknown(name: name, octets: []) }
        guard let value = anyValue() else { throw failure("a value") }
        return .unknown(name: name, octets: Array(value))
    }

    private mutating func bodyStructureItem() throws(ParseFailure) -> Damageable<BodyStructure> {
        try damageable { cursor throws(ParseFailure) in try cursor.bodyStructure() }
    }

    // "MODSEQ" SP "(" mod-sequence-value ")" ; RFC 7162 §7
    private mutating func modSeqItem() throws(ParseFailure) -> ModSequence {
        let isInParentheses = takeIfPresent(UInt8(ascii: "("))
        let value = try modSequence()
        if isInParentheses { try expect(UInt8(ascii: ")"), "\")\"") }
        return value
    }

    /// QUIRK(mailru-size-exponent): `9.3736e+06` for 9373600.
    private mutating func messageSize() throws(ParseFailure) -> UInt64 {
        let start = index
        let size = try number64()
        guard next == ASCII.dot || next.lowercased == UInt8(ascii: "e") else { return size }
        let word = prefix {
            $0.isDigit || $0.isLetter || $0 == ASCII.dot || $0 == UInt8(ascii: "+")
        }
        guard let value = Double(octets[start..<index].text), value < 9e18, word.count < 40 else {
            index = start
            throw failure("number64")
        }
        return UInt64(value)
    }

    // "PREVIEW" SP nstring ; RFC 8970 §6. Drafts had the name of an algorithm and parentheses.
    private mutating func preview() throws(ParseFailure) -> String? {
        if next == UInt8(ascii: "("), !has(UInt8(ascii: ")"), at: 1) {
            index += 1
            _ = try atom()
            try space()
            let text = try nstring().map(\.text)
            try expect(UInt8(ascii: ")"), "\")\"")
            return text
        }
        return try nstring().map(\.text)
    }

    private mutating func gmailLabels() throws(ParseFailure) -> [GmailLabel] {
        var labels: [GmailLabel] = []
        if nilIfPresent() { return labels }
        try list { cursor throws(ParseFailure) in
            let label = try cursor.stringIfPresent() ?? cursor.looseWord()
            labels.append(GmailLabel(wire: label, isUTF8: cursor.isUTF8))
        }
        return labels
    }

    private mutating func sectionItem() throws(ParseFailure) -> FetchItem {
        let section = try section()
        let origin = try origin()
        skipSpaces()
        return .section(section, origin: origin, try nstringData())
    }

    private mutating func binaryItem() throws(ParseFailure) -> FetchItem {
        let part = try sectionBinary()
        let origin = try origin()
        skipSpaces()
        return .binary(part, origin: origin, try nstringData())
    }

    // section-binary = "[" [section-part] "]"
    private mutating func sectionBinary() throws(ParseFailure) -> PartNumber {
        try expect(UInt8(ascii: "["), "\"[\"")
        let (part, _) = try partNumber()
        try expect(UInt8(ascii: "]"), "\"]\"")
        return part
    }

    // "<" number ">"
    private mutating func origin() throws(ParseFailure) -> UInt64? {
        guard takeIfPresent(UInt8(ascii: "<")) else { return nil }
        let origin = try number64()
        // Some servers repeat the length that was asked for.
        if takeIfPresent(ASCII.dot) { _ = try number64() }
        try expect(UInt8(ascii: ">"), "\">\"")
        return origin
    }
}
