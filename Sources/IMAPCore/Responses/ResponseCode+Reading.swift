import MartletBytes

extension IMAPCursor {
    /// The code behind the bracket that has been read, and the bracket that closes it; `nil` if nothing does.
    ///
    /// What is malformed is `other`.
    mutating func responseCode() -> ResponseCode? {
        skipSpaces()
        let start = index
        if let code = try? wellFormedCode(), takeIfPresent(UInt8(ascii: "]")) { return code }
        index = start
        guard let close = closingBracket() else { return nil }
        let name = prefix { $0 > ASCII.space && $0 != UInt8(ascii: "]") }
        if index < close { _ = takeIfPresent(ASCII.space) }
        let octets = Array(octets[index..<close])
        index = close + 1
        return .other(name: name.uppercasedText, octets: octets)
    }

    /// The bracket that ends a code: outside of quotes where there is one, else the first.
    private func closingBracket() -> Int? {
        let close = UInt8(ascii: "]")
        var isQuoted = false
        var place = index
        while place < end {
            switch octets[place] {
            case close where !isQuoted: return place
            case ASCII.quote: isQuoted.toggle()
            case ASCII.backslash where isQuoted: place += 1
            default: break
            }
            place += 1
        }
        return octets[index..<end].firstIndex(of: close)
    }

    private mutating func wellFormedCode() throws(ParseFailure) -> ResponseCode? {
        let name = try keyword()
        if next == UInt8(ascii: "]") {
            if let code = ResponseCode.withoutArguments[name] { return code }
        } else {
            skipSpaces()
        }
        switch name {
        case "BADCHARSET": return .badCharset(try parenthesizedWords())
        case "CAPABILITY": return .capability(try codeCapabilities())
        case "PERMANENTFLAGS": return .permanentFlags(try flagList())
        case "UIDNEXT": return .uidNext(try uid())
        case "UIDVALIDITY": return .uidValidity(UIDValidity(try number()))
        case "UNSEEN": return .unseen(try sequenceNumber())
        case "APPENDUID":
            let validity = UIDValidity(try number())
            try space()
            return .appendUID(validity, try messageNumberList())
        case "COPYUID": return .copyUID(try copiedUIDs())
        case "HIGHESTMODSEQ": return .highestModSeq(try modSequence())
        case "MODIFIED": return .modified(try messageNumberList())
        case "BADURL": return .badURL(try looseAstring())
        case "METADATA": return .metadata(try metadataCode())
        case "BADEVENT": return .badEvent(try parenthesizedWords())
        case "NOUPDATE": return .noUpdate(tag: try string().text)
        case "UNDEFINED-FILTER": return .undefinedFilter(try looseAstring())
        case "REFERRAL": return .referral(try looseAstring())
        case "INPROGRESS": return .inProgress(try commandProgress())
        case "MESSAGELIMIT": return .messageLimit(try messageLimit())
        case "MAILBOXID": return .mailboxID(try objectID())
        case "URLMECH":
            return .urlMechanism(text: prefix { $0 != UInt8(ascii: "]") }.text)
        case "WEBALERT": return .webAlert(try looseAstring())
        default: return nil
        }
    }

    private mutating func parenthesizedWords() throws(ParseFailure) -> [String] {
        var words: [String] = []
        if next == UInt8(ascii: "]") { return words }
        try list { cursor throws(ParseFailure) in words.append(try cursor.astring().text) }
        return words
    }

    private mutating func codeCapabilities() throws(ParseFailure) -> [Capability] {
        var capabilities: [Capability] = []
        while true {
            skipSpaces()
            if isAtEnd || next == UInt8(ascii: "]") { return capabilities }
            capabilities.append(try capability())
        }
    }

    /// A string, or everything up to the bracket: URLs need no quotes.
    private mutating func looseAstring() throws(ParseFailure) -> String {
        if let string = try stringIfPresent() { return string.text }
        let word = prefix { $0 > ASCII.space && $0 != UInt8(ascii: "]") }
        guard !word.isEmpty else { throw failure("astring") }
        return word.text
    }

    // resp-code-copy = "COPYUID" SP nz-number SP uid-set SP uid-set
    private mutating func copiedUIDs() throws(ParseFailure) -> CopiedUIDs {
        let validity = UIDValidity(try number())
        try space()
        let source = try messageNumberList()
        try space()
        return CopiedUIDs(
            uidValidity: validity, source: source, destination: try messageNumberList())
    }

    // "METADATA" SP ("LONGENTRIES" SP number / "MAXSIZE" SP number / "TOOMANY" / "NOPRIVATE")
    private mutating func metadataCode() throws(ParseFailure) -> MetadataCode {
        let start = index
        switch try keyword() {
        case "LONGENTRIES":
            try space()
            return .longEntries(try number64())
        case "MAXSIZE":
            try space()
            return .maximumSize(try number64())
        case "TOOMANY": return .tooMany
        case "NOPRIVATE": return .noPrivate
        default:
            index = start
            throw failure("what METADATA is about")
        }
    }

    // "INPROGRESS" [SP "(" (quoted / nil) SP (number / nil) SP (nz-number / nil) ")"] ; RFC 9585 §6
    private mutating func commandProgress() throws(ParseFailure) -> CommandProgress {
        var progress = CommandProgress()
        guard takeIfPresent(UInt8(ascii: "(")) else { return progress }
        progress.tag = try nstring().map(\.text)
        try space()
        if !nilIfPresent() { progress.progress = try number() }
        try space()
        if !nilIfPresent() { progress.goal = try number() }
        try expect(UInt8(ascii: ")"), "\")\"")
        return progress
    }

    // "MESSAGELIMIT" SP message-limit [SP uniqueid] ; RFC 9738 §6
    private mutating func messageLimit() throws(ParseFailure) -> MessageLimit {
        var limit = MessageLimit(limit: try number())
        if takeIfPresent(ASCII.space) { limit.lowestUID = try uid() }
        return limit
    }
}

extension ResponseCode {
    /// The codes that are a name alone.
    static let withoutArguments: [String: ResponseCode] = [
        "ALERT": .alert, "PARSE": .parse, "READ-ONLY": .readOnly, "READ-WRITE": .readWrite,
        "TRYCREATE": .tryCreate, "HASCHILDREN": .hasChildren, "UNKNOWN-CTE": .unknownCTE,
        "NOTSAVED": .notSaved, "UIDNOTSTICKY": .uidNotSticky, "NOMODSEQ": .noModSeq,
        "CLOSED": .closed,
        "UNAVAILABLE": .unavailable, "AUTHENTICATIONFAILED": .authenticationFailed,
        "AUTHORIZATIONFAILED": .authorizationFailed, "EXPIRED": .expired,
        "PRIVACYREQUIRED": .privacyRequired, "CONTACTADMIN": .contactAdmin, "NOPERM": .noPermission,
        "INUSE": .inUse, "EXPUNGEISSUED": .expungeIssued, "CORRUPTION": .corruption,
        "SERVERBUG": .serverBug, "CLIENTBUG": .clientBug, "CANNOT": .cannot, "LIMIT": .limit,
        "OVERQUOTA": .overQuota, "ALREADYEXISTS": .alreadyExists, "NONEXISTENT": .nonexistent,
        "TOOBIG": .tooBig, "COMPRESSIONACTIVE": .compressionActive, "USEATTR": .useAttribute,
        "NOTIFICATIONOVERFLOW": .notificationOverflow, "BADCOMPARATOR": .badComparator,
        "UIDREQUIRED": .uidRequired, "THROTTLED": .throttled,
    ]

    /// The name of each of `withoutArguments`.
    static let namesWithoutArguments = Dictionary(
        withoutArguments.map { ($0.value, $0.key) }, uniquingKeysWith: { first, _ in first })
}
