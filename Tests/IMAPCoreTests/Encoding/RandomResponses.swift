import MartletBytes
import MartletIMAPCore
import MartletMIME
import MartletTestSupport

/// Makes responses of all kinds from a seed.
struct RandomResponses {
    private var random: SeededGenerator

    init(seed: UInt64) { random = SeededGenerator(seed: seed) }

    // MARK: Small values

    private mutating func pick<Value>(_ values: [Value]) -> Value {
        values.randomElement(using: &random)!
    }

    private mutating func maybe<Value>(_ value: (inout Self) -> Value) -> Value? {
        Bool.random(using: &random) ? value(&self) : nil
    }

    private mutating func some<Value>(
        _ range: ClosedRange<Int> = 0...4, _ value: (inout Self) -> Value
    ) -> [Value] {
        (0..<Int.random(in: range, using: &random)).map { _ in value(&self) }
    }

    private mutating func number() -> UInt32 { UInt32.random(in: 1...(.max), using: &random) }
    private mutating func size() -> UInt64 {
        UInt64.random(in: 0...UInt64(Int64.max), using: &random)
    }
    private mutating func uid() -> UID { UID(number())! }
    private mutating func modSeq() -> ModSequence { ModSequence(size())! }

    private mutating func octets() -> [UInt8] {
        pick([
            [], Array("plain".utf8), Array("two words".utf8), Array("q\"uo\\te".utf8),
            Array("NIL".utf8),
            Array("ü".utf8), [0xB1, 0xA8], Array("line\r\nend".utf8), [0, 1, 2],
            Array("(a) {5}".utf8),
            Array(repeating: 0x61, count: 1_500), Array("a ] b".utf8), [0x5C], [0x22],
            Array("* 1 EXISTS\r\n".utf8),
        ])
    }

    private mutating func text() -> String {
        pick([
            "", "plain", "two words", "q\"uo\\te", "NIL", "ü", "line\r\nend", "日本", "a ] b", "{3}",
        ])
    }

    private mutating func word() -> String { pick(["a", "X-Word", "b.c", "d_1", "e+f"]) }
    private mutating func line() -> [UInt8] {
        Array(pick(["", "done", "two words {5}", "ü", "a ] b (c \"d"]).utf8)
    }
    private mutating func flag() -> MessageFlag {
        pick([.seen, .answered, .junk, MessageFlag("keyword")!, MessageFlag("\\X-Y")!])
    }
    private mutating func capability() -> Capability {
        pick([.idle, .imap4rev1, Capability("AUTH=PLAIN"), Capability("X")])
    }
    private mutating func objectID() -> ObjectID { ObjectID(pick(["M1", "T-2_3", "x y"])) }

    private mutating func mailbox() -> MailboxName {
        let names = [
            "INBOX", "Archive/2026", "Entwürfe", "a b", "日本語", "[Gmail]/All", "a\"b\\c", "x&y",
            "%*",
        ]
        return try! MailboxName(pick(names))
    }

    private mutating func date() -> MailDate {
        MailDate(
            secondsSinceEpoch: Int64.random(in: -2_000_000_000...200_000_000_000, using: &random),
            offsetInMinutes: Int.random(in: -840...840, using: &random))
    }

    private mutating func list() -> MessageNumberList {
        MessageNumberList(runs: some(1...4) { .init($0.number(), through: $0.number()) })
    }

    private mutating func data() -> MessageData {
        Int.random(in: 0..<5, using: &random) == 0 ? .nil : .octets(octets()[...])
    }

    private mutating func extended() -> ExtendedItem {
        ExtendedItem(
            name: word(),
            octets: Array(pick(["x", "(a (b))", "\"q s\"", "{3}\r\na\r\n", "12"]).utf8))
    }

    private mutating func delimiter() -> UInt8? {
        pick([nil, UInt8(ascii: "/"), UInt8(ascii: "."), UInt8(ascii: "\\"), UInt8(ascii: "\"")])
    }

    // MARK: Responses

    mutating func next() -> IMAPResponse {
        switch Int.random(in: 0..<28, using: &random) {
        case 0:
            .tagged(
                .init(
                    tag: pick(["A1", "x.9"]), condition: pick(StatusCondition.allCases),
                    text: responseText()))
        case 1: .condition(.init(pick(UntaggedCondition.Kind.allCases), text: responseText()))
        case 2: .continuation(.init(octets: line()))
        case 3: .capability(some { $0.capability() })
        case 4: .enabled(some { $0.capability() })
        case 5: .flags(some { $0.flag() })
        case 6, 7: .list(listEntry())
        case 8: .mailboxStatus(mailbox(), status())
        case 9:
            .search(
                .init(
                    pick(SearchResponse.Kind.allCases), numbers: some { $0.number() },
                    modSeq: maybe { $0.modSeq() }))
        case 10: .extendedSearch(extendedSearch())
        case 11: .thread(threads())
        case 12: pick([.exists(number()), .recent(number()), .expunge(SequenceNumber(number())!)])
        case 13: .vanished(earlier: Bool.random(using: &random), list().uids)
        case 14:
            .namespace(
                .init(personal: namespaces(), otherUsers: namespaces(), shared: namespaces()))
        case 15: .id(.init(some { .init(name: $0.text(), value: $0.maybe { $0.text() }) }))
        case 16:
            .quota(
                .init(
                    root: text(),
                    resources: some {
                        .init(name: $0.pick(["STORAGE", "X"]), usage: $0.size(), limit: $0.size())
                    }))
        case 17: .quotaRoot(.init(mailbox: mailbox(), roots: some { $0.text() }))
        case 18:
            .acl(
                .init(
                    mailbox: mailbox(),
                    entries: some {
                        .init(identifier: $0.text(), rights: AccessRights($0.pick(["lrs", ""])))
                    }))
        case 19:
            .listRights(
                .init(
                    mailbox: mailbox(), identifier: text(), required: AccessRights("l"),
                    optional: some { AccessRights($0.word()) }))
        case 20: .myRights(.init(mailbox: mailbox(), rights: AccessRights(word())))
        case 21: .metadata(metadata())
        case 22: .generatedURLs(some { $0.text() })
        case 23: .fetchedURLs(some { .init(url: $0.text(), data: $0.data()) })
        case 24:
            pick([
                .language(some { $0.word() }), .jmapAccess(text()),
                .comparator(.init(active: text(), matching: some(1...3) { $0.word() })),
            ])
        default: .fetch(fetch())
        }
    }

    private mutating func listEntry() -> ListEntry {
        ListEntry(
            kind: pick(ListEntry.Kind.allCases),
            attributes: some { $0.pick([.sent, .hasChildren, MailboxAttribute("\\X")]) },
            delimiter: delimiter(), name: mailbox(),
            childInfo: some(0...2) { $0.pick(["SUBSCRIBED", "x y"]) },
            oldName: maybe { $0.mailbox() }, extendedData: some(0...2) { $0.extended() })
    }

    private mutating func status() -> MailboxStatus {
        var status = MailboxStatus()
        status.messages = maybe { $0.number() }
        status.recent = maybe { $0.number() }
        status.uidNext = maybe { $0.uid() }
        status.uidValidity = maybe { UIDValidity($0.number()) }
        status.unseen = maybe { $0.number() }
        status.deleted = maybe { $0.number() }
        status.sizeInOctets = maybe { $0.size() }
        status.deletedStorageInOctets = maybe { $0.size() }
        status.highestModSeq = maybe { $0.modSeq() }
        status.appendLimit = pick([nil, MailboxStatus.AppendLimit.none, .octets(size())])
        status.mailboxID = maybe { $0.objectID() }
        status.others = some(0...2) { $0.extended() }
        return status
    }

    private mutating func extendedSearch() -> ExtendedSearchResponse {
        var search = ExtendedSearchResponse(
            tag: maybe { $0.text() }, isUID: Bool.random(using: &random))
        search.mailbox = maybe { $0.mailbox() }
        search.uidValidity = maybe { UIDValidity($0.number()) }
        search.minimum = maybe { $0.number() }
        search.maximum = maybe { $0.number() }
        search.all = maybe { $0.list() }
        search.count = maybe { $0.size() }
        search.modSeq = maybe { $0.modSeq() }
        search.partial = maybe {
            PartialResult(first: -1, last: -100, numbers: $0.maybe { $0.list() })
        }
        search.updates = some(0...3) {
            SearchUpdate(
                $0.pick(SearchUpdate.Kind.allCases), position: $0.number(), numbers: $0.list())
        }
        search.relevancies = some { $0.number() }
        search.others = some(0...2) { $0.extended() }
        return search
    }

    private mutating func threads() -> [ThreadNode] {
        var nodes: [ThreadNode] = []
        func add(_ parent: Int?, _ depth: Int, _ random: inout SeededGenerator) {
            let place = nodes.count
            let isMissing = Int.random(in: 0..<6, using: &random) == 0
            nodes.append(
                ThreadNode(
                    number: isMissing ? nil : UInt32.random(in: 1...99, using: &random),
                    parent: parent))
            // One that is missing has two answers at least: nobody would know of it otherwise.
            let count = isMissing ? 2 : depth > 5 ? 0 : Int.random(in: 0...2, using: &random)
            for _ in 0..<count { add(place, depth + 1, &random) }
        }
        for _ in 0..<Int.random(in: 0...3, using: &random) { add(nil, 0, &random) }
        return nodes
    }

    private mutating func namespaces() -> [NamespaceResponse.Namespace] {
        some(0...2) {
            let prefix = $0.pick([MailboxName(wire: [], isUTF8: false), $0.mailbox()])
            return .init(
                prefix: prefix, delimiter: $0.delimiter(),
                extensions: $0.some(0...2) { $0.extended() })
        }
    }

    private mutating func metadata() -> MetadataResponse {
        let name = maybe { $0.mailbox() }
        return Bool.random(using: &random)
            ? MetadataResponse(
                mailbox: name,
                entries: some { .init(name: "/shared/" + $0.word(), value: $0.data()) })
            : MetadataResponse(mailbox: name, changedNames: some(1...3) { "/private/" + $0.word() })
    }

    private mutating func responseText() -> ResponseText {
        ResponseText(code: maybe { $0.code() }, octets: line())
    }

    private mutating func code() -> ResponseCode {
        let codes: [ResponseCode] = [
            .alert, .badCharset(some { $0.word() }), .capability(some { $0.capability() }), .parse,
            .permanentFlags(some { $0.flag() } + [.anyKeyword]), .readOnly, .readWrite, .tryCreate,
            .uidNext(uid()),
            .uidValidity(UIDValidity(number())), .unseen(SequenceNumber(number())!), .hasChildren,
            .unknownCTE, .notSaved,
            .appendUID(UIDValidity(number()), list()),
            .copyUID(
                .init(uidValidity: UIDValidity(number()), source: list(), destination: list())),
            .uidNotSticky,
            .highestModSeq(modSeq()), .noModSeq, .modified(list()), .closed, .unavailable,
            .authenticationFailed,
            .authorizationFailed, .expired, .privacyRequired, .contactAdmin, .noPermission, .inUse,
            .expungeIssued,
            .corruption, .serverBug, .clientBug, .cannot, .limit, .overQuota, .alreadyExists,
            .nonexistent, .tooBig,
            .badURL(word()), .compressionActive, .useAttribute, .metadata(.longEntries(size())),
            .metadata(.maximumSize(size())), .metadata(.tooMany), .metadata(.noPrivate),
            .notificationOverflow,
            .badEvent(some { $0.word() }), .noUpdate(tag: "x\"y"), .undefinedFilter("a b"),
            .badComparator,
            .referral("imap://u;AUTH=*@h/x"),
            .inProgress(.init(tag: maybe { $0.word() }, progress: 1, goal: maybe { $0.number() })),
            .messageLimit(.init(limit: number(), lowestUID: maybe { $0.uid() })), .uidRequired,
            .mailboxID(objectID()),
            .urlMechanism(text: "INTERNAL X=y"), .throttled, .webAlert("https://example.org"),
            .other(name: "X-" + word().uppercased(), octets: Array("a (b)".utf8)),
        ]
        return pick(codes)
    }

    // MARK: FETCH

    private mutating func fetch() -> FetchResponse {
        if Bool.random(using: &random) {
            return FetchResponse(number: SequenceNumber(number()), items: some { $0.item() })
        }
        return FetchResponse(number: nil, items: [.uid(uid())] + some { $0.item(allowsUID: false) })
    }

    private mutating func item(allowsUID: Bool = true) -> FetchItem {
        switch Int.random(in: 0..<20, using: &random) {
        case 0 where allowsUID: .uid(uid())
        case 1: .flags(some { $0.flag() })
        case 2: .internalDate(date())
        case 3: .size(size())
        case 4: .envelope(.value(envelope()))
        case 5, 6: .bodyStructure(.value(structure(isExtended: true)))
        case 7: .body(.value(structure(isExtended: false)))
        case 8, 9: .section(section(), origin: maybe { $0.size() }, data())
        case 10: .binary(partNumber(), origin: maybe { $0.size() }, data())
        case 11: .binarySize(partNumber(), size())
        case 12: .rfc822(pick(RFC822Part.allCases), data())
        case 13: .modSeq(modSeq())
        case 14: pick([.emailID(objectID()), .threadID(maybe { $0.objectID() })])
        case 15: .preview(maybe { $0.text() })
        case 16: .saveDate(maybe { $0.date() })
        case 17: pick([.gmailMessageID(.max), .gmailThreadID(7)])
        case 18:
            .gmailLabels(
                some {
                    GmailLabel(
                        wire: Array($0.pick(["\\Inbox", "x", "a b", "&AOk-"]).utf8), isUTF8: false)
                })
        default: .unknown(name: "X-" + word().uppercased(), octets: extended().octets)
        }
    }

    private mutating func partNumber() -> PartNumber { PartNumber(some { $0.number() }) }

    private mutating func section() -> MessageSection {
        let part = partNumber()
        var contents: [MessageSection.Content] = [
            .whole, .header, .text, .headerFields(some { $0.pick(["Subject", "x y", "q\"r"]) }),
            .headerFieldsNot(["To"]),
        ]
        if !part.path.isEmpty { contents.append(.mime) }
        return MessageSection(part, pick(contents))
    }

    private mutating func envelope() -> MessageEnvelope {
        var envelope = MessageEnvelope()
        envelope.dateOctets = maybe { $0.octets() }
        envelope.subjectOctets = maybe { $0.octets() }
        envelope.from = addresses()
        envelope.sender = addresses()
        envelope.replyTo = addresses()
        envelope.to = addresses()
        envelope.cc = addresses()
        envelope.bcc = addresses()
        envelope.inReplyToOctets = maybe { $0.octets() }
        envelope.messageIDOctets = maybe { $0.octets() }
        return envelope
    }

    private mutating func addresses() -> [EnvelopeAddress] {
        some(0...3) { random in
            EnvelopeAddress(
                name: random.maybe { $0.octets() }, route: random.maybe { $0.octets() },
                mailbox: random.maybe { $0.octets() }, host: random.maybe { $0.octets() })
        }
    }

    private mutating func structure(isExtended: Bool) -> BodyStructure {
        var parts: [BodyStructurePart] = []
        addBody(to: &parts, parent: nil, prefix: .message, depth: 0, isExtended)
        return BodyStructure(parts: parts)
    }

    /// The body of a message whose number is `prefix`.
    private mutating func addBody(
        to parts: inout [BodyStructurePart], parent: Int?, prefix: PartNumber, depth: Int,
        _ isExtended: Bool
    ) {
        if depth < 4, Bool.random(using: &random) {
            addMultipart(
                to: &parts, parent: parent, number: prefix, isRoot: true, depth: depth, isExtended)
        } else {
            addLeaf(to: &parts, parent: parent, number: prefix.child(1), depth: depth, isExtended)
        }
    }

    private mutating func addMultipart(
        to parts: inout [BodyStructurePart], parent: Int?, number: PartNumber, isRoot: Bool,
        depth: Int, _ isExtended: Bool
    ) {
        var part = BodyStructurePart(
            number: number, parent: parent, type: "multipart", subtype: pick(["mixed", "related"]))
        part.isRootOfMessage = isRoot
        if isExtended {
            part.rawParameters = parameters()
            addEnd(to: &part)
        }
        let place = parts.count
        parts.append(part)
        let count = UInt32.random(in: 0...3, using: &random)
        for child in 0..<count {
            let number = number.child(child + 1)
            if depth < 4, Int.random(in: 0..<4, using: &random) == 0 {
                addMultipart(
                    to: &parts, parent: place, number: number, isRoot: false, depth: depth + 1,
                    isExtended)
            } else {
                addLeaf(to: &parts, parent: place, number: number, depth: depth + 1, isExtended)
            }
        }
    }

    private mutating func addLeaf(
        to parts: inout [BodyStructurePart], parent: Int?, number: PartNumber, depth: Int,
        _ isExtended: Bool
    ) {
        let (type, subtype) = pick([
            ("text", "plain"), ("image", "png"), ("message", "rfc822"), ("x-odd", "thing"),
        ])
        var part = BodyStructurePart(number: number, parent: parent, type: type, subtype: subtype)
        part.rawParameters = parameters()
        part.contentIDOctets = maybe { $0.octets() }
        part.descriptionOctets = maybe { $0.octets() }
        part.transferEncoding = pick(["7bit", "base64", "quoted-printable", "x-y"])
        part.sizeInOctets = size()
        if type == "text" || type == "message" { part.lineCount = size() }
        if isExtended {
            part.md5 = maybe { $0.octets() }
            addEnd(to: &part)
        }
        if type == "message" { part.envelope = .value(envelope()) }
        let place = parts.count
        parts.append(part)
        if type == "message" {
            addBody(to: &parts, parent: place, prefix: number, depth: depth + 1, isExtended)
        }
    }

    private mutating func addEnd(to part: inout BodyStructurePart) {
        part.rawDisposition = maybe {
            .init(kind: $0.pick(["inline", "attachment"]), parameters: $0.parameters())
        }
        part.languages = some(0...2) { $0.pick(["en", "de-CH"]) }
        part.locationOctets = maybe { $0.octets() }
    }

    private mutating func parameters() -> [BodyStructurePart.Parameter] {
        some(0...2) { .init(name: $0.pick(["charset", "name*0*"]), value: $0.octets()) }
    }
}
