import MartletBytes
import MartletIMAPCore
import MartletMIME
import MartletTestSupport
import Testing

@Suite("Body structure")
struct BodyStructureTests {
    static func read(_ octets: [UInt8], name: String = "BODYSTRUCTURE") -> FetchResponse? {
        let wire = Array("* 1 FETCH (\(name) ".utf8) + octets + Array(" UID 9)".utf8)
        guard case .fetch(let fetch) = ResponseParser().parse(wire) else { return nil }
        return fetch
    }

    /// The parts with their numbers, such as `mixed(1 text/plain, 2 image/png)`.
    static func outline(_ structure: BodyStructure, from index: Int = 0) -> String {
        let part = structure.parts[index]
        let children = structure.children(of: index).map { outline(structure, from: $0) }
        let name = part.isRootOfMessage ? "" : part.number.description + " "
        let type = part.type == "multipart" ? part.subtype : part.type + "/" + part.subtype
        return name + type + (children.isEmpty ? "" : "(" + children.joined(separator: ", ") + ")")
    }

    /// What servers send, each in a file of the fuzzer's first inputs.
    static let shapes: [(name: String, outline: String)] = [
        ("163-quotes", "alternative(1 text/plain, 2 text/html)"),
        ("163-text-without-lines", "1 text/html"),
        ("bracketed-extension", "1 text/plain"),
        (
            "courier-nested",
            "mixed(1 alternative(1.1 text/plain, 1.2 related(1.2.1 text/html, 1.2.2 image/gif)), 2 text/x-vcard)"
        ),
        ("courier-no-extension", "1 text/plain"),
        ("cyrus-literal-name", "mixed(1 text/plain, 2 application/pdf)"),
        ("cyrus-md5-location", "1 text/html"),
        ("davmail-negative-size", "mixed(1 text/plain, 2 application/octet-stream)"),
        ("domino-nil-parameters", "mixed(1 /, 2 text/plain)"),
        ("domino-short-disposition", "1 application/octet-stream"),
        (
            "dovecot-digest",
            "mixed(1 text/plain, 2 digest(2.1 message/rfc822(2.1.1 text/plain), 2.2 message/rfc822(2.2.1 text/plain)))"
        ),
        ("dovecot-rfc2231", "1 application/octet-stream"),
        (
            "dovecot-signed",
            "signed(1 alternative(1.1 text/plain, 1.2 text/html), 2 application/pkcs7-signature)"
        ),
        (
            "exchange-mixed",
            "mixed(1 alternative(1.1 text/plain, 1.2 text/html), "
                + "2 application/vnd.openxmlformats-officedocument.wordprocessingml.document)"
        ),
        ("exchange-rfc822-without-envelope", "mixed(1 text/plain, 2 message/rfc822)"),
        ("gmail-alternative", "alternative(1 text/plain, 2 text/html)"),
        ("gmail-empty-related", "related"),
        (
            "gmail-forwarded",
            "mixed(1 alternative(1.1 text/plain, 1.2 text/html), "
                + "2 message/rfc822(mixed(2.1 text/plain, 2.2 image/png)))"
        ),
        (
            "gmail-report",
            "report(1 text/plain, 2 message/delivery-status, 3 message/rfc822(3.1 text/plain))"
        ),
        ("gmx-lower-nil", "1 text/plain"),
        (
            "icloud-related",
            "mixed(1 alternative(1.1 text/plain, 1.2 related(1.2.1 text/html, 1.2.2 image/heic)))"
        ),
        ("mailru-attachment", "mixed(1 text/plain, 2 application/zip)"),
        ("mailru-number-in-quotes", "1 text/plain"),
        (
            "outlook-calendar",
            "mixed(1 alternative(1.1 text/plain, 1.2 text/html, 1.3 text/calendar))"
        ),
        ("qq-empty", "alternative"),
        ("qq-raw-gbk", "mixed(1 text/html, 2 application/octet-stream)"),
        ("string-for-disposition", "1 image/png"),
        ("unquoted-words", "1 text/plain"),
        ("yahoo-nil-multipart", "alternative"),
        ("yahoo-plain", "1 text/plain"),
        ("yandex-empty-mixed", "mixed"),
        ("yandex-html", "mixed(1 text/html, 2 image/jpeg)"),
        ("zoho-multiple", "mixed(1 alternative(1.1 text/plain, 1.2 text/html))"),
    ]

    @Test("of each server has its parts and their numbers", arguments: shapes)
    func shape(name: String, outline: String) throws {
        let fetch = Self.read(try FuzzSeeds.octets(name, of: "IMAPStructure"))
        let structure = try #require(fetch?.bodyStructure)
        #expect(Self.outline(structure) == outline)
        #expect(structure.parts.allSatisfy { $0.failure == nil })
        #expect(fetch?.uid == UID(9))
        for part in structure.parts where !part.isRootOfMessage {
            #expect(structure.part(part.number) == part)
        }
    }

    @Test("has a test for each shape that the fuzzer begins with")
    func allShapes() throws {
        #expect(try Set(FuzzSeeds.names(of: "IMAPStructure")) == Set(Self.shapes.map(\.name)))
    }

    private func part(_ name: String, _ number: String) throws -> BodyStructurePart {
        let octets = try FuzzSeeds.octets(name, of: "IMAPStructure")
        let structure = try #require(Self.read(octets)?.bodyStructure)
        let number = try #require(PartNumber(number))
        return try #require(structure.part(number))
    }

    @Test("has all fields of a part")
    func fields() throws {
        let part = try part("cyrus-md5-location", "1")
        #expect(part.rawParameters == [.init(name: "CHARSET", value: Array("utf-8".utf8))])
        #expect(part.contentIDOctets == Array("<c@example.org>".utf8))
        #expect(part.descriptionOctets == Array("the page".utf8))
        #expect(part.transferEncoding == "8bit" && part.sizeInOctets == 512 && part.lineCount == 9)
        #expect(part.md5 == Array("Q2hlY2sgSW50ZWdyaXR5IQ==".utf8))
        #expect(part.rawDisposition == .init(kind: "inline"))
        #expect(part.languages == ["en", "fr"])
        #expect(part.locationOctets == Array("http://example.org/page".utf8))
    }

    @Test("has the envelope and the lines of a message in it")
    func message() throws {
        let part = try part("gmail-forwarded", "2")
        #expect(part.envelope?.value?.subject == "Note")
        #expect(part.lineCount == 60 && part.rawDisposition?.kind == "attachment")
        #expect(part.transferEncoding == "7bit" && part.sizeInOctets == 1_830)
    }

    @Test("keeps literals, languages, extensions, and what other servers leave out")
    func odd() throws {
        let named = try part("cyrus-literal-name", "2")
        #expect(named.rawParameters.first?.value == Array("a\"b\\c.pdf".utf8))
        #expect(named.rawDisposition?.parameters.first?.value == Array("a\"b\\c.pdf".utf8))
        #expect(
            try part("bracketed-extension", "1").extensionOctets
                == Array("(\"x\" (1 \"y\" (2))) 7".utf8))
        #expect(try part("davmail-negative-size", "1").sizeInOctets == nil)
        #expect(try part("mailru-number-in-quotes", "1").lineCount == 2)
        #expect(try part("string-for-disposition", "1").rawDisposition?.kind == "inline")
        #expect(
            try part("exchange-rfc822-without-envelope", "2").rawDisposition?.kind == "attachment")
        #expect(try part("163-quotes", "1").descriptionOctets == Array("\"\"".utf8))
        #expect(try part("163-text-without-lines", "1").lineCount == nil)
    }

    @Test("is decoded as the header would be")
    func decoding() throws {
        let sections = try part("dovecot-rfc2231", "1")
        #expect(
            sections.fileName == "中文.txt" && sections.contentType.parameters["name"] == "中文.txt")
        #expect(sections.disposition?.isAttachment == true && sections.encoding == .base64)
        #expect(try part("yandex-html", "2").fileName == "фото.jpg")
        #expect(try part("cyrus-literal-name", "2").fileName == "a\"b\\c.pdf")
        #expect(try part("exchange-mixed", "2").disposition?.sizeInOctets == 14_912)
        #expect(try part("outlook-calendar", "1.3").contentType.parameters["method"] == "REQUEST")
        let page = try part("cyrus-md5-location", "1")
        #expect(
            page.contentType.charset == "utf-8" && page.fileName == nil
                && page.encoding == .eightBit)
        #expect(page.contentID?.text == "c@example.org" && page.contentDescription == "the page")
        #expect(
            try part("domino-nil-parameters", "1").contentType.description
                == "application/octet-stream")
        let evil = BodyStructurePart.Parameter(
            name: "x\"; charset", value: Array("a\r\nb\"; charset=\"c".utf8))
        var odd = BodyStructurePart(
            number: PartNumber([1]), type: "text", subtype: "plain")
        odd.rawParameters = [evil]
        #expect(odd.contentType.parameters.map(\.name) == ["xcharset"])
    }

    @Test("keeps a damaged part as its octets, and the others")
    func damagedPart() throws {
        let text =
            "((\"text\" \"plain\" NIL NIL NIL \"7bit\" 5 1)(\"image\" (\"png\") NIL ((x)))(\"text\" \"html\" NIL NIL NIL \"7bit\" 6 1) \"mixed\")"
        let structure = try #require(Self.read(Array(text.utf8))?.bodyStructure)
        #expect(structure.parts.count == 4 && structure.hasDamage)
        #expect(structure.parts[2].failure != nil)
        #expect(structure.parts[2].extensionOctets == Array("(\"image\" (\"png\") NIL ((x)))".utf8))
        #expect(
            structure.parts[3].number == PartNumber([3]) && structure.parts[3].subtype == "html")
        #expect(structure.root.subtype == "mixed")
    }

    @Test("keeps what cannot be read at the end of a multipart")
    func damagedEnd() throws {
        let text = "((\"text\" \"plain\" NIL NIL NIL \"7bit\" 5 1) \"mixed\" ((\"a\") \"b\") NIL)"
        let structure = try #require(Self.read(Array(text.utf8))?.bodyStructure)
        #expect(structure.root.failure != nil && structure.root.subtype == "mixed")
        #expect(structure.root.extensionOctets == Array("\"mixed\" ((\"a\") \"b\") NIL".utf8))
    }

    @Test(
        "is damaged as a whole where it is none, and costs no other item",
        arguments: [
            "()", "\"text\"", "(", "((((", "(\"text\" \"plain\" (((x", "12", "(\"text\" \"plain\"",
        ])
    func noStructure(text: String) throws {
        let fetch = try #require(Self.read(Array(text.utf8)))
        #expect(fetch.bodyStructure == nil && fetch.hasDamage)
        #expect(fetch.uid == UID(9))
    }

    static let leaf = "(\"text\" \"plain\" NIL NIL NIL \"7bit\" 5 1)"

    @Test("nested 100,000 deep keeps what is too deep as octets", .timeLimit(.minutes(1)))
    func depth() throws {
        let count = 100_000
        let text =
            String(repeating: "(", count: count) + Self.leaf
            + String(repeating: " \"mixed\")", count: count)
        let structure = try #require(Self.read(Array(text.utf8))?.bodyStructure)
        let limit = IMAPLimits.standard.nestingDepth
        #expect(structure.parts.count == limit + 1)
        #expect(structure.parts[limit].failure?.expected == "less nesting")
        #expect(structure.parts[0].subtype == "mixed")
        // Never closed.
        let open = try #require(Self.read(Array(String(repeating: "(", count: count).utf8)))
        #expect(open.hasDamage)
    }

    @Test(
        "of messages in messages, 100,000 deep, keeps what is too deep as octets",
        .timeLimit(.minutes(1)))
    func messageDepth() throws {
        let count = 100_000
        let head =
            "(\"message\" \"rfc822\" NIL NIL NIL \"7bit\" 5 (NIL NIL NIL NIL NIL NIL NIL NIL NIL NIL) "
        let text =
            String(repeating: head, count: count) + Self.leaf
            + String(repeating: " 1)", count: count)
        let structure = try #require(Self.read(Array(text.utf8))?.bodyStructure)
        #expect(structure.parts.count == IMAPLimits.standard.nestingDepth + 1)
        #expect(structure.parts[1].number == PartNumber([1, 1]))
    }

    @Test("with too many parts is damaged", .timeLimit(.minutes(1)))
    func partCount() throws {
        let many =
            "(" + String(repeating: Self.leaf, count: BodyStructure.partCountLimit - 1)
            + " \"mixed\")"
        #expect(
            Self.read(Array(many.utf8))?.bodyStructure?.parts.count == BodyStructure.partCountLimit)
        let more =
            "(" + String(repeating: Self.leaf, count: BodyStructure.partCountLimit) + " \"mixed\")"
        let fetch = try #require(Self.read(Array(more.utf8)))
        #expect(fetch.bodyStructure == nil && fetch.uid == UID(9))
    }
}
