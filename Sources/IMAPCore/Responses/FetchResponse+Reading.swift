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
        // Short ones are those of UID and FLAGS.
        response.items.reserveCapacity(end - index < 80 ? 2 : 4)
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
    mutating func itemName() -> String {
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
}
