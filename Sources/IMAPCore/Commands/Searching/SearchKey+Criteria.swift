/// The criteria as keys: see `SearchCriterion` for what each means.
extension SearchKey {
    /// Every message.
    public static let all = SearchKey(.all)
    /// `ANSWERED`.
    public static let answered = SearchKey(.answered)
    /// `DELETED`.
    public static let deleted = SearchKey(.deleted)
    /// `DRAFT`.
    public static let draft = SearchKey(.draft)
    /// `FLAGGED`.
    public static let flagged = SearchKey(.flagged)
    /// `SEEN`.
    public static let seen = SearchKey(.seen)
    /// `UNANSWERED`.
    public static let unanswered = SearchKey(.unanswered)
    /// `UNDELETED`.
    public static let undeleted = SearchKey(.undeleted)
    /// `UNDRAFT`.
    public static let undraft = SearchKey(.undraft)
    /// `UNFLAGGED`.
    public static let unflagged = SearchKey(.unflagged)
    /// `UNSEEN`.
    public static let unseen = SearchKey(.unseen)
    /// `RECENT`.
    public static let recent = SearchKey(.recent)
    /// `$`: found by the last search with `SAVE`.
    public static let searchResult = SearchKey(.searchResult)

    /// With these sequence numbers.
    public static func numbers(_ numbers: SequenceSet) -> SearchKey { SearchKey(.numbers(numbers)) }
    /// With these UIDs.
    public static func uid(_ uids: UIDSet) -> SearchKey { SearchKey(.uid(uids)) }
    /// With this keyword.
    public static func keyword(_ flag: MessageFlag) -> SearchKey { SearchKey(.keyword(flag)) }
    /// Without this keyword.
    public static func unkeyword(_ flag: MessageFlag) -> SearchKey { SearchKey(.unkeyword(flag)) }
    /// In the names and addresses of `Bcc`.
    public static func bcc(_ text: String) -> SearchKey { SearchKey(.bcc(text)) }
    /// In the names and addresses of `Cc`.
    public static func cc(_ text: String) -> SearchKey { SearchKey(.cc(text)) }
    /// In the names and addresses of `From`.
    public static func from(_ text: String) -> SearchKey { SearchKey(.from(text)) }
    /// In the names and addresses of `To`.
    public static func to(_ text: String) -> SearchKey { SearchKey(.to(text)) }
    /// In the subject.
    public static func subject(_ text: String) -> SearchKey { SearchKey(.subject(text)) }
    /// In the text behind the header.
    public static func body(_ text: String) -> SearchKey { SearchKey(.body(text)) }
    /// In header or body.
    public static func text(_ text: String) -> SearchKey { SearchKey(.text(text)) }
    /// In a field of the header; with an empty text, whether it is there.
    public static func header(_ name: String, _ text: String) -> SearchKey {
        SearchKey(.header(name, text))
    }
    /// Arrived before that day.
    public static func before(_ date: CalendarDate) -> SearchKey { SearchKey(.before(date)) }
    /// Arrived on that day.
    public static func on(_ date: CalendarDate) -> SearchKey { SearchKey(.on(date)) }
    /// Arrived on that day or later.
    public static func since(_ date: CalendarDate) -> SearchKey { SearchKey(.since(date)) }
    /// Sent before that day.
    public static func sentBefore(_ date: CalendarDate) -> SearchKey {
        SearchKey(.sentBefore(date))
    }
    /// Sent on that day.
    public static func sentOn(_ date: CalendarDate) -> SearchKey { SearchKey(.sentOn(date)) }
    /// Sent on that day or later.
    public static func sentSince(_ date: CalendarDate) -> SearchKey { SearchKey(.sentSince(date)) }
    /// Arrived so many seconds ago or more.
    public static func older(seconds: UInt32) -> SearchKey { SearchKey(.older(seconds: seconds)) }
    /// Arrived within so many seconds.
    public static func younger(seconds: UInt32) -> SearchKey {
        SearchKey(.younger(seconds: seconds))
    }
    /// More octets than that.
    public static func larger(_ octets: UInt64) -> SearchKey { SearchKey(.larger(octets)) }
    /// Fewer octets than that.
    public static func smaller(_ octets: UInt64) -> SearchKey { SearchKey(.smaller(octets)) }
    /// Changed since.
    public static func modSeq(_ value: ModSequence) -> SearchKey { SearchKey(.modSeq(value)) }
    /// With this identifier.
    public static func emailID(_ id: ObjectID) -> SearchKey { SearchKey(.emailID(id)) }
    /// In this thread.
    public static func threadID(_ id: ObjectID) -> SearchKey { SearchKey(.threadID(id)) }
    /// In the language of Gmail's search box.
    public static func gmailRaw(_ text: String) -> SearchKey { SearchKey(.gmailRaw(text)) }
    /// With this label of Gmail's.
    public static func gmailLabel(_ label: GmailLabel) -> SearchKey {
        SearchKey(.gmailLabel(label))
    }
}
