/// What FETCH asks for of each message. RFC 9051 §6.4.5 `fetch-att`, and the extensions' own sections.
public enum FetchAttribute: Hashable, Sendable {
    /// `UID`. UID FETCH gives it in any case.
    case uid
    /// `FLAGS`.
    case flags
    /// `INTERNALDATE`: when the message arrived.
    case internalDate
    /// `RFC822.SIZE`: the message's octets.
    case size
    /// `ENVELOPE`.
    case envelope
    /// `BODYSTRUCTURE`.
    case bodyStructure
    /// `BODY` without brackets: the structure without what extensions add.
    case body
    /// `BODY.PEEK[section]<origin.count>`; without `peek` it is `BODY[…]`, and the message gets `\Seen`.
    case section(MessageSection, range: OctetRange? = nil, peek: Bool = true)
    /// `BINARY.PEEK[part]<origin.count>`: decoded by the server. RFC 3516 §4.2.
    case binary(PartNumber, range: OctetRange? = nil, peek: Bool = true)
    /// `BINARY.SIZE[part]`: the decoded octets. RFC 3516 §4.2.
    case binarySize(PartNumber)
    /// `RFC822`, `RFC822.HEADER`, `RFC822.TEXT`: old names of sections. RFC 3501 §6.4.5.
    case rfc822(RFC822Part)
    /// `MODSEQ`. RFC 7162 §3.1.4.2.
    case modSeq
    /// `EMAILID`. RFC 8474 §5.1.
    case emailID
    /// `THREADID`. RFC 8474 §5.2.
    case threadID
    /// `PREVIEW`; where lazy, only what the server has at hand. RFC 8970 §3.
    case preview(isLazy: Bool = false)
    /// `SAVEDATE`. RFC 8514 §4.2.
    case saveDate
    /// `X-GM-MSGID`. Gmail.
    case gmailMessageID
    /// `X-GM-THRID`. Gmail.
    case gmailThreadID
    /// `X-GM-LABELS`. Gmail.
    case gmailLabels
    /// Anything else, as it is: printable ASCII, balanced, without literals.
    case raw(String)

    /// `BODY.PEEK[]`: all of the message.
    public static let message = FetchAttribute.section(.message)
    /// `BODY.PEEK[HEADER]`: its header.
    public static let header = FetchAttribute.section(.header)
    /// `BODY.PEEK[HEADER.FIELDS (…)]`: fields of its header.
    public static func headerFields(_ names: [String]) -> FetchAttribute {
        .section(MessageSection(.message, .headerFields(names)))
    }
}

extension FetchAttribute {
    /// The extension that it belongs to.
    var capability: Capability? {
        switch self {
        case .binary, .binarySize: .binary
        case .modSeq: .condStore
        case .emailID, .threadID: .objectID
        case .preview: .preview
        case .saveDate: .saveDate
        case .gmailMessageID, .gmailThreadID, .gmailLabels: .gmail
        default: nil
        }
    }

    /// Whether servers tell it without being asked.
    var isToldUnasked: Bool {
        switch self {
        case .uid, .flags, .modSeq: true
        default: false
        }
    }

    /// Whether `item` is what was asked for. Names of header fields are not compared: servers write them their own way.
    package func isAnswered(by item: FetchItem) -> Bool {
        switch (self, item) {
        case (.uid, .uid), (.flags, .flags), (.internalDate, .internalDate), (.size, .size),
            (.envelope, .envelope), (.bodyStructure, .bodyStructure), (.bodyStructure, .body),
            (.body, .body), (.body, .bodyStructure), (.modSeq, .modSeq), (.emailID, .emailID),
            (.threadID, .threadID), (.preview, .preview), (.saveDate, .saveDate),
            (.gmailMessageID, .gmailMessageID), (.gmailThreadID, .gmailThreadID),
            (.gmailLabels, .gmailLabels):
            true
        case (.section(let asked, _, _), .section(let section, _, _)):
            asked.part == section.part && asked.content.isSameKind(as: section.content)
        case (.binary(let asked, _, _), .binary(let part, _, _)),
            (.binarySize(let asked), .binarySize(let part, _)):
            asked == part
        case (.rfc822(let asked), .rfc822(let part, _)): asked == part
        case (_, .damaged): true
        case (.raw, _):
            switch item {
            case .uid, .flags, .modSeq: false
            default: true
            }
        default: false
        }
    }
}

extension MessageSection.Content {
    func isSameKind(as other: MessageSection.Content) -> Bool {
        switch (self, other) {
        case (.headerFields, .headerFields), (.headerFieldsNot, .headerFieldsNot): true
        default: self == other
        }
    }
}
