import MartletBytes

extension CommandEncoder {
    /// `(UID FLAGS)`.
    ///
    /// - Throws: `.invalidInput` for none, and for what cannot be asked for; `.unsupported` for what the server lacks.
    mutating func attributes(_ attributes: [FetchAttribute]) throws(IMAPError) {
        guard !attributes.isEmpty else { throw .invalidInput("FETCH needs something to ask for") }
        try list(attributes) { encoder, attribute throws(IMAPError) in
            if let capability = attribute.capability { try encoder.require(capability) }
            try encoder.attribute(attribute)
        }
    }

    private mutating func attribute(_ attribute: FetchAttribute) throws(IMAPError) {
        switch attribute {
        case .uid: text("UID")
        case .flags: text("FLAGS")
        case .internalDate: text("INTERNALDATE")
        case .size: text("RFC822.SIZE")
        case .envelope: text("ENVELOPE")
        case .bodyStructure: text("BODYSTRUCTURE")
        case .body: text("BODY")
        case .section(let section, let range, let peek):
            text(peek ? "BODY.PEEK" : "BODY")
            try self.section(section)
            try self.range(range)
        case .binary(let part, let range, let peek):
            text(peek ? "BINARY.PEEK[" : "BINARY[")
            try self.part(part)
            text("]")
            try self.range(range)
        case .binarySize(let part):
            text("BINARY.SIZE[")
            try self.part(part)
            text("]")
        case .rfc822(let part): raw(part.rawValue.utf8)
        case .modSeq: text("MODSEQ")
        case .emailID: text("EMAILID")
        case .threadID: text("THREADID")
        case .preview(let isLazy): text(isLazy ? "PREVIEW (LAZY)" : "PREVIEW")
        case .saveDate: text("SAVEDATE")
        case .gmailMessageID: text("X-GM-MSGID")
        case .gmailThreadID: text("X-GM-THRID")
        case .gmailLabels: text("X-GM-LABELS")
        case .raw(let words): try rawWords(words, "item of FETCH")
        }
    }

    // section = "[" [section-spec] "]"
    private mutating func section(_ section: MessageSection) throws(IMAPError) {
        text("[")
        try part(section.part)
        if case .whole = section.content { return text("]") }
        if !section.part.path.isEmpty { text(".") }
        switch section.content {
        case .whole: break
        case .header: text("HEADER")
        case .headerFields(let names):
            text("HEADER.FIELDS ")
            try headerNames(names)
        case .headerFieldsNot(let names):
            text("HEADER.FIELDS.NOT ")
            try headerNames(names)
        case .text: text("TEXT")
        case .mime:
            guard !section.part.path.isEmpty else {
                throw .invalidInput("MIME is the header of a part; the message's own is HEADER")
            }
            text("MIME")
        }
        text("]")
    }

    private mutating func headerNames(_ names: [String]) throws(IMAPError) {
        guard !names.isEmpty else { throw .invalidInput("no header fields are named") }
        try list(names) { encoder, name throws(IMAPError) in try encoder.headerName(name) }
    }

    /// The name of a header field. RFC 5322 §2.2.
    mutating func headerName(_ name: String) throws(IMAPError) {
        guard !name.isEmpty, name.utf8.count <= Self.nameLimitInOctets,
            name.utf8.allSatisfy({
                $0 > ASCII.space && $0 < ASCII.del && $0 != UInt8(ascii: ":")
            })
        else { throw .invalidInput("\"\(name.excerpt)\" is no name of a header field") }
        astring(name.utf8)
    }

    private mutating func part(_ part: PartNumber) throws(IMAPError) {
        guard part.path.allSatisfy({ $0 > 0 }), part.path.count <= IMAPLimits.standard.nestingDepth
        else { throw .invalidInput("parts are numbered from 1, and nest no deeper than 100") }
        raw(part.description.utf8)
    }

    private mutating func range(_ range: OctetRange?) throws(IMAPError) {
        guard let range else { return }
        guard range.count > 0, range.origin <= Int64.max, range.count <= Int64.max else {
            throw .invalidInput("a range of octets has at least one, and numbers of 63 bits")
        }
        text("<")
        number(range.origin)
        text(".")
        number(range.count)
        text(">")
    }

    /// Words of the caller's own: printable ASCII, quotes and parentheses balanced, and no literal.
    mutating func rawWords(_ words: String, _ what: StaticString) throws(IMAPError) {
        var depth = 0
        var isQuoted = false
        var isEscaped = false
        var isWellFormed = !words.isEmpty && words.utf8.count <= Self.nameLimitInOctets
        for octet in words.utf8 where isWellFormed {
            if octet < ASCII.space || octet >= ASCII.del { isWellFormed = false }
            if isQuoted {
                if octet == ASCII.quote, !isEscaped { isQuoted = false }
                isEscaped = octet == ASCII.backslash && !isEscaped
                continue
            }
            switch octet {
            case ASCII.quote: isQuoted = true
            case UInt8(ascii: "("): depth += 1
            case UInt8(ascii: ")"): depth -= 1
            case UInt8(ascii: "{"): isWellFormed = false
            default: break
            }
            if depth < 0 { isWellFormed = false }
        }
        guard isWellFormed, !isQuoted, depth == 0 else {
            throw .invalidInput("\"\(words.excerpt)\" cannot be sent as an \(what)")
        }
        raw(words.utf8)
    }
}
