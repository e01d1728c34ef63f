import MartletBytes
import MartletIMAPCore
import MartletMIME
import MartletTestSupport
import Testing

/// What a server really sent, and what is right.
struct FieldCase: Sendable, CustomTestStringConvertible {
    /// The row of the list of cases.
    let row: Int
    let claim: String
    let wire: String
    let check: @Sendable ([IMAPResponse]) -> Void

    init(
        _ row: Int, _ claim: String, _ wire: String,
        check: @escaping @Sendable ([IMAPResponse]) -> Void
    ) {
        self.row = row
        self.claim = claim
        self.wire = wire
        self.check = check
    }

    var testDescription: String { "\(row): \(claim)" }

    static func fetches(_ responses: [IMAPResponse]) -> [FetchResponse] {
        responses.compactMap { if case .fetch(let fetch) = $0 { fetch } else { nil } }
    }
}

@Suite("Field cases of responses")
struct FieldCaseTests {
    @Test(
        "are read right, whole, octet by octet and cut at every octet",
        arguments: fetchCases + nameCases + liveCases)
    func replay(fieldCase: FieldCase) {
        let octets = Array(fieldCase.wire.replacing("\n", with: "\r\n").utf8)
        let whole = Replay(octets)
        #expect(whole.failure == nil)
        fieldCase.check(whole.responses)
        #expect(Replay(octets, .everyOctet) == whole)
        for place in 1..<octets.count { #expect(Replay(octets, .at(place)) == whole) }
        // What follows is not touched by it.
        let more = Replay(octets + Array("* 77 EXISTS\r\nA99 OK done\r\n".utf8))
        #expect(more.frames.dropLast(2) == whole.frames[...])
        #expect(more.responses.suffix(2).first == .exists(77))
    }

    static let fetchCases: [FieldCase] = [
        FieldCase(
            1, "one malformed BODYSTRUCTURE of five costs itself alone",
            (1...5).map { number in
                let structure =
                    number == 3
                    ? "(\"text\" (((\"plain\" {x} ~ NIL)) \"7bit\")"
                    : "(\"text\" \"plain\" NIL NIL NIL \"7bit\" 5 1)"
                return
                    "* \(number) FETCH (UID \(number) BODYSTRUCTURE \(structure) FLAGS (\\Seen))\n"
            }.joined() + "A1 OK done\n"
        ) { responses in
            let fetches = FieldCase.fetches(responses)
            #expect(fetches.map(\.uid) == (1...5).map { UID($0) })
            #expect(fetches.map(\.hasDamage) == [false, false, true, false, false])
            #expect(fetches.map { $0.bodyStructure == nil } == [false, false, true, false, false])
            #expect(responses.count == 6)
        },
        FieldCase(
            3, "a bare subtype is a multipart",
            "* 1 FETCH (BODYSTRUCTURE (\"RELATED\" NIL NIL NIL))\n"
        ) {
            let root = FieldCase.fetches($0).first?.bodyStructure?.root
            #expect(root?.type == "multipart" && root?.subtype == "related")
        },
        FieldCase(4, "a multipart BODY without children", "* 1 FETCH (BODY (\"MIXED\") UID 4)\n") {
            let fetch = FieldCase.fetches($0).first
            #expect(fetch?.bodyStructure?.root.subtype == "mixed" && fetch?.uid == UID(4))
        },
        FieldCase(
            5, "an empty list of parts",
            "* 1 FETCH (BODYSTRUCTURE (() \"mixed\" (\"boundary\" \"x\") NIL NIL NIL) UID 4)\n"
        ) {
            let structure = FieldCase.fetches($0).first?.bodyStructure
            #expect(structure?.parts.count == 1 && structure?.root.subtype == "mixed")
            #expect(
                structure?.root.rawParameters == [.init(name: "boundary", value: Array("x".utf8))])
        },
        FieldCase(8, "a size in exponent form", "* 1 FETCH (RFC822.SIZE 9.3736e+06 UID 2)\n") {
            #expect(FieldCase.fetches($0).first?.sizeInOctets == 9_373_600)
            #expect(FieldCase.fetches($0).first?.uid == UID(2))
        },
        FieldCase(
            9, "a mod-sequence of -1 is damaged, 0 is kept",
            "* 1 FETCH (MODSEQ (-1) UID 3)\n* 2 FETCH (MODSEQ (0))\n* OK [HIGHESTMODSEQ 0] none\n"
        ) { responses in
            let fetches = FieldCase.fetches(responses)
            #expect(fetches[0].modSeq == nil && fetches[0].hasDamage && fetches[0].uid == UID(3))
            #expect(fetches[1].modSeq == ModSequence(0))
            #expect(
                responses.last
                    == .condition(
                        .init(
                            .ok, text: ResponseText(code: .highestModSeq(ModSequence(0)!), "none")))
            )
        },
        FieldCase(
            11, "a placeholder for a host is no host",
            "* 1 FETCH (ENVELOPE (NIL \"s\" ((NIL NIL \"x\" \".MISSING-HOST-NAME.\")) NIL NIL NIL NIL NIL NIL NIL))\n"
        ) {
            let from = FieldCase.fetches($0).first?.envelope?.from ?? []
            #expect(from.first?.hasPlaceholderHost == true)
            let list = AddressList(from)
            #expect(list.mailboxes.isEmpty && list.invalidEntries.map(\.address) == ["x"])
        },
        FieldCase(
            12, "double parentheses, and a date of month and year zero",
            "* 1 FETCH ((UID 1 FLAGS (\\Seen)))\n* 2 FETCH (INTERNALDATE \"00-Jan-0000 00:00:00 +0000\" UID 2)\n"
        ) {
            let fetches = FieldCase.fetches($0)
            #expect(fetches[0].uid == UID(1) && fetches[0].flags == [.seen])
            #expect(
                fetches[1].uid == UID(2) && fetches[1].internalDate == nil && fetches[1].hasDamage)
        },
        FieldCase(
            13, "() and NIL in odd places of a structure",
            """
            * 1 FETCH (BODYSTRUCTURE ("text" "plain" () () () "7bit" 5 1 () () () ()) UID 1)
            * 2 FETCH (BODYSTRUCTURE (("text" "plain" NIL NIL NIL "7bit" 5 1)("message" "rfc822" NIL NIL NIL "7bit" 9 () () 1) "mixed") UID 2)
            * 3 FETCH (BODYSTRUCTURE (NIL "mixed" ("boundary" "x") NIL NIL) UID 3)

            """
        ) {
            let fetches = FieldCase.fetches($0)
            #expect(fetches.map(\.uid) == [UID(1), UID(2), UID(3)])
            #expect(fetches.map { $0.bodyStructure?.parts.count } == [1, 3, 1])
            #expect(fetches[1].bodyStructure?.parts[2].subtype == "rfc822")
            #expect(fetches[2].bodyStructure?.root.type == "multipart")
        },
        FieldCase(
            15, "structures of odd shapes cost themselves alone",
            [
                "NIL", "()", "((()))", "(NIL NIL NIL NIL NIL NIL NIL)", "(\"text\")",
                "(\"text\" \"plain\" (\"charset\") NIL NIL \"7bit\" 5 1)",
                "((\"text\" \"plain\" NIL NIL NIL \"7bit\" 5 1) \"mixed\" NIL (\"inline\" NIL NIL) x y z)",
                "(\"message\" \"rfc822\" NIL NIL NIL \"7bit\" 5 NIL NIL 1)",
                "(\"text\" \"plain\" NIL NIL NIL \"7bit\" -1 -1)",
                "(\"text\" \"plain\" NIL NIL NIL \"7bit\" 99999999999999999999 1)",
            ].enumerated().map {
                "* \($0 + 1) FETCH (BODYSTRUCTURE \($1) UID \($0 + 1) FLAGS (\\Seen))\n"
            }.joined()
        ) { responses in
            let fetches = FieldCase.fetches(responses)
            #expect(fetches.map(\.uid) == (1...10).map { UID($0) })
            #expect(fetches.allSatisfy { $0.flags == [.seen] })
            #expect(fetches.allSatisfy { $0.items.count == 3 })
        },
        FieldCase(
            16, "a description of four quotes",
            "* 1 FETCH (BODYSTRUCTURE (\"text\" \"plain\" NIL NIL \"\"\"\" \"7bit\" 5 1) UID 9)\n"
        ) {
            let part = FieldCase.fetches($0).first?.bodyStructure?.root
            #expect(part?.descriptionOctets == Array("\"\"".utf8))
            #expect(part?.transferEncoding == "7bit" && part?.sizeInOctets == 5)
            #expect(FieldCase.fetches($0).first?.uid == UID(9))
        },
        FieldCase(
            17, "a line end within quotes",
            "* 1 FETCH (BODYSTRUCTURE (\"application\" \"pdf\" (\"name\" \"a long\n name.pdf\") NIL NIL \"base64\" 5) UID 9)\n"
        ) {
            let part = FieldCase.fetches($0).first?.bodyStructure?.root
            #expect(part?.rawParameters.first?.value == Array("a long name.pdf".utf8))
            #expect(FieldCase.fetches($0).first?.uid == UID(9))
        },
        FieldCase(19, "a FETCH that ends without data", "A1 OK FETCH completed.\n") {
            #expect(
                $0 == [
                    .tagged(
                        .init(tag: "A1", condition: .ok, text: ResponseText("FETCH completed.")))
                ])
        },
        FieldCase(20, "a FETCH without the UID", "* 3 FETCH (FLAGS ())\n") {
            #expect($0 == [.fetch(.init(number: SequenceNumber(3), items: [.flags([])]))])
        },
        FieldCase(
            21, "a parenthesis that closes too early", "* 1 FETCH (UID 1) BODY[] {5}\nabc\n)\n"
        ) {
            let fetch = FieldCase.fetches($0).first
            #expect(fetch?.uid == UID(1))
            #expect(fetch?.data(of: .message) == .octets(Array("abc\r\n".utf8)[...]))
        },
        FieldCase(
            23, "number zero, and an EXPUNGE between",
            "* 0 FETCH (UID 4 FLAGS ())\n* 1 FETCH (UID 5)\n* 1 EXPUNGE\n* 1 FETCH (UID 6)\n* 0 EXPUNGE\n"
        ) {
            #expect($0[0] == .fetch(.init(number: nil, items: [.uid(UID(4)!), .flags([])])))
            #expect($0[2] == .expunge(SequenceNumber(1)!))
            guard case .damaged(let damaged) = $0[4] else {
                Issue.record("number zero was expunged")
                return
            }
            #expect(damaged.name == "EXPUNGE" && damaged.number == nil)
        },
        FieldCase(24, "SEARCH in answer to an ESEARCH", "* SEARCH 1 2\n* SEARCH\n* SEARCH \n") {
            #expect(
                $0 == [
                    .search(.init(numbers: [1, 2])), .search(.init(numbers: [])),
                    .search(.init(numbers: [])),
                ])
        },
    ]

    static let nameCases: [FieldCase] = [
        FieldCase(
            25, "octets of a subject that are no UTF-8 are kept as they are",
            "* 1 FETCH (ENVELOPE (NIL {4}\n\u{1}\u{2}ab NIL NIL NIL NIL NIL NIL NIL NIL) UID 5)\n"
        ) {
            let envelope = FieldCase.fetches($0).first?.envelope
            #expect(envelope?.subjectOctets == [1, 2, 0x61, 0x62])
            #expect(FieldCase.fetches($0).first?.uid == UID(5))
        },
        FieldCase(
            28, "an encoded word as a file name is decoded",
            "* 1 FETCH (BODYSTRUCTURE (\"application\" \"pdf\" NIL NIL NIL \"base64\" 5 NIL (\"attachment\" (\"filename\" \"=?UTF-8?B?w7xiZXIucGRm?=\"))) UID 5)\n"
        ) {
            #expect(
                FieldCase.fetches($0).first?.bodyStructure?.root.fileName == "\u{FC}ber.pdf")
        },
        FieldCase(
            29, "names that are odd UTF-7, kept as they came",
            "* LIST () \"/\" \"&\"\n* LIST () \"/\" &-\n* LIST () \"/\" &BB4-&BBI-\n* LIST () \"/\" \"a & b\"\n"
        ) {
            let names = $0.compactMap { if case .list(let entry) = $0 { entry.name } else { nil } }
            #expect(names.map(\.text) == ["&", "&", "\u{41E}\u{412}", "a & b"])
            #expect(Set(names).count == 4)
        },
        FieldCase(
            31, "brackets in names",
            "* QUOTAROOT [Gmail]/x \"\"\n* QUOTA \"\" (STORAGE 10 15728640)\n* ACL [Gmail]/x anyone lr\n* MYRIGHTS [Gmail]/x lrs\n"
        ) { responses in
            let name = try? MailboxName("[Gmail]/x")
            guard let name else { return }
            #expect(responses[0] == .quotaRoot(.init(mailbox: name, roots: [""])))
            #expect(
                responses[1]
                    == .quota(
                        .init(
                            root: "",
                            resources: [.init(name: "STORAGE", usage: 10, limit: 15_728_640)])))
            #expect(
                responses[2]
                    == .acl(
                        .init(
                            mailbox: name,
                            entries: [.init(identifier: "anyone", rights: AccessRights("lr"))])))
            #expect(responses[3] == .myRights(.init(mailbox: name, rights: AccessRights("lrs"))))
        },
        FieldCase(
            32, "LIST without INBOX, a prefix, NAMESPACE refused",
            """
            * LIST (\\HasNoChildren) "." INBOX.Sent
            * LIST (\\HasNoChildren) "." Sent Items
            * NAMESPACE (("INBOX." ".")) NIL NIL
            * NAMESPACE (("" "/"))
            A1 BAD Command not supported

            """
        ) {
            guard case .list(let odd) = $0[1], case .namespace(let namespace) = $0[2],
                case .namespace(let short) = $0[3], case .tagged(let refused) = $0[4]
            else {
                Issue.record("\($0)")
                return
            }
            #expect(odd.name.text == "Sent Items" && odd.delimiter == UInt8(ascii: "."))
            #expect(namespace.personal.first?.prefix.text == "INBOX.")
            #expect(short.personal.count == 1 && short.shared.isEmpty)
            #expect(refused.condition == .bad && refused.text.code == nil)
        },
        FieldCase(
            33, "a charset that is refused",
            "A1 NO [BADCHARSET (US-ASCII)] no\nA2 NO [BADCHARSET]\n"
        ) {
            #expect(
                $0 == [
                    .tagged(
                        .init(
                            tag: "A1", condition: .no,
                            text: .init(code: .badCharset(["US-ASCII"]), "no"))),
                    .tagged(
                        .init(tag: "A2", condition: .no, text: .init(code: .badCharset([]), ""))),
                ])
        },
    ]

    static let liveCases: [FieldCase] = [
        FieldCase(
            44, "two spaces between capabilities, and + among them",
            "* CAPABILITY IMAP4rev1  SASL-IR + LITERAL+ \n* OK [CAPABILITY IMAP4rev1  AUTH=PLAIN +] hi\n"
        ) {
            #expect($0[0] == .capability([.imap4rev1, .saslIR, Capability("+"), .literalPlus]))
            guard case .condition(let condition) = $0[1] else { return }
            #expect(
                condition.text.code
                    == .capability([.imap4rev1, Capability("AUTH=PLAIN"), Capability("+")]))
        },
        FieldCase(45, "CAPABILITY by itself", "* CAPABILITY IMAP4rev1 IDLE\nA1 OK\n") {
            #expect($0[0] == .capability([.imap4rev1, .idle]))
            #expect($0[1] == .tagged(.init(tag: "A1", condition: .ok, text: ResponseText(""))))
        },
        FieldCase(55, "a bare +", "+\n+ \n+ idling\n+idling\n") {
            #expect(
                $0
                    == ["", "", "idling", "idling"].map {
                        .continuation(.init(octets: Array($0.utf8)))
                    })
        },
        FieldCase(61, "FETCH before EXISTS", "* 5 FETCH (FLAGS (\\Recent))\n* 5 EXISTS\n") {
            #expect(
                $0 == [
                    .fetch(.init(number: SequenceNumber(5), items: [.flags([.recent])])),
                    .exists(5),
                ])
        },
        FieldCase(
            76, "a range beyond the end is refused",
            "A1 NO out of range\nA2 BAD [CLIENTBUG] 11:20\n"
        ) {
            guard case .tagged(let no) = $0[0], case .tagged(let bad) = $0[1] else { return }
            #expect(no.condition == .no && bad.condition == .bad && bad.text.code == .clientBug)
        },
        FieldCase(
            81, "throttling in its forms",
            "A1 NO [THROTTLED] slow down\nA2 BAD Request is throttled. Suggested Backoff Time: 300000 milliseconds\n"
        ) {
            guard case .tagged(let code) = $0[0], case .tagged(let words) = $0[1] else { return }
            #expect(code.text.code == .throttled && words.text.words.contains("300000"))
        },
    ]

    @Test("80: a literal of a megabyte in single octets", .timeLimit(.minutes(1)))
    func megabyte() {
        let octets =
            Array("* 1 FETCH (BODY[] {1000000}\r\n".utf8)
            + [UInt8](repeating: 0x61, count: 1_000_000)
            + Array(")\r\n".utf8)
        let replay = Replay(octets, .everyOctet)
        guard case .literal(let literal, let body, true)? = replay.events.first else {
            Issue.record("no literal")
            return
        }
        #expect(literal.size == 1_000_000 && body.count == 1_000_000)
        #expect(
            FieldCase.fetches(replay.responses).first?.data(of: .message)
                == .detached(index: 0, size: 1_000_000))
    }
}
