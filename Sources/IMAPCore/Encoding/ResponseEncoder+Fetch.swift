import MartletBytes
import MartletMIME

extension ResponseEncoder {
    mutating func write(_ fetch: FetchResponse) {
        var items = fetch.items[...]
        if let number = fetch.number {
            self.number(UInt64(number.rawValue))
            write(" FETCH ")
        } else if let uid = fetch.uid {
            number(UInt64(uid.rawValue))
            write(" UIDFETCH ")
            if items.first == .uid(uid) { items = items.dropFirst() }
        } else {
            write("0 FETCH ")
        }
        parenthesized(items) { $0.write($1) }
    }

    private mutating func write(_ item: FetchItem) {
        switch item {
        case .uid(let uid): value("UID ", UInt64(uid.rawValue))
        case .flags(let flags):
            write("FLAGS ")
            write(flags)
        case .internalDate(let date):
            write("INTERNALDATE ")
            dateTime(date)
        case .size(let size): value("RFC822.SIZE ", size)
        case .envelope(let envelope):
            write("ENVELOPE ")
            write(envelope) { $0.write($1) }
        case .bodyStructure(let structure):
            write("BODYSTRUCTURE ")
            write(structure) { $0.write($1, isExtended: true) }
        case .body(let structure):
            write("BODY ")
            write(structure) { $0.write($1, isExtended: false) }
        case .section(let section, let origin, let data):
            write("BODY[\(section)]")
            write(data, from: origin)
        case .binary(let part, let origin, let data):
            write("BINARY[\(part)]")
            write(data, from: origin)
        case .binarySize(let part, let size):
            write("BINARY.SIZE[\(part)] ")
            number(size)
        case .rfc822(let part, let data):
            write(part.rawValue)
            write(" ")
            self.data(data)
        default: writeRare(item)
        }
    }

    private mutating func writeRare(_ item: FetchItem) {
        switch item {
        case .modSeq(let modSeq):
            write("MODSEQ (")
            number(modSeq.rawValue)
            write(")")
        case .emailID(let id): write("EMAILID ", id)
        case .threadID(let id): write("THREADID ", id)
        case .preview(let text):
            write("PREVIEW ")
            nstring(text?.utf8)
        case .saveDate(let date):
            write("SAVEDATE ")
            if let date { dateTime(date) } else { write("NIL") }
        case .gmailMessageID(let id): value("X-GM-MSGID ", id)
        case .gmailThreadID(let id): value("X-GM-THRID ", id)
        case .gmailLabels(let labels):
            write("X-GM-LABELS ")
            parenthesized(labels) { encoder, label in
                if label.isSystemLabel {
                    encoder.flag(label.text)
                } else {
                    encoder.astring(label.octets(isUTF8: encoder.isUTF8))
                }
            }
        case .unknown(let name, let octets):
            write(name)
            if !octets.isEmpty { write(" ") }
            self.octets += octets
        case .damaged(_, let octets, _): self.octets += octets
        default: break
        }
    }

    private mutating func value(_ name: StaticString, _ value: UInt64) {
        write(name)
        number(value)
    }

    private mutating func write(_ name: StaticString, _ id: ObjectID?) {
        write(name)
        guard let id else { return write("NIL") }
        write("(")
        astring(id.rawValue.utf8)
        write(")")
    }

    private mutating func write(_ data: MessageData, from origin: UInt64?) {
        if let origin { write("<\(origin)>") }
        write(" ")
        self.data(data)
    }

    /// A value, or the octets of a damaged one.
    mutating func write<Value>(
        _ value: Damageable<Value>, _ body: (inout ResponseEncoder, Value) -> Void
    ) {
        switch value {
        case .value(let value): body(&self, value)
        case .damaged(let octets, _): self.octets += octets
        }
    }

    // MARK: Envelopes

    mutating func write(_ envelope: MessageEnvelope) {
        write("(")
        nstring(envelope.dateOctets)
        spaced { $0.nstring(envelope.subjectOctets) }
        for addresses in [
            envelope.from, envelope.sender, envelope.replyTo, envelope.to, envelope.cc,
            envelope.bcc,
        ] {
            spaced { $0.write(addresses) }
        }
        spaced { $0.nstring(envelope.inReplyToOctets) }
        spaced { $0.nstring(envelope.messageIDOctets) }
        write(")")
    }

    private mutating func write(_ addresses: [EnvelopeAddress]) {
        guard !addresses.isEmpty else { return write("NIL") }
        write("(")
        for address in addresses {
            parenthesized([address.name, address.route, address.mailbox, address.host]) {
                $0.nstring($1)
            }
        }
        write(")")
    }
}
