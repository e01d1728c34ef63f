/// One response of a server. RFC 9051 §7 and the extensions' own sections.
public enum IMAPResponse: Hashable, Sendable {
    /// `A7 OK done`: the end of a command.
    case tagged(TaggedResponse)
    /// `* OK`, `* NO`, `* BAD`, `* PREAUTH`, `* BYE`.
    case condition(UntaggedCondition)
    /// `+ …`: the server waits for more of a command.
    case continuation(ContinuationRequest)
    /// `* CAPABILITY …`. RFC 9051 §7.2.2.
    case capability([Capability])
    /// `* ENABLED …`. RFC 9051 §7.2.1.
    case enabled([Capability])
    /// `* FLAGS (…)`: the flags that messages of the mailbox can have. RFC 9051 §7.3.5.
    case flags([MessageFlag])
    /// `* LIST`, `* LSUB`, `* XLIST`. RFC 9051 §7.3.1.
    case list(ListEntry)
    /// `* STATUS name (…)`. RFC 9051 §7.3.4.
    case mailboxStatus(MailboxName, MailboxStatus)
    /// `* SEARCH …`, `* SORT …`. RFC 3501 §7.2.5, RFC 5256 §4.
    case search(SearchResponse)
    /// `* ESEARCH …`. RFC 9051 §7.3.4, RFC 4731 §3.
    case extendedSearch(ExtendedSearchResponse)
    /// `* THREAD …`: each message with the place of the one it answers. RFC 5256 §4.
    case thread([ThreadNode])
    /// `* n EXISTS`: how many messages the mailbox has. RFC 9051 §7.4.1.
    case exists(UInt32)
    /// `* n RECENT`. RFC 3501 §7.3.2.
    case recent(UInt32)
    /// `* n EXPUNGE`: the message with that number is gone; later numbers sink by one. RFC 9051 §7.5.1.
    case expunge(SequenceNumber)
    /// `* VANISHED`, with `(EARLIER)` in an answer to what has vanished since. RFC 7162 §3.2.10. The set can end with
    /// `*`, against the RFC: nobody should believe that.
    case vanished(earlier: Bool, UIDSet)
    /// `* n FETCH (…)`, `* n UIDFETCH (…)`. RFC 9051 §7.5.2, RFC 9586 §3.3.
    case fetch(FetchResponse)
    /// `* NAMESPACE …`. RFC 2342 §5.
    case namespace(NamespaceResponse)
    /// `* ID …`. RFC 2971 §3.2.
    case id(IDParameters)
    /// `* QUOTA root (…)`. RFC 9208 §4.2.1.
    case quota(QuotaResponse)
    /// `* QUOTAROOT name root …`. RFC 9208 §4.2.2.
    case quotaRoot(QuotaRootResponse)
    /// `* ACL name …`. RFC 4314 §3.6.
    case acl(ACLResponse)
    /// `* LISTRIGHTS name identifier …`. RFC 4314 §3.7.
    case listRights(ListRightsResponse)
    /// `* MYRIGHTS name rights`. RFC 4314 §3.8.
    case myRights(MyRightsResponse)
    /// `* METADATA name …`. RFC 5464 §4.4.
    case metadata(MetadataResponse)
    /// `* GENURLAUTH url …`. RFC 4467 §9.
    case generatedURLs([String])
    /// `* URLFETCH url data …`. RFC 4467 §9.
    case fetchedURLs([FetchedURL])
    /// `* LANGUAGE (…)`. RFC 5255 §3.3.
    case language([String])
    /// `* COMPARATOR name (…)`. RFC 5255 §4.8.
    case comparator(ComparatorResponse)
    /// `* JMAPACCESS url`. RFC 9698 §4.
    case jmapAccess(String)
    /// A response whose name is not known here.
    case unknown(UnknownResponse)
    /// A response that cannot be read. It stands for itself: nothing else is lost by it.
    case damaged(DamagedResponse)
}

/// A response whose name is not known here.
public struct UnknownResponse: Hashable, Sendable {
    /// Its name in upper case, such as `XFOO`.
    public var name: String
    /// The number before the name, as in `* 5 XFOO`.
    public var number: UInt32?
    /// What stands behind the name and a space, as it came; literals with their `{n}`.
    public var octets: [UInt8]

    /// Makes one.
    public init(name: String, number: UInt32? = nil, octets: [UInt8]) {
        self.name = name
        self.number = number
        self.octets = octets
    }
}

/// A response that cannot be read.
public struct DamagedResponse: Hashable, Sendable {
    /// All of it, as it came.
    public var octets: [UInt8]
    /// Where reading stopped.
    public var failure: ParseFailure
    /// Its name in upper case, as far as there is one.
    public var name: String?
    /// The number before its name: for `FETCH` that of the message.
    public var number: SequenceNumber?
    /// The message's UID, where one was seen.
    public var uid: UID?

    /// Makes one.
    public init(
        octets: [UInt8], failure: ParseFailure, name: String? = nil, number: SequenceNumber? = nil,
        uid: UID? = nil
    ) {
        self.octets = octets
        self.failure = failure
        self.name = name
        self.number = number
        self.uid = uid
    }
}

/// A value within a response that others stand beside: damaged, it costs nobody else.
public enum Damageable<Value> {
    /// The value.
    case value(Value)
    /// The octets that should have been one, as they came, and where reading stopped.
    case damaged(octets: [UInt8], ParseFailure)

    /// The value, if it could be read.
    public var value: Value? {
        guard case .value(let value) = self else { return nil }
        return value
    }
}

extension Damageable: Sendable where Value: Sendable {}
extension Damageable: Equatable where Value: Equatable {}
extension Damageable: Hashable where Value: Hashable {}
