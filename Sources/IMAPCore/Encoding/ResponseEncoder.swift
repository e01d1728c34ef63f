import MartletBytes
import MartletMIME

/// Writes responses, as a server does.
///
///     var encoder = ResponseEncoder()
///     encoder.append(.exists(5))
///     // "* 5 EXISTS\r\n"
///
/// What is written is one response, whatever the values are: line ends and NUL go out in literals, or as spaces where there
/// can be none. Octets that a value keeps as they came (`UnknownResponse`, damaged items, `ExtendedItem`) go out as they
/// are. A `MessageData.detached` is announced, and `detached` says where its octets are to be put in.
public struct ResponseEncoder: Sendable {
    /// All responses so far, each with its line end.
    public package(set) var octets: [UInt8] = []
    /// Where the octets of detached data belong, counted from the start of `octets`.
    public internal(set) var detached: [DetachedMark] = []
    /// Whether UTF-8 was agreed on (RFC 6855).
    public var isUTF8: Bool

    /// Makes an encoder that has written nothing.
    public init(isUTF8: Bool = false) { self.isUTF8 = isUTF8 }

    /// Forgets what was written.
    public mutating func removeAll() {
        octets.removeAll(keepingCapacity: true)
        detached = []
    }

    /// Writes a response with its line end.
    public mutating func append(_ response: IMAPResponse) {
        switch response {
        case .tagged(let tagged): write(tagged)
        case .continuation(let request):
            write("+ ")
            line(request.octets)
        case .damaged(let damaged): octets += damaged.octets
        default:
            write("* ")
            writeUntagged(response)
        }
        write("\r\n")
    }

    private mutating func writeUntagged(_ response: IMAPResponse) {
        switch response {
        case .condition(let condition): write(condition)
        case .capability(let words): list("CAPABILITY", words.map(\.description))
        case .enabled(let words): list("ENABLED", words.map(\.rawValue))
        case .flags(let flags):
            write("FLAGS ")
            write(flags)
        case .list(let entry): write(entry)
        case .mailboxStatus(let name, let status): write(status, of: name)
        case .search(let search): write(search)
        case .extendedSearch(let search): write(search)
        case .thread(let nodes): write(nodes)
        case .exists(let count): numbered(UInt64(count), "EXISTS")
        case .recent(let count): numbered(UInt64(count), "RECENT")
        case .expunge(let number): numbered(UInt64(number.rawValue), "EXPUNGE")
        case .vanished(let isEarlier, let uids):
            write(isEarlier ? "VANISHED (EARLIER) " : "VANISHED ")
            uids.encode(into: &octets)
        case .fetch(let fetch): write(fetch)
        default: writeRare(response)
        }
    }

    private mutating func writeRare(_ response: IMAPResponse) {
        switch response {
        case .namespace(let namespace): write(namespace)
        case .id(let parameters): write(parameters)
        case .quota(let quota): write(quota)
        case .quotaRoot(let quotaRoot): write(quotaRoot)
        case .acl(let acl): write(acl)
        case .listRights(let rights): write(rights)
        case .myRights(let rights): write(rights)
        case .metadata(let metadata): write(metadata)
        case .generatedURLs(let urls):
            write("GENURLAUTH")
            for url in urls { spaced { $0.string(Array(url.utf8)) } }
        case .fetchedURLs(let urls):
            write("URLFETCH")
            for url in urls {
                spaced { $0.string(Array(url.url.utf8)) }
                spaced { $0.data(url.data) }
            }
        case .language(let tags):
            write("LANGUAGE ")
            parenthesized(tags) { $0.string(Array($1.utf8)) }
        case .comparator(let comparator):
            write("COMPARATOR ")
            string(Array(comparator.active.utf8))
            guard !comparator.matching.isEmpty else { break }
            write(" ")
            parenthesized(comparator.matching) { $0.string(Array($1.utf8)) }
        case .jmapAccess(let url):
            write("JMAPACCESS ")
            string(Array(url.utf8))
        case .unknown(let unknown):
            if let number = unknown.number {
                self.number(UInt64(number))
                write(" ")
            }
            write(unknown.name)
            if !unknown.octets.isEmpty { write(" ") }
            octets += unknown.octets
        default: break
        }
    }

    private mutating func numbered(_ number: UInt64, _ name: StaticString) {
        self.number(number)
        write(" ")
        write(name)
    }

    private mutating func list(_ name: StaticString, _ words: [String]) {
        write(name)
        for word in words { spaced { $0.line(Array(word.utf8)) } }
    }
}
