import MartletMIME

/// A criterion, made ready to be asked of many messages: texts are folded, `*` and days are numbers.
enum SearchTest: Sendable {
    // Of what the mailbox knows
    case always(Bool)
    case numbers(SequenceSet)
    case uids(UIDSet)
    case flag(MessageFlag, isSet: Bool)
    case recent(Bool)
    case new
    /// The day of arrival.
    case arrived(ClosedRange<Int>)
    /// The day it came into the mailbox; that of arrival where it is not known. RFC 8514 §4.3.
    case saved(ClosedRange<Int>)
    /// The second of arrival.
    case arrivedAt(ClosedRange<Int64>)
    /// The size in octets.
    case size(ClosedRange<UInt64>)
    case changedSince(ModSequence)
    case emailID(ObjectID)
    case threadID(ObjectID)
    // Of the header
    case header(String, TextSearch)
    case sent(ClosedRange<Int>)
    // Of all
    case body(TextSearch)
    case text(TextSearch)

    init(_ criterion: SearchCriterion, _ surroundings: SearchSurroundings) {
        switch criterion {
        case .all: self = .always(true)
        case .numbers(let set):
            self = .numbers(surroundings.lastNumber.map { set.resolved(last: $0) } ?? [])
        case .uid(let set): self = .uids(surroundings.lastUID.map { set.resolved(last: $0) } ?? [])
        case .searchResult: self = .uids(surroundings.savedResult)
        case .recent: self = .recent(true)
        case .old: self = .recent(false)
        case .new: self = .new
        case .keyword(let flag): self = .flag(flag, isSet: true)
        case .unkeyword(let flag): self = .flag(flag, isSet: false)
        case .saveDateSupported: self = .always(surroundings.hasSaveDates)
        case .larger(let size):
            self = size == .max ? .always(false) : .size(size + 1 ... .max)
        case .smaller(let size): self = size == 0 ? .always(false) : .size(0...size - 1)
        case .older(let seconds):
            self = .arrivedAt(.min...surroundings.now - Int64(seconds))
        case .younger(let seconds):
            self = .arrivedAt(surroundings.now - Int64(seconds) ... .max)
        case .modSeq(let value, _): self = .changedSince(value)
        case .emailID(let id): self = .emailID(id)
        case .threadID(let id): self = .threadID(id)
        default: self.init(textOrDate: criterion)
        }
    }

    private init(textOrDate criterion: SearchCriterion) {
        switch criterion {
        case .bcc(let text): self = .header("Bcc", TextSearch(text))
        case .cc(let text): self = .header("Cc", TextSearch(text))
        case .from(let text): self = .header("From", TextSearch(text))
        case .to(let text): self = .header("To", TextSearch(text))
        case .subject(let text): self = .header("Subject", TextSearch(text))
        case .header(let name, let text): self = .header(name, TextSearch(text))
        case .body(let text): self = .body(TextSearch(text))
        case .text(let text): self = .text(TextSearch(text))
        case .before(let date): self = .arrived(.before(date))
        case .on(let date): self = .arrived(.on(date))
        case .since(let date): self = .arrived(.since(date))
        case .sentBefore(let date): self = .sent(.before(date))
        case .sentOn(let date): self = .sent(.on(date))
        case .sentSince(let date): self = .sent(.since(date))
        case .savedBefore(let date): self = .saved(.before(date))
        case .savedOn(let date): self = .saved(.on(date))
        case .savedSince(let date): self = .saved(.since(date))
        default: self.init(systemFlag: criterion)
        }
    }

    private init(systemFlag criterion: SearchCriterion) {
        switch criterion {
        case .answered: self = .flag(.answered, isSet: true)
        case .deleted: self = .flag(.deleted, isSet: true)
        case .draft: self = .flag(.draft, isSet: true)
        case .flagged: self = .flag(.flagged, isSet: true)
        case .seen: self = .flag(.seen, isSet: true)
        case .unanswered: self = .flag(.answered, isSet: false)
        case .undeleted: self = .flag(.deleted, isSet: false)
        case .undraft: self = .flag(.draft, isSet: false)
        case .unflagged: self = .flag(.flagged, isSet: false)
        case .unseen: self = .flag(.seen, isSet: false)
        default: self = .always(false)
        }
    }

    var cost: MessageSearch.Cost {
        switch self {
        case .header, .sent: .header
        case .body, .text: .body
        default: .facts
        }
    }

    /// Whether it is true, for what the mailbox knows.
    func isTrue(of message: some MailboxMessage) -> Bool {
        switch self {
        case .always(let value): value
        case .numbers(let set): set.contains(message.number)
        case .uids(let set): set.contains(message.uid)
        case .flag(let flag, let isSet): message.flags.contains(flag) == isSet
        case .recent(let isRecent): message.isRecent == isRecent
        case .new: message.isRecent && !message.flags.contains(.seen)
        case .arrived(let days): days.contains(message.internalDate.localDay)
        case .saved(let days):
            days.contains((message.saveDate ?? message.internalDate).localDay)
        case .arrivedAt(let seconds):
            seconds.contains(message.internalDate.secondsSinceEpoch)
        case .size(let sizes): sizes.contains(message.sizeInOctets)
        case .changedSince(let value): message.modSeq >= value
        case .emailID(let id): message.emailID == id
        case .threadID(let id): message.threadID == id
        case .header, .sent, .body, .text: false
        }
    }

    /// Whether it is true, for what stands in the message.
    func isTrue(of message: inout ServedMessage) -> Bool {
        switch self {
        case .header(let name, let search):
            message.header().header.fields(name).contains { search.isIn($0) }
        case .sent(let days): message.header().date.map { days.contains($0.localDay) } ?? false
        case .body(let search): search.isInBody(of: message.message())
        case .text(let search): search.isAnywhere(in: message.message())
        default: false
        }
    }
}

extension ClosedRange<Int> {
    fileprivate static func before(_ date: CalendarDate) -> Self {
        Int.min...date.daysSinceEpoch - 1
    }
    fileprivate static func on(_ date: CalendarDate) -> Self {
        date.daysSinceEpoch...date.daysSinceEpoch
    }
    fileprivate static func since(_ date: CalendarDate) -> Self { date.daysSinceEpoch...Int.max }
}

extension SearchCriterion {
    /// Whether it is in the words of one server.
    var isForeign: Bool {
        switch self {
        case .filter, .gmailRaw, .gmailLabel, .gmailMessageID, .gmailThreadID, .raw: true
        default: false
        }
    }
}

extension TextSearch {
    /// Whether it stands in the decoded value of a field.
    func isIn(_ field: PartHeader.Field) -> Bool { isEmpty || isIn(field.text.value) }

    /// Whether it stands in a header, its names of fields included.
    private func isInHeader(of part: Part) -> Bool {
        part.header.contains { isIn($0.name + ": " + $0.text.value) }
    }

    /// Whether it stands behind the header: in a text, however that is encoded, in the words that an HTML text shows, or in
    /// the header of a message in it.
    ///
    /// - Parameter includesPartHeaders: whether the headers of parts count, such as names of files.
    func isInBody(of message: Message, includesPartHeaders: Bool = false) -> Bool {
        if isEmpty { return true }
        for part in message.parts {
            if let parent = part.parent, includesPartHeaders || parent.kind == .message,
                isInHeader(of: part)
            {
                return true
            }
            guard part.isSearchedText else { continue }
            let text = part.text().value
            if isIn(text) { return true }
            if part.contentType.subtype == "html", isIn(HTMLPlainText.render(text)) { return true }
        }
        return false
    }

    /// Whether it stands in the header or behind it.
    func isAnywhere(in message: Message) -> Bool {
        isEmpty || isInHeader(of: message.root)
            || isInBody(of: message, includesPartHeaders: true)
    }
}

extension Part {
    /// Whether words may be found in it: a text, or a multipart in which no part was found.
    fileprivate var isSearchedText: Bool {
        switch kind {
        case .leaf: contentType.type == "text"
        case .multipart: !children.contains { _ in true }
        case .message: false
        }
    }
}
