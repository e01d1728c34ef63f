import MartletBytes

/// Reads whole responses. Nothing fails: what cannot be read is `IMAPResponse.damaged`, or a damaged item of a FETCH.
///
/// Time and memory are linear in the octets of the response; nothing recurses.
public struct ResponseParser: Sendable {
    /// `nestingDepth` counts here.
    public var limits: IMAPLimits
    /// Whether UTF-8 was agreed on (RFC 6855): names of mailboxes are then not in modified UTF-7.
    public var isUTF8: Bool

    /// Makes a parser.
    public init(limits: IMAPLimits = .standard, isUTF8: Bool = false) {
        self.limits = limits
        self.isUTF8 = isUTF8
    }

    /// Reads a response.
    public func parse(_ frame: ResponseFrame) -> IMAPResponse {
        var cursor = IMAPCursor(frame, limits: limits, isUTF8: isUTF8)
        var known = UntaggedStart()
        do throws(ParseFailure) {
            switch cursor.next {
            case UInt8(ascii: "+"): return .continuation(cursor.continuation())
            case UInt8(ascii: "*"): return try cursor.untagged(&known)
            default: return .tagged(try cursor.tagged())
            }
        } catch {
            return .damaged(
                DamagedResponse(
                    octets: Array(frame.octets), failure: error, name: known.name,
                    number: known.number.flatMap { SequenceNumber($0) }, uid: known.uid))
        }
    }

    /// Reads the octets of a response without its last line end.
    public func parse(_ octets: some Collection<UInt8>) -> IMAPResponse {
        parse(ResponseFrame(octets: Array(octets)[...]))
    }
}

/// What is known of an untagged response before all of it is read.
struct UntaggedStart {
    var number: UInt32?
    var name: String?
    var uid: UID?
}

extension IMAPCursor {
    // response-data = "*" SP (resp-cond-state / resp-cond-bye / mailbox-data / message-data / …) CRLF
    mutating func untagged(_ known: inout UntaggedStart) throws(ParseFailure) -> IMAPResponse {
        index += 1
        skipSpaces()
        if next.isDigit {
            known.number = try number()
            skipSpaces()
        }
        // Most responses by far.
        if let number = known.number, wordIfPresent("FETCH") {
            known.name = "FETCH"
            return .fetch(try fetchResponse(number, isUID: false, &known))
        }
        let name = try keyword()
        known.name = name
        if let number = known.number { return try numbered(number, name, &known) }
        if let kind = UntaggedCondition.Kind(rawValue: name) {
            return .condition(UntaggedCondition(kind, text: responseText()))
        }
        return try data(name)
    }

    private mutating func numbered(
        _ number: UInt32, _ name: String, _ known: inout UntaggedStart
    ) throws(ParseFailure) -> IMAPResponse {
        switch name {
        case "UIDFETCH": return .fetch(try fetchResponse(number, isUID: true, &known))
        case "EXISTS":
            try finish()
            return .exists(number)
        case "RECENT":
            try finish()
            return .recent(number)
        case "EXPUNGE":
            try finish()
            guard let number = SequenceNumber(number) else {
                throw failure("nz-number before EXPUNGE")
            }
            return .expunge(number)
        default:
            skipSpaces()
            return .unknown(UnknownResponse(name: name, number: number, octets: Array(rest)))
        }
    }

    private mutating func data(_ name: String) throws(ParseFailure) -> IMAPResponse {
        let nameEnd = index
        skipSpaces()
        let response = try knownData(name)
        guard let response else {
            index = nameEnd
            _ = takeIfPresent(ASCII.space)
            return .unknown(UnknownResponse(name: name, octets: Array(rest)))
        }
        try finish()
        return response
    }

    private mutating func knownData(_ name: String) throws(ParseFailure) -> IMAPResponse? {
        switch name {
        case "CAPABILITY": .capability(try capabilities())
        case "ENABLED": .enabled(try capabilities())
        case "FLAGS": .flags(try flagList())
        case "LIST": .list(try listEntry(.list))
        case "LSUB": .list(try listEntry(.lsub))
        case "XLIST": .list(try listEntry(.xlist))
        case "STATUS": try mailboxStatusResponse()
        case "SEARCH": .search(try searchResponse(.search))
        case "SORT": .search(try searchResponse(.sort))
        case "ESEARCH": .extendedSearch(try extendedSearchResponse())
        case "THREAD": .thread(try threadNodes())
        case "VANISHED": try vanished()
        case "NAMESPACE": .namespace(try namespaceResponse())
        case "ID": .id(try idParameters())
        case "QUOTA": .quota(try quotaResponse())
        case "QUOTAROOT": .quotaRoot(try quotaRootResponse())
        case "ACL": .acl(try aclResponse())
        case "LISTRIGHTS": .listRights(try listRightsResponse())
        case "MYRIGHTS": .myRights(try myRightsResponse())
        case "METADATA": .metadata(try metadataResponse())
        case "GENURLAUTH": .generatedURLs(try generatedURLs())
        case "URLFETCH": .fetchedURLs(try fetchedURLs())
        case "LANGUAGE": .language(try languages())
        case "COMPARATOR": .comparator(try comparator())
        case "JMAPACCESS": .jmapAccess(try string().text)
        default: nil
        }
    }

    // "VANISHED" [SP "(EARLIER)"] SP known-uids ; RFC 7162 §7
    private mutating func vanished() throws(ParseFailure) -> IMAPResponse {
        var isEarlier = false
        if takeIfPresent(UInt8(ascii: "(")) {
            guard wordIfPresent("EARLIER"), takeIfPresent(UInt8(ascii: ")")) else {
                throw failure("EARLIER")
            }
            isEarlier = true
            try space()
        }
        // None at all is against the RFC and means none.
        if isAtEnd { return .vanished(earlier: isEarlier, UIDSet()) }
        return .vanished(earlier: isEarlier, try messageNumberSet())
    }
}
