import MartletBytes
import MartletIMAPCore
import MartletTestSupport
import Testing

@Suite("Response encoder")
struct ResponseEncoderTests {
    static func encode(_ response: IMAPResponse, isUTF8: Bool = false) -> String {
        var encoder = ResponseEncoder(isUTF8: isUTF8)
        encoder.append(response)
        return String(decoding: encoder.octets, as: UTF8.self)
    }

    @Test(
        "writes what the parser reads as the same", arguments: 1...40 as ClosedRange<UInt64>,
        [false, true])
    func roundTrip(seed: UInt64, isUTF8: Bool) {
        var random = RandomResponses(seed: seed)
        let responses = (0..<150).map { _ in random.next() }
        var encoder = ResponseEncoder(isUTF8: isUTF8)
        for response in responses { encoder.append(response) }
        let replay = Replay(encoder.octets, .every(997))
        #expect(replay.failure == nil)
        let parser = ResponseParser(isUTF8: isUTF8)
        let read = replay.frames.map { parser.parse($0) }
        #expect(read.count == responses.count)
        for (response, again) in zip(responses, read) { #expect(again == response) }
    }

    @Test("says where detached data belongs")
    func detached() {
        var encoder = ResponseEncoder()
        encoder.append(.exists(1))
        let data = FetchItem.section(.message, origin: nil, .detached(index: 0, size: 1_000))
        encoder.append(.fetch(.init(number: SequenceNumber(1), items: [data, .flags([.seen])])))
        let mark = encoder.detached[0]
        #expect(mark.size == 1_000 && encoder.detached.count == 1)
        #expect(encoder.octets[..<mark.offset].suffix(8) == Array("{1000}\r\n".utf8)[...])
        let frame = ResponseFrame(
            octets: encoder.octets[12...].dropLast(2),
            detached: [DetachedMark(index: 0, size: 1_000, offset: mark.offset - 12)])
        #expect(
            ResponseParser().parse(frame)
                == .fetch(.init(number: SequenceNumber(1), items: [data, .flags([.seen])])))
        encoder.removeAll()
        #expect(encoder.octets.isEmpty && encoder.detached.isEmpty)
    }

    @Test("cannot be made to write a second response")
    func injection() {
        let evil = "x\r\n* BYE y\0z"
        let octets = Array(evil.utf8)
        let responses: [IMAPResponse] = [
            .tagged(
                .init(tag: evil, condition: .ok, text: .init(code: .referral(evil), octets: octets))
            ),
            .condition(
                .init(.ok, text: .init(code: .other(name: evil, octets: octets), octets: octets))),
            .condition(.init(.ok, text: .init(code: .badCharset([evil]), octets: []))),
            .condition(.init(.ok, text: .init(code: .noUpdate(tag: evil), octets: []))),
            .condition(.init(.ok, text: .init(code: .mailboxID(ObjectID(evil)), octets: []))),
            .continuation(.init(octets: octets)), .capability([Capability(evil)]),
            .list(
                .init(
                    attributes: [MailboxAttribute(evil)], delimiter: UInt8(ascii: "/"),
                    name: MailboxName(wire: octets, isUTF8: false))),
            .list(
                .init(
                    name: .inbox, childInfo: [evil],
                    oldName: MailboxName(wire: octets, isUTF8: false))),
            .flags([MessageFlag(wire: octets)]), .id(.init([.init(name: evil, value: evil)])),
            .quotaRoot(.init(mailbox: .inbox, roots: [evil])),
            .acl(
                .init(
                    mailbox: .inbox, entries: [.init(identifier: evil, rights: AccessRights(evil))])
            ),
            .generatedURLs([evil]), .language([evil]), .jmapAccess(evil),
            .fetch(
                .init(
                    number: SequenceNumber(1),
                    items: [
                        .section(
                            MessageSection(.message, .headerFields([evil])), origin: nil,
                            .octets(octets[...])), .preview(evil),
                        .emailID(ObjectID(evil)),
                        .gmailLabels([GmailLabel(wire: octets, isUTF8: false)]),
                        .gmailLabels([GmailLabel(wire: Array("\\x\r\n* BYE".utf8), isUTF8: false)]),
                    ])),
        ]
        for response in responses {
            for isUTF8 in [false, true] {
                var encoder = ResponseEncoder(isUTF8: isUTF8)
                encoder.append(response)
                encoder.append(.exists(7))
                let replay = Replay(encoder.octets)
                #expect(
                    replay.frames.count == 2, "\(String(decoding: encoder.octets, as: UTF8.self))")
                #expect(replay.responses.last == .exists(7))
            }
        }
    }

    static let wire: [(IMAPResponse, String)] = [
        (.exists(5), "* 5 EXISTS\r\n"),
        (
            .tagged(.init(tag: "A1", condition: .ok, text: .init(code: .readWrite, "done"))),
            "A1 OK [READ-WRITE] done\r\n"
        ),
        (.continuation(.init()), "+ \r\n"),
        (.search(.init(numbers: [])), "* SEARCH\r\n"),
        (
            .list(.init(attributes: [.sent], delimiter: UInt8(ascii: "\\"), name: .inbox)),
            "* LIST (\\Sent) \"\\\\\" INBOX\r\n"
        ),
        (.vanished(earlier: true, [UID(1)!, UID(2)!, UID(9)!]), "* VANISHED (EARLIER) 1:2,9\r\n"),
        (
            .fetch(.init(number: nil, items: [.uid(UID(9)!), .flags([.seen])])),
            "* 9 UIDFETCH (FLAGS (\\Seen))\r\n"
        ),
        (.thread([]), "* THREAD\r\n"),
        (
            .thread([
                .init(number: 2, parent: nil), .init(number: 3, parent: nil),
                .init(number: 6, parent: 1),
                .init(number: 4, parent: 2), .init(number: 23, parent: 3),
                .init(number: 44, parent: 2),
            ]), "* THREAD (2)(3 6 (4 23)(44))\r\n"
        ),
    ]

    @Test("writes the forms of the RFCs", arguments: wire)
    func forms(response: IMAPResponse, text: String) { #expect(Self.encode(response) == text) }

    @Test("writes threads 100,000 deep", .timeLimit(.minutes(1)))
    func deepThreads() {
        let nodes = (0..<100_000).map {
            ThreadNode(number: UInt32($0 + 1), parent: $0 == 0 ? nil : $0 - 1)
        }
        let forked = nodes.flatMap { [$0] } + [ThreadNode(number: 5, parent: 0)]
        for nodes in [nodes, forked] {
            let text = Self.encode(.thread(nodes))
            #expect(ResponseParser().parse(Array(text.utf8.dropLast(2))) == .thread(nodes))
        }
    }
}
