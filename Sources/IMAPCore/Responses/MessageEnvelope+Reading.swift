import MartletBytes

extension IMAPCursor {
    // envelope = "(" env-date SP env-subject SP env-from SP env-sender SP env-reply-to SP env-to SP env-cc SP env-bcc
    //            SP env-in-reply-to SP env-message-id ")"
    /// QUIRK(short-envelope): those at the end may be missing, and more may follow.
    mutating func envelope() throws(ParseFailure) -> MessageEnvelope {
        var envelope = MessageEnvelope()
        try expect(UInt8(ascii: "("), "\"(\"")
        var place = 0
        var from = index..<index
        try elements(until: UInt8(ascii: ")")) { cursor throws(ParseFailure) in
            switch place {
            case 0: envelope.dateOctets = try cursor.nstringOctets()
            case 1: envelope.subjectOctets = try cursor.nstringOctets()
            case 2:
                let start = cursor.index
                envelope.from = try cursor.addresses()
                from = start..<cursor.index
            case 3:
                envelope.sender =
                    cursor.skipIfPresent(from) ? envelope.from : try cursor.addresses()
            case 4:
                envelope.replyTo =
                    cursor.skipIfPresent(from) ? envelope.from : try cursor.addresses()
            case 5: envelope.to = try cursor.addresses()
            case 6: envelope.cc = try cursor.addresses()
            case 7: envelope.bcc = try cursor.addresses()
            case 8: envelope.inReplyToOctets = try cursor.nstringOctets()
            case 9: envelope.messageIDOctets = try cursor.nstringOctets()
            default:
                guard cursor.anyValue() != nil else { throw cursor.failure("\")\"") }
            }
            place += 1
        }
        return envelope
    }

    /// Skips the same octets as those that were read before, if they are next: most senders are their messages' authors,
    /// and their addresses are kept once.
    private mutating func skipIfPresent(_ earlier: Range<Int>) -> Bool {
        guard octets[earlier.lowerBound] == UInt8(ascii: "("), earlier.count <= end - index,
            // Data that are not here are told apart by where they stood.
            detached.isEmpty, octets[earlier] == octets[index..<index + earlier.count]
        else { return false }
        index += earlier.count
        return true
    }

    // env-from = "(" 1*address ")" / nil
    private mutating func addresses() throws(ParseFailure) -> [EnvelopeAddress] {
        if nilIfPresent() { return [] }
        var addresses: [EnvelopeAddress] = []
        try list { cursor throws(ParseFailure) in
            if cursor.nilIfPresent() { return }
            addresses.append(try cursor.address())
        }
        return addresses
    }

    // address = "(" addr-name SP addr-adl SP addr-mailbox SP addr-host ")"
    private mutating func address() throws(ParseFailure) -> EnvelopeAddress {
        var address = EnvelopeAddress(mailbox: nil, host: nil)
        try expect(UInt8(ascii: "("), "address")
        var place = 0
        try elements(until: UInt8(ascii: ")")) { cursor throws(ParseFailure) in
            guard place < 4 else {
                guard cursor.anyValue() != nil else { throw cursor.failure("\")\"") }
                return
            }
            let octets = try cursor.nstringOctets()
            switch place {
            case 0: address.name = octets
            case 1: address.route = octets
            case 2: address.mailbox = octets
            default: address.host = octets
            }
            place += 1
        }
        return address
    }
}
