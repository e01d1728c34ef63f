/// Something that is true of a message or not. RFC 9051 §6.4.4, and the extensions' own sections.
///
/// Texts are found anywhere in what they are looked for in, without case.
public enum SearchCriterion: Hashable, Sendable {
    /// `ALL`: every message.
    case all
    /// A sequence set: with these numbers.
    case numbers(SequenceSet)
    /// `UID`: with these UIDs.
    case uid(UIDSet)
    /// `$`: found by the last search with `SAVE`. RFC 5182 §2.1.
    case searchResult

    // Flags

    /// `ANSWERED`.
    case answered
    /// `DELETED`.
    case deleted
    /// `DRAFT`.
    case draft
    /// `FLAGGED`.
    case flagged
    /// `SEEN`.
    case seen
    /// `UNANSWERED`.
    case unanswered
    /// `UNDELETED`.
    case undeleted
    /// `UNDRAFT`.
    case undraft
    /// `UNFLAGGED`.
    case unflagged
    /// `UNSEEN`.
    case unseen
    /// `RECENT`. Gone from IMAP4rev2, like the next two.
    case recent
    /// `NEW`: `RECENT` and `UNSEEN`.
    case new
    /// `OLD`: not `RECENT`.
    case old
    /// `KEYWORD`.
    case keyword(MessageFlag)
    /// `UNKEYWORD`.
    case unkeyword(MessageFlag)

    // Text

    /// `BCC`: in the names and addresses there.
    case bcc(String)
    /// `CC`: in the names and addresses there.
    case cc(String)
    /// `FROM`: in the names and addresses there.
    case from(String)
    /// `TO`: in the names and addresses there.
    case to(String)
    /// `SUBJECT`.
    case subject(String)
    /// `BODY`: in the text behind the header.
    case body(String)
    /// `TEXT`: in header or body.
    case text(String)
    /// `HEADER`: in a field of the header; with an empty text, whether it is there.
    case header(String, String)

    // Dates, as the message's own zone has them

    /// `BEFORE`: arrived before that day.
    case before(CalendarDate)
    /// `ON`: arrived on that day.
    case on(CalendarDate)
    /// `SINCE`: arrived on that day or later.
    case since(CalendarDate)
    /// `SENTBEFORE`: by its `Date` field.
    case sentBefore(CalendarDate)
    /// `SENTON`: by its `Date` field.
    case sentOn(CalendarDate)
    /// `SENTSINCE`: by its `Date` field.
    case sentSince(CalendarDate)
    /// `SAVEDBEFORE`: came into the mailbox before that day. RFC 8514 §4.3.
    case savedBefore(CalendarDate)
    /// `SAVEDON`. RFC 8514 §4.3.
    case savedOn(CalendarDate)
    /// `SAVEDSINCE`. RFC 8514 §4.3.
    case savedSince(CalendarDate)
    /// `SAVEDATESUPPORTED`: whether the mailbox knows when messages came. RFC 8514 §4.3.
    case saveDateSupported
    /// `OLDER`: arrived so many seconds ago or more; at least 1. RFC 5032.
    case older(seconds: UInt32)
    /// `YOUNGER`: arrived within so many seconds; at least 1. RFC 5032.
    case younger(seconds: UInt32)

    // Numbers

    /// `LARGER`: more octets than that.
    case larger(UInt64)
    /// `SMALLER`: fewer octets than that.
    case smaller(UInt64)
    /// `MODSEQ`: changed since, itself or one of its flags. RFC 7162 §3.1.5.
    case modSeq(ModSequence, of: ModSequenceEntry? = nil)
    /// `EMAILID`. RFC 8474 §5.4.
    case emailID(ObjectID)
    /// `THREADID`. RFC 8474 §5.4.
    case threadID(ObjectID)

    // The server's own

    /// `FILTER`: what a filter that is kept on the server chooses. RFC 5466 §3.1.
    case filter(String)
    /// `X-GM-RAW`: in the language of Gmail's search box.
    case gmailRaw(String)
    /// `X-GM-LABELS`.
    case gmailLabel(GmailLabel)
    /// `X-GM-MSGID`.
    case gmailMessageID(UInt64)
    /// `X-GM-THRID`.
    case gmailThreadID(UInt64)
    /// Anything else, as it is: printable ASCII, balanced, without literals.
    case raw(String)
}

/// A flag whose changes are looked for. RFC 7162 §3.1.5.
public struct ModSequenceEntry: Hashable, Sendable {
    /// Whose flag.
    public enum Kind: String, Hashable, Sendable, CaseIterable {
        /// The user's own.
        case own = "priv"
        /// The one that is shared.
        case shared = "shared"
        /// Either.
        case all = "all"
    }

    /// The flag.
    public var flag: MessageFlag
    /// Whose.
    public var kind: Kind

    /// Makes one.
    public init(_ flag: MessageFlag, _ kind: Kind = .all) {
        self.flag = flag
        self.kind = kind
    }
}

extension SearchCriterion {
    /// The extension that it belongs to.
    var capability: Capability? {
        switch self {
        case .searchResult: .searchRes
        case .savedBefore, .savedOn, .savedSince, .saveDateSupported: .saveDate
        case .older, .younger: .within
        case .modSeq: .condStore
        case .emailID, .threadID: .objectID
        case .filter: .filters
        case .gmailRaw, .gmailLabel, .gmailMessageID, .gmailThreadID: .gmail
        default: nil
        }
    }

    /// The text that it looks for, which a charset is needed for.
    var soughtText: String? {
        switch self {
        case .bcc(let text), .cc(let text), .from(let text), .to(let text), .subject(let text),
            .body(let text), .text(let text), .header(_, let text), .gmailRaw(let text):
            text
        default: nil
        }
    }
}
