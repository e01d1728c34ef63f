import MartletBytes

extension CommandParser {
    static let messageCommands: [String: Rule] = [
        "EXPUNGE": { _ throws(CommandProblem) in .expunge },
        "FETCH": { reader throws(CommandProblem) in .fetch(try reader.fetch()) },
        "STORE": { reader throws(CommandProblem) in .store(try reader.store()) },
        "COPY": { reader throws(CommandProblem) in
            let messages: MessageSelection<SequenceNumber> = try reader.messageArgument()
            return .copy(.init(messages, to: try reader.mailboxArgument()))
        },
        "MOVE": { reader throws(CommandProblem) in
            let messages: MessageSelection<SequenceNumber> = try reader.messageArgument()
            return .move(.init(messages, to: try reader.mailboxArgument()))
        },
        "APPEND": { reader throws(CommandProblem) in .append(try reader.append()) },
        "REPLACE": { reader throws(CommandProblem) in .replace(try reader.replace()) },
    ]

    static let uidCommands: [String: Rule] = [
        "EXPUNGE": { reader throws(CommandProblem) in
            .uidExpunge(.init(try reader.messageArgument()))
        },
        "FETCH": { reader throws(CommandProblem) in .uidFetch(try reader.fetch()) },
        "STORE": { reader throws(CommandProblem) in .uidStore(try reader.store()) },
        "COPY": { reader throws(CommandProblem) in
            let messages: MessageSelection<UID> = try reader.messageArgument()
            return .uidCopy(.init(messages, to: try reader.mailboxArgument()))
        },
        "MOVE": { reader throws(CommandProblem) in
            let messages: MessageSelection<UID> = try reader.messageArgument()
            return .uidMove(.init(messages, to: try reader.mailboxArgument()))
        },
        "REPLACE": { reader throws(CommandProblem) in .uidReplace(try reader.replace()) },
        "SEARCH": { reader throws(CommandProblem) in .uidSearch(try reader.search()) },
        "SORT": { reader throws(CommandProblem) in .uidSort(try reader.sort()) },
        "THREAD": { reader throws(CommandProblem) in .uidThread(try reader.thread()) },
    ]
}

extension CommandReader {
    mutating func messageArgument<Number>() throws(CommandProblem) -> MessageSelection<Number> {
        try space()
        return try messages()
    }

    // MARK: FETCH

    // fetch = "FETCH" SP sequence-set SP ("ALL" / "FULL" / "FAST" / fetch-att / …) [fetch-modifiers]
    fileprivate mutating func fetch<Number>() throws(CommandProblem) -> IMAP.Fetch<Number> {
        let messages: MessageSelection<Number> = try messageArgument()
        try space()
        var command = IMAP.Fetch<Number>(messages, try fetchAttributesOrMacro())
        guard spaceIfPresent(), !cursor.isAtEnd else { return command }
        let changes = try list { reader throws(CommandProblem) in
            try reader.fetchModifier(of: Number.self)
        }
        for change in changes { change(&command) }
        guard !command.vanished || command.changedSince != nil else {
            throw .bad("VANISHED needs CHANGEDSINCE")
        }
        return command
    }

    private mutating func fetchModifier<Number>(
        of _: Number.Type
    ) throws(CommandProblem) -> (inout IMAP.Fetch<Number>) -> Void {
        switch try keyword() {
        case "CHANGEDSINCE":
            try space()
            let value = try modSequence()
            return { $0.changedSince = value }
        case "VANISHED" where Number.isUID: return { $0.vanished = true }
        case "PARTIAL" where Number.isUID:
            try space()
            let range = try partialRange()
            return { $0.partial = range }
        default: throw failure("fetch-modifier")
        }
    }

    // partial-range ; RFC 9394 §4
    mutating func partialRange() throws(CommandProblem) -> PartialRange {
        func place(_ reader: inout CommandReader) throws(CommandProblem) -> Int64 {
            let isNegative = reader.cursor.takeIfPresent(ASCII.hyphen)
            let number = Int64(try reader.nzNumber())
            return isNegative ? -number : number
        }
        let first = try place(&self)
        try expect(UInt8(ascii: ":"))
        guard let range = try? PartialRange(first, through: try place(&self)) else {
            throw failure("partial-range")
        }
        return range
    }

    private mutating func fetchAttributesOrMacro() throws(CommandProblem) -> [FetchAttribute] {
        if cursor.wordIfPresent("FAST") { return [.flags, .internalDate, .size] }
        if cursor.wordIfPresent("ALL") { return [.flags, .internalDate, .size, .envelope] }
        if cursor.wordIfPresent("FULL") { return [.flags, .internalDate, .size, .envelope, .body] }
        guard cursor.next == UInt8(ascii: "(") else { return [try fetchAttribute()] }
        return try fetchAttributes()
    }

    mutating func fetchAttributes() throws(CommandProblem) -> [FetchAttribute] {
        let attributes = try list { reader throws(CommandProblem) in try reader.fetchAttribute() }
        guard !attributes.isEmpty else { throw failure("fetch-att") }
        return attributes
    }

    // fetch-att
    private mutating func fetchAttribute() throws(CommandProblem) -> FetchAttribute {
        let name = try keyword()
        switch name {
        case "UID": return .uid
        case "FLAGS": return .flags
        case "INTERNALDATE": return .internalDate
        case "RFC822.SIZE": return .size
        case "ENVELOPE": return .envelope
        case "BODYSTRUCTURE": return .bodyStructure
        case "RFC822", "RFC822.HEADER", "RFC822.TEXT":
            return .rfc822(RFC822Part(rawValue: name) ?? .message)
        case "MODSEQ": return .modSeq
        case "EMAILID": return .emailID
        case "THREADID": return .threadID
        case "SAVEDATE": return .saveDate
        case "X-GM-MSGID": return .gmailMessageID
        case "X-GM-THRID": return .gmailThreadID
        case "X-GM-LABELS": return .gmailLabels
        case "PREVIEW": return .preview(isLazy: try lazyIfPresent())
        case "BODY" where cursor.next != UInt8(ascii: "["): return .body
        case "BODY", "BODY.PEEK":
            let section = try section()
            return .section(section, range: try octetRange(), peek: name == "BODY.PEEK")
        case "BINARY", "BINARY.PEEK":
            let part = try sectionBinary()
            return .binary(part, range: try octetRange(), peek: name == "BINARY.PEEK")
        case "BINARY.SIZE": return .binarySize(try sectionBinary())
        default: throw failure("fetch-att")
        }
    }

    private mutating func lazyIfPresent() throws(CommandProblem) -> Bool {
        var look = self
        guard look.spaceIfPresent(), look.cursor.next == UInt8(ascii: "(") else { return false }
        let words = try look.list { reader throws(CommandProblem) in try reader.keyword() }
        guard words == ["LAZY"] else { throw failure("PREVIEW modifier") }
        self = look
        return true
    }

    // section-part = nz-number *("." nz-number), and the dot behind it
    private mutating func partNumber() throws(CommandProblem) -> (PartNumber, endsWithDot: Bool) {
        var part = PartNumber.message
        while cursor.next.isDigit {
            guard part.path.count < IMAPLimits.standard.nestingDepth else {
                throw .bad("A part that is nested too deep")
            }
            part.path.append(try nzNumber())
            guard cursor.takeIfPresent(ASCII.dot) else { return (part, false) }
        }
        return (part, !part.path.isEmpty)
    }

    // section = "[" [section-spec] "]"
    private mutating func section() throws(CommandProblem) -> MessageSection {
        try expect(UInt8(ascii: "["))
        let (part, endsWithDot) = try partNumber()
        if cursor.takeIfPresent(UInt8(ascii: "]")) {
            guard !endsWithDot else { throw failure("section-text") }
            return MessageSection(part)
        }
        guard endsWithDot || part.path.isEmpty else { throw failure("section") }
        let content: MessageSection.Content
        switch try keyword() {
        case "HEADER": content = .header
        case "TEXT": content = .text
        case "MIME" where !part.path.isEmpty: content = .mime
        case "HEADER.FIELDS": content = .headerFields(try headerNames())
        case "HEADER.FIELDS.NOT": content = .headerFieldsNot(try headerNames())
        default: throw failure("section-text")
        }
        try expect(UInt8(ascii: "]"))
        return MessageSection(part, content)
    }

    private mutating func headerNames() throws(CommandProblem) -> [String] {
        try space()
        let names = try list { reader throws(CommandProblem) in try reader.headerName() }
        guard !names.isEmpty else { throw failure("header-fld-name") }
        return names
    }

    mutating func headerName() throws(CommandProblem) -> String {
        let name = try astring()
        guard !name.isEmpty,
            name.utf8.allSatisfy({ $0 > ASCII.space && $0 < ASCII.del && $0 != UInt8(ascii: ":") })
        else { throw failure("header-fld-name") }
        return name
    }

    // section-binary = "[" [section-part] "]"
    private mutating func sectionBinary() throws(CommandProblem) -> PartNumber {
        try expect(UInt8(ascii: "["))
        let (part, endsWithDot) = try partNumber()
        guard !endsWithDot else { throw failure("section-part") }
        try expect(UInt8(ascii: "]"))
        return part
    }

    // partial = "<" number64 "." nz-number64 ">"
    private mutating func octetRange() throws(CommandProblem) -> OctetRange? {
        guard cursor.takeIfPresent(ASCII.less) else { return nil }
        let origin = try number64()
        try expect(ASCII.dot)
        let count = try number64()
        try expect(ASCII.greater)
        guard count > 0 else { throw failure("nz-number64") }
        return OctetRange(from: origin, count: count)
    }

    // MARK: STORE

    // store = "STORE" SP sequence-set [store-modifiers] SP store-att-flags
    fileprivate mutating func store<Number>() throws(CommandProblem) -> IMAP.Store<Number> {
        let messages: MessageSelection<Number> = try messageArgument()
        try space()
        var unchangedSince: ModSequence?
        if cursor.takeIfPresent(UInt8(ascii: "(")) {
            try word("UNCHANGEDSINCE")
            try space()
            unchangedSince = try modSequence()
            try expect(UInt8(ascii: ")"))
            try space()
        }
        let operation: StoreChange.Operation =
            cursor.takeIfPresent(UInt8(ascii: "+"))
            ? .add : cursor.takeIfPresent(ASCII.hyphen) ? .remove : .replace
        let item = try keyword()
        let isSilent = item.hasSuffix(".SILENT")
        try space()
        let change: StoreChange
        switch item {
        case "FLAGS", "FLAGS.SILENT":
            let flags =
                cursor.next == UInt8(ascii: "(")
                ? try flags() : try words { reader throws(CommandProblem) in try reader.flag() }
            change = .flags(operation, flags)
        case "X-GM-LABELS", "X-GM-LABELS.SILENT":
            let labels =
                cursor.next == UInt8(ascii: "(")
                ? try list { reader throws(CommandProblem) in try reader.gmailLabel() }
                : try words { reader throws(CommandProblem) in try reader.gmailLabel() }
            change = .labels(operation, labels)
        default: throw failure("store-att-flags")
        }
        return IMAP.Store(
            messages, change, isSilent: isSilent, unchangedSince: unchangedSince)
    }

    /// `\Inbox`, or a name.
    mutating func gmailLabel() throws(CommandProblem) -> GmailLabel {
        let octets: ArraySlice<UInt8>
        if cursor.next == ASCII.backslash {
            octets = Array(try flag().rawValue.utf8)[...]
        } else {
            octets = try read { cursor throws(ParseFailure) in try cursor.astring() }
        }
        guard !octets.isEmpty, !octets.contains(ASCII.nul) else { throw failure("label") }
        return GmailLabel(wire: octets, isUTF8: isUTF8)
    }

    // MARK: APPEND

    // append = "APPEND" SP mailbox 1*append-message
    fileprivate mutating func append() throws(CommandProblem) -> IMAP.Append {
        let mailbox = try mailboxArgument()
        try space()
        let messages = try words { reader throws(CommandProblem) in try reader.appendMessage() }
        guard messages.count <= IMAP.Append.messageLimit else {
            throw .bad("More than \(IMAP.Append.messageLimit) messages")
        }
        return IMAP.Append(messages, to: mailbox)
    }

    // replace = "REPLACE" SP seq-number SP mailbox append-message ; RFC 8508 §3.3
    fileprivate mutating func replace<Number>() throws(CommandProblem) -> IMAP.Replace<Number> {
        try space()
        guard let number = Number(try nzNumber()) else { throw failure("nz-number") }
        let mailbox = try mailboxArgument()
        try space()
        return IMAP.Replace(number, with: try appendMessage(), in: mailbox)
    }

    // append-message = append-opts SP append-data
    private mutating func appendMessage() throws(CommandProblem) -> AppendMessage {
        var flags: [MessageFlag] = []
        if cursor.next == UInt8(ascii: "(") {
            flags = try self.flags()
            try space()
        }
        var message = AppendMessage(.pieces([]), flags: flags)
        if cursor.next == ASCII.quote {
            message.date = try dateTime()
            try space()
        }
        message.content = try appendContent()
        guard message.knownSizeInOctets > 0 || message.isOfPieces else {
            throw CommandProblem(.no, ResponseText("The message is empty"))
        }
        return message
    }

    private mutating func appendContent() throws(CommandProblem) -> AppendMessage.Content {
        if cursor.wordIfPresent("CATENATE") {
            try space()
            let pieces = try list { reader throws(CommandProblem) in try reader.piece() }
            guard !pieces.isEmpty, pieces.count <= AppendMessage.pieceLimit else {
                throw .bad("A message has 1 to \(AppendMessage.pieceLimit) pieces")
            }
            return .pieces(pieces)
        }
        if cursor.wordIfPresent("UTF8") {
            try space()
            try expect(UInt8(ascii: "("))
            let source = try source()
            try expect(UInt8(ascii: ")"))
            return .utf8(source)
        }
        return cursor.next == UInt8(ascii: "~") ? .binary(try source()) : .message(try source())
    }

    // cat-part = text-literal / url ; RFC 4469 §5
    private mutating func piece() throws(CommandProblem) -> AppendMessage.Piece {
        if cursor.wordIfPresent("TEXT") {
            try space()
            return .text(try source())
        }
        try word("URL")
        try space()
        return .url(try url())
    }

    mutating func url() throws(CommandProblem) -> String {
        let url = try astring()
        guard !url.isEmpty, url.utf8.count <= CommandEncoder.nameLimitInOctets,
            url.utf8.allSatisfy({ $0 > ASCII.space && $0 < ASCII.del })
        else { throw failure("url") }
        return url
    }
}

extension AppendMessage {
    fileprivate var isOfPieces: Bool {
        if case .pieces = content { true } else { false }
    }
}
