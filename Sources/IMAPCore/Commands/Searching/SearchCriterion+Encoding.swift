import MartletBytes

extension CommandEncoder {
    mutating func criterion(
        _ criterion: SearchCriterion, charset: SearchCharset
    ) throws(IMAPError) {
        if let capability = criterion.capability { try require(capability) }
        if let word = criterion.word { return text(word) }
        switch criterion {
        case .numbers(let set): try messages(.numbers(set))
        case .uid(let set):
            text("UID ")
            try messages(.numbers(set))
        case .keyword(let flag): try keyword("KEYWORD ", flag)
        case .unkeyword(let flag): try keyword("UNKEYWORD ", flag)
        case .bcc(let text): try sought("BCC ", text, charset)
        case .cc(let text): try sought("CC ", text, charset)
        case .from(let text): try sought("FROM ", text, charset)
        case .to(let text): try sought("TO ", text, charset)
        case .subject(let text): try sought("SUBJECT ", text, charset)
        case .body(let text): try sought("BODY ", text, charset)
        case .text(let text): try sought("TEXT ", text, charset)
        case .gmailRaw(let text): try sought("X-GM-RAW ", text, charset)
        case .header(let name, let value):
            text("HEADER ")
            try headerName(name)
            try sought(" ", value, charset)
        case .before(let date): self.date("BEFORE ", date)
        case .on(let date): self.date("ON ", date)
        case .since(let date): self.date("SINCE ", date)
        case .sentBefore(let date): self.date("SENTBEFORE ", date)
        case .sentOn(let date): self.date("SENTON ", date)
        case .sentSince(let date): self.date("SENTSINCE ", date)
        case .savedBefore(let date): self.date("SAVEDBEFORE ", date)
        case .savedOn(let date): self.date("SAVEDON ", date)
        case .savedSince(let date): self.date("SAVEDSINCE ", date)
        case .older(let seconds): try age("OLDER ", seconds)
        case .younger(let seconds): try age("YOUNGER ", seconds)
        case .larger(let octets): try size("LARGER ", octets)
        case .smaller(let octets): try size("SMALLER ", octets)
        case .modSeq(let value, let entry): try modSeq(value, entry)
        case .emailID(let id):
            text("EMAILID ")
            try checkedAtom(id.rawValue, "identifier of a message")
        case .threadID(let id):
            text("THREADID ")
            try checkedAtom(id.rawValue, "identifier of a thread")
        case .filter(let name):
            text("FILTER ")
            try checkedAtom(name, "name of a filter")
        case .gmailLabel(let label):
            text("X-GM-LABELS ")
            try self.label(label)
        case .gmailMessageID(let id):
            text("X-GM-MSGID ")
            number(id)
        case .gmailThreadID(let id):
            text("X-GM-THRID ")
            number(id)
        case .raw(let words): try rawWords(words, "item of SEARCH")
        default: break  // those of one word
        }
    }

    private mutating func keyword(_ word: StaticString, _ flag: MessageFlag) throws(IMAPError) {
        guard !flag.isSystemFlag else {
            throw .invalidInput("\(flag) is no keyword; it has a criterion of its own")
        }
        text(word)
        try checkedFlag(flag)
    }

    private mutating func sought(
        _ word: StaticString, _ sought: String, _ charset: SearchCharset
    ) throws(IMAPError) {
        text(word)
        try charset.write(sought, into: &self)
    }

    private mutating func date(_ word: StaticString, _ date: CalendarDate) {
        text(word)
        raw(date.description.utf8)
    }

    private mutating func age(_ word: StaticString, _ seconds: UInt32) throws(IMAPError) {
        guard seconds > 0 else { throw .invalidInput("an age is at least one second") }
        text(word)
        number(seconds)
    }

    private mutating func size(_ word: StaticString, _ octets: UInt64) throws(IMAPError) {
        guard octets <= Int64.max else { throw .invalidInput("a size has at most 63 bits") }
        text(word)
        number(octets)
    }

    private mutating func modSeq(
        _ value: ModSequence, _ entry: ModSequenceEntry?
    ) throws(IMAPError) {
        text("MODSEQ ")
        if let entry {
            guard entry.flag.isWellFormed else {
                throw .invalidInput("\"\(entry.flag)\" is no flag or keyword")
            }
            string("/flags/\(entry.flag)".utf8)
            space()
            raw(entry.kind.rawValue.utf8)
            space()
        }
        number(value.rawValue)
    }
}

extension SearchCriterion {
    /// The word that is all of it.
    var word: StaticString? {
        switch self {
        case .all: "ALL"
        case .searchResult: "$"
        case .answered: "ANSWERED"
        case .deleted: "DELETED"
        case .draft: "DRAFT"
        case .flagged: "FLAGGED"
        case .seen: "SEEN"
        case .unanswered: "UNANSWERED"
        case .undeleted: "UNDELETED"
        case .undraft: "UNDRAFT"
        case .unflagged: "UNFLAGGED"
        case .unseen: "UNSEEN"
        case .recent: "RECENT"
        case .new: "NEW"
        case .old: "OLD"
        case .saveDateSupported: "SAVEDATESUPPORTED"
        default: nil
        }
    }
}
