import MartletBytes
import MartletMIME

extension IMAPCursor {
    // message-data = nz-number SP ("EXPUNGE" / ("FETCH" SP msg-att)) ; RFC 9586 §7: uniqueid SP "UIDFETCH" SP msg-att
    /// What stands behind the name.
    ///
    /// QUIRK(courier-number-zero): `* 0 FETCH`: the number says nothing, a UID among the items does.
    mutating func fetchResponse(
        _ number: UInt32, isUID: Bool, _ known: inout UntaggedStart
    ) throws(ParseFailure) -> FetchResponse {
        var response = FetchResponse(number: isUID ? nil : SequenceNumber(number), items: [])
        if isUID {
            guard let uid = UID(number) else { throw failure("uniqueid before UIDFETCH") }
            response.items.append(.uid(uid))
            known.uid = uid
        }
        skipSpaces()
        guard next == UInt8(ascii: "(") else { throw failure("\"(\"") }
        response.items.reserveCapacity(4)
        fetchItems(into: &response.items)
        // Said twice, it would be there twice.
        if isUID, response.items.dropFirst().contains(response.items[0]) {
            response.items.remove(at: 0)
        }
        return response
    }

    // msg-att = "(" (msg-att-dynamic / msg-att-static) *(SP (msg-att-dynamic / msg-att-static)) ")"
    /// All items up to the end; those that cannot be read are damaged ones among the others.
    ///
    /// QUIRK(domino-double-parentheses): one pair too many around the items.
    /// QUIRK(xeams-early-parenthesis): items behind the parenthesis that should end them.
    mutating func fetchItems(into items: inout [FetchItem]) {
        let start = index
        readFetchItems(into: &items)
        if sawDamage, !items.contains(where: { if case .uid = $0 { true } else { false } }),
            let uid = uid(behind: start)
        {
            items.append(.uid(uid))
        }
    }

    private mutating func readFetchItems(into items: inout [FetchItem]) {
        while true {
            while index < end,
                octets[index] == ASCII.space || octets[index] == UInt8(ascii: "(")
                    || octets[index] == UInt8(ascii: ")") || octets[index] == ASCII.tab
            { index += 1 }
            if isAtEnd { return }
            let start = index
            guard items.count < FetchResponse.itemCountLimit else {
                let failure = failure("fewer items")
                index = end
                return items.append(.damaged(name: "", octets: Array(octets[start..<end]), failure))
            }
            do throws(ParseFailure) {
                let item = try fetchItem()
                guard isAtEnd || endsFetchItem(next) else { throw failure("SP or \")\"") }
                items.append(item)
            } catch {
                index = start
                skipDamagedItem(from: start, error, into: &items)
            }
        }
    }

    private func endsFetchItem(_ octet: UInt8) -> Bool {
        octet == ASCII.space || octet == UInt8(ascii: ")") || octet == ASCII.tab
    }

    /// Finds the end of the item that begins at `start` by what is balanced in it.
    private mutating func skipDamagedItem(
        from start: Int, _ failure: ParseFailure, into items: inout [FetchItem]
    ) {
        sawDamage = true
        let name = itemName()
        skipSpaces()
        if next != UInt8(ascii: ")"), anyValue() == nil {
            // Nothing closes it: the rest of the response is lost, but for who it is about.
            index = end
        }
        if index == start { index += 1 }
        items.append(
            .damaged(name: name, octets: Array(octets[start..<index]), failure))
    }

    /// The name of an item with what stands in brackets and angle brackets behind it.
    private mutating func itemName() -> String {
        let start = index
        _ = prefix {
            $0 > ASCII.space && $0 != UInt8(ascii: "[") && $0 != UInt8(ascii: "(")
                && $0 != UInt8(ascii: ")")
        }
        if next == UInt8(ascii: "[") {
            let bracket = index
            if let close = octets[index..<end].firstIndex(of: UInt8(ascii: "]")) {
                index = close + 1
            } else {
                index = bracket + 1
            }
            if next == UInt8(ascii: "<") { _ = prefix { $0 > ASCII.space } }
        }
        return octets[start..<index].uppercasedText
    }

    /// A UID that stands somewhere behind `start`, outside of strings: in a response of which parts could not be read it
    /// may be within what was taken for another item.
    private func uid(behind start: Int) -> UID? {
        var cursor = self
        cursor.index = start
        while cursor.index < end {
            switch octets[cursor.index] {
            case ASCII.quote:
                guard let string = cursor.quotedString(from: cursor.index) else { return nil }
                cursor.index = string.content.upperBound + 1
            case UInt8(ascii: "{"), UInt8(ascii: "~"):
                if (try? cursor.literalData()) == nil { cursor.index += 1 }
            case ASCII.space, UInt8(ascii: "("):
                cursor.index += 1
                if cursor.wordIfPresent("UID"), cursor.takeIfPresent(ASCII.space),
                    let uid = try? cursor.uid(), cursor.isAtEnd || endsFetchItem(cursor.next)
                {
                    return uid
                }
            default: cursor.index += 1
            }
        }
        return nil
    }

    /// One item.
    private mutating func fetchItem() throws(ParseFailure) -> FetchItem {
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

    /// A value, or its octets where it cannot be read.
    ///
    /// - Throws: where the end of the value cannot be found either.
    mutating func damageable<Value>(
        _ read: (inout IMAPCursor) throws(ParseFailure) -> Value
    ) throws(ParseFailure) -> Damageable<Value> {
        let start = index
        do throws(ParseFailure) {
            let value = try read(&self)
            guard isAtEnd || endsFetchItem(next) else { throw failure("SP or \")\"") }
            return .value(value)
        } catch {
            index = start
            guard let octets = anyValue() else { throw error }
            sawDamage = true
            return .damaged(octets: Array(octets), error)
        }
    }

    // MARK: Items

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
