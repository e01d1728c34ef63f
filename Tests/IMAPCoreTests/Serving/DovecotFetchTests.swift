import MartletBytes
import MartletMIME
import MartletTestSupport
import Testing

@testable import MartletIMAPCore

/// What we answer of messages is what Dovecot answers, but for what is listed here.
///
/// Everywhere:
/// - Dovecot adds `charset=us-ascii` to texts that name none. We tell what stands there: such texts are seldom ASCII.
/// - It joins sections of RFC 2231 wrongly where only some are encoded, and leaves out what it cannot read. We tell
///   parameters as they stand, which RFC 9051 §7.5.2 has them for.
/// - For a part that is not there it gives no octets, we `NIL`.
/// - Fields of a header without an empty line end with one all the same. RFC 9051 §6.4.5.1 has it not.
/// - Of a field that is there twice it takes the last, we the first, as in the rest of this library. Addresses are joined by
///   both.
/// - The line end before a delimiter belongs to the delimiter (RFC 2046 §5.1.1). It counts it to an inner multipart that ends
///   there.
/// - Words that stand for what an address does not have are its own.
@Suite("FETCH as Dovecot answers it", .needs(RealIMAPServer.dovecot), .timeLimit(.minutes(5)))
struct DovecotFetchTests {
    /// Messages as our composer writes them.
    private static func composed() async throws -> [[UInt8]] {
        var plain = try OutgoingMessage(
            from: "Jörg Straße <j@example.com>", to: ["\"B, A\" <a@example.com>", "c@example.org"],
            cc: ["Ann <ann@example.com>"],
            subject: "Grüße aus München, in einem langen Betreff, der gefaltet werden muss",
            text: "Guten Tag,\n\nviele Grüße.\n")
        plain.toGroups = [try MailboxGroup("Friends", members: [MailboxAddress("d@example.com")])]
        plain.sender = try MailboxAddress("secretary@example.com")
        plain.replyTo = [try MailboxAddress("reply@example.com")]
        plain.messageID = try MessageID("1.2@example.com")
        plain.inReplyTo = [try MessageID("0@example.com")]
        plain.date = MailDate(secondsSinceEpoch: 1_796_000_000, offsetInMinutes: 60)
        plain.contentLanguage = ["de", "en"]
        var rich = plain
        rich.html = "<p>Guten Tag</p>"
        rich.attachments = [
            Attachment(
                name:
                    "Übersicht \"1\" für alle, die es lesen wollen und einen langen Namen haben.pdf",
                content: OctetArray(Array(0...255))),
            Attachment(
                name: "mail.eml", contentType: try ContentType("message/rfc822"),
                content: OctetArray(Samples.octets(Samples.nested))),
            Attachment(name: "notes.txt", content: OctetArray(Array("notes\r\n".utf8))),
        ]
        var htmlOnly = plain
        htmlOnly.text = nil
        htmlOnly.html = "<b>x</b>"
        var all: [[UInt8]] = []
        for message in [plain, rich, htmlOnly] {
            var octets: [UInt8] = []
            try await message.rendered().forEachPiece(atMost: 65_536) { octets += $0 }
            all.append(octets)
        }
        return all
    }

    /// Where we and Dovecot see an odd message in different ways: what stands in the message, which items differ, and why.
    private static let knownDifferences: [(marker: String, items: [String], reason: String)] = [
        (
            "body without a header",
            [
                "BODYSTRUCTURE", "BODY", "[HEADER]", "[TEXT]", "[HEADER.FIELDS.NOT", "[1]",
                "[1.MIME]",
                "[TEXT]<1>",
            ], "lines of which none is a field are a text, and no header"
        ),
        ("no parts", partless, "where no part was found, people see the text"),
        ("no boundary", partless, "where no part was found, people see the text"),
        ("boundary=b\r\n\r\n--b--", partless, "where no part was found, people see the text"),
        ("\r\n--b\r\n\r\n--b\r\nA: b", ["[1.MIME]"], "a header without fields is an empty line"),
        (
            "\r\n\r\nU3Vi", ["BODYSTRUCTURE", "BODY", "[1."],
            "a message that is encoded, against RFC 2046 §5.2.1, is decoded"
        ),
        (
            "\r\n\r\nLS1l", ["BODYSTRUCTURE", "BODY", "[1"],
            "a multipart that is encoded, against RFC 2045 §6.4, is decoded"
        ),
        ("Content-Type: text\r\n", ["BODYSTRUCTURE", "BODY"], "text is text/plain"),
        (
            "Content-Type: foo bar", ["BODYSTRUCTURE", "BODY"],
            "types that cannot be read are application/octet-stream, and what was read of others is told"
        ),
        ("=x; foo", ["BODYSTRUCTURE", "BODY"], "a parameter without a name is none"),
        ("From: <>", ["ENVELOPE"], "a bracket with nothing in it is no address"),
        ("a;b@example.com", ["ENVELOPE"], "reading goes on behind what is odd"),
        ("(unclosed", ["ENVELOPE"], "reading goes on behind what is odd"),
        (
            "x@y@z", ["ENVELOPE"],
            "reading goes on behind what is odd; unfolding leaves tabs alone and no blank in front"
        ),
    ]
    private static let partless = ["BODYSTRUCTURE", "BODY", "[1]", "[1.MIME]"]

    @Test("envelopes, structures and sections")
    func fetch() async throws {
        let server = try await RealServers.shared(.dovecot)
        var octets = Samples.odd.map { Samples.octets($0) }.filter { !$0.isEmpty }
        octets += try await Self.composed()
        let messages = octets.enumerated().map { index, octets in
            var message = SampleMessage(UInt32(index + 1), "")
            message.octets = octets
            return message
        }
        var session = try await DovecotSession.open(
            server, mailbox: "ServedFetch", messages: messages)
        var seen: Set<Int> = []
        for message in messages {
            for difference in try await Self.differences(of: message, &session) {
                let text = String(decoding: message.octets, as: UTF8.self)
                let known = Self.knownDifferences.firstIndex { known in
                    text.contains(known.marker)
                        && known.items.contains { difference.item.hasPrefix($0) }
                }
                if let known {
                    seen.insert(known)
                } else {
                    Issue.record(
                        "\(difference.item)\nours: \(difference.ours)\nDovecot's: \(difference.theirs)\n\(text.prefix(300))"
                    )
                }
            }
        }
        await session.close()
        for (index, known) in Self.knownDifferences.enumerated() {
            #expect(seen.contains(index), "No difference: \(known.marker), \(known.reason)")
        }
    }

    private struct Difference {
        var item: String
        var ours: String
        var theirs: String
    }

    /// The items that differ.
    private static func differences(
        of message: SampleMessage, _ session: inout DovecotSession
    ) async throws -> [Difference] {
        var served = message.contents
        let sections = sections(of: served.message())
        let names =
            sections.map { "BODY.PEEK[\($0)]" } + ["BODY.PEEK[]<7.20>", "BODY.PEEK[TEXT]<1.5>"]
        let answered = try await session.fetch(
            message.number,
            "ENVELOPE BODYSTRUCTURE BODY RFC822.SIZE " + names.joined(separator: " "))
        var attributes: [FetchAttribute] = [.envelope, .bodyStructure, .body, .size]
        attributes += sections.map { .section($0) }
        attributes.append(.section(.message, range: OctetRange(from: 7, count: 20)))
        attributes.append(.section(.text, range: OctetRange(from: 1, count: 5)))
        var differences: [Difference] = []
        for attribute in attributes {
            guard let ours = try served.item(attribute) else { continue }
            guard let theirs = answered.first(where: { isSameItem(ours, $0) }) else {
                differences.append(Difference(item: name(ours), ours: "\(ours)", theirs: "nothing"))
                continue
            }
            let left = normalized(ours)
            let right = withoutOuterLineEnd(normalized(theirs), insteadOf: left)
            if left != right {
                differences.append(
                    Difference(
                        item: name(ours), ours: Samples.wire(left), theirs: Samples.wire(right)))
            }
        }
        return differences
    }

    /// Every section that a message has, and some that it has not.
    private static func sections(of message: Message) -> [MessageSection] {
        var sections: [MessageSection] = [.message, .header, .text]
        for content in [
            MessageSection.Content.headerFields(["SUBJECT", "CONTENT-TYPE"]),
            .headerFieldsNot(["SUBJECT", "CONTENT-TYPE"]),
        ] {
            sections.append(MessageSection(.message, content))
        }
        for part in BodyStructure(of: message).parts where !part.number.path.isEmpty {
            let isMessage = part.envelope != nil
            var contents: [MessageSection.Content] = [.whole]
            if !part.isRootOfMessage { contents.append(.mime) }
            if isMessage { contents += [.header, .text, .headerFields(["SUBJECT"])] }
            sections += contents.map { MessageSection(part.number, $0) }
        }
        sections.append(MessageSection(PartNumber([77])))
        var seen: Set<MessageSection> = []
        return sections.filter { seen.insert($0).inserted }
    }

    private static func name(_ item: FetchItem) -> String {
        switch item {
        case .envelope: "ENVELOPE"
        case .bodyStructure: "BODYSTRUCTURE"
        case .body: "BODY"
        case .size: "RFC822.SIZE"
        case .section(let section, let origin, _): "[\(section)]" + (origin.map { "<\($0)>" } ?? "")
        default: "?"
        }
    }

    private static func isSameItem(_ left: FetchItem, _ right: FetchItem) -> Bool {
        name(left) == name(right)
    }

    // MARK: What differs everywhere

    private static func normalized(_ item: FetchItem) -> FetchItem {
        switch item {
        case .envelope(.value(let envelope)): .envelope(.value(normalized(envelope)))
        case .bodyStructure(.value(let structure)): .bodyStructure(.value(normalized(structure)))
        case .body(.value(let structure)):
            // The end, which extensions add, is not in this one.
            .body(.value(normalized(structure, isPlain: true)))
        case .section(let section, let origin, .nil): .section(section, origin: origin, .octets([]))
        case .section(let section, let origin, .octets(let octets)):
            .section(
                section, origin: origin, .octets(Array(withoutEmptyLine(octets, of: section))[...]))
        default: item
        }
    }

    /// Dovecot counts the line end before an outer delimiter to a multipart that ends there.
    private static func withoutOuterLineEnd(
        _ theirs: FetchItem, insteadOf ours: FetchItem
    ) -> FetchItem {
        switch (theirs, ours) {
        case (
            .section(let section, let origin, .octets(let longer)),
            .section(_, _, .octets(let octets))
        )
        where longer.elementsEqual(octets + [ASCII.cr, ASCII.lf]):
            .section(section, origin: origin, .octets(longer.dropLast(2)))
        case (.bodyStructure(.value(let longer)), .bodyStructure(.value(let structure))):
            .bodyStructure(.value(withoutOuterLineEnd(longer, insteadOf: structure)))
        case (.body(.value(let longer)), .body(.value(let structure))):
            .body(.value(withoutOuterLineEnd(longer, insteadOf: structure)))
        default: theirs
        }
    }

    private static func withoutOuterLineEnd(
        _ theirs: BodyStructure, insteadOf ours: BodyStructure
    ) -> BodyStructure {
        var theirs = theirs
        for index in theirs.parts.indices.dropLast()
        where ours.parts.count == theirs.parts.count && theirs.parts[index].envelope != nil
            && theirs.parts[index + 1].type == "multipart"
        {
            guard let size = ours.parts[index].sizeInOctets,
                let lines = ours.parts[index].lineCount,
                theirs.parts[index].sizeInOctets == size + 2,
                theirs.parts[index].lineCount == lines + 1
            else { continue }
            theirs.parts[index].sizeInOctets = size
            theirs.parts[index].lineCount = lines
        }
        return theirs
    }

    private static func withoutEmptyLine(
        _ octets: ArraySlice<UInt8>, of section: MessageSection
    ) -> ArraySlice<UInt8> {
        switch section.content {
        case .headerFields, .headerFieldsNot:
            octets[..<(octets.lastIndex { !$0.isLineBreak }.map { $0 + 1 } ?? octets.startIndex)]
        default: octets
        }
    }

    private static func normalized(_ structure: BodyStructure, isPlain: Bool = false)
        -> BodyStructure
    {
        var structure = structure
        for index in structure.parts.indices {
            var part = structure.parts[index]
            part.rawParameters = normalized(part.rawParameters).filter {
                part.type != "text" || $0.name != "charset" || $0.value != Array("us-ascii".utf8)
            }
            part.transferEncoding = part.transferEncoding.lowercased()
            part.rawDisposition = part.rawDisposition.map {
                .init(kind: $0.kind.lowercased(), parameters: normalized($0.parameters))
            }
            part.envelope = part.envelope?.value.map { .value(normalized($0)) }
            if isPlain {
                part.md5 = nil
                part.rawDisposition = nil
                part.languages = []
                part.locationOctets = nil
                if part.type == "multipart" { part.rawParameters = [] }
            }
            structure.parts[index] = part
        }
        return structure
    }

    private static func normalized(
        _ parameters: [BodyStructurePart.Parameter]
    ) -> [BodyStructurePart.Parameter] {
        parameters.compactMap { parameter in
            guard !parameter.name.contains("*") else { return nil }
            return .init(name: parameter.name.lowercased(), value: parameter.value)
        }
    }

    private static func normalized(_ envelope: MessageEnvelope) -> MessageEnvelope {
        var envelope = envelope
        for path in [
            \MessageEnvelope.from, \.sender, \.replyTo, \.to, \.cc, \.bcc,
        ] {
            for index in envelope[keyPath: path].indices {
                let address = envelope[keyPath: path][index]
                if address.hasPlaceholderHost { envelope[keyPath: path][index].host = [] }
                if address.mailbox == Array("MISSING_MAILBOX".utf8) {
                    envelope[keyPath: path][index].mailbox = []
                }
            }
        }
        return envelope
    }
}
