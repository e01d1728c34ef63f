import MartletBytes
import MartletMIME
import MartletTestSupport
import Testing

@testable import MartletIMAPCore

@Suite("Served structures")
struct StructureServingTests {
    private func wire(_ text: String, isExtended: Bool = true) -> String {
        let structure = BodyStructure(of: Message(parsing: Samples.octets(text)))
        return Samples.wire(
            isExtended ? .bodyStructure(.value(structure)) : .body(.value(structure)))
    }

    static let partCases: [(String, String)] = [
        ("\nhi\n", #"("text" "plain" NIL NIL NIL "7bit" 4 1 NIL NIL NIL NIL)"#),
        ("\nhi", #"("text" "plain" NIL NIL NIL "7bit" 2 0 NIL NIL NIL NIL)"#),
        (
            "Content-Type: Text/HTML; charset=\"utf-8\"; Format=x\nContent-Transfer-Encoding: BASE64\n\nPGI+\n",
            #"("text" "html" ("charset" "utf-8" "Format" "x") NIL NIL "base64" 6 1 NIL NIL NIL NIL)"#
        ),
        (
            "Content-Type: image/png\n\nx", #"("image" "png" NIL NIL NIL "7bit" 1 NIL NIL NIL NIL)"#
        ),
        (
            "Content-Type: text/plain; a*0=\"x\"; a*1*=utf-8''%41\n\n",
            ##"("text" "plain" ("a*0" "x" "a*1*" "utf-8''%41") NIL NIL "7bit" 0 0 NIL NIL NIL NIL)"##
        ),
        (
            "Content-Type: a/b; n=\"=?utf-8?Q?=C3=A4?=\"; n=again; none; empty=; q=\"\"\n\n",
            #"("a" "b" ("n" "=?utf-8?Q?=C3=A4?=" "n" "again" "q" "") NIL NIL "7bit" 0 NIL NIL NIL NIL)"#
        ),
        (
            """
            Content-Type: a/b
            Content-ID: <i@x>
            Content-Description: folded
             text
            Content-MD5: abc==
            Content-Disposition: ATTACHMENT; filename="a b"; size=3
            Content-Language: en, de-CH
            Content-Location: http://x.test/
             y

            body
            """,
            #"("a" "b" NIL "<i@x>" "folded text" "7bit" 4 "abc==" ("attachment" ("filename" "a b" "size" "3")) ("en" "de-CH") "http://x.test/ y")"#
        ),
        (
            "Content-Type: multipart/mixed\n\nno parts\n",
            #"("text" "plain" NIL NIL NIL "7bit" 10 1 NIL NIL NIL NIL)"#
        ),
        (
            "Content-Type: odd\n\n",
            #"("application" "octet-stream" NIL NIL NIL "7bit" 0 NIL NIL NIL NIL)"#
        ),
        (
            "Content-Disposition: ; filename=x\n\n",
            #"("text" "plain" NIL NIL NIL "7bit" 0 0 NIL ("attachment" ("filename" "x")) NIL NIL)"#
        ),
        ("Content-Disposition:\n\n", #"("text" "plain" NIL NIL NIL "7bit" 0 0 NIL NIL NIL NIL)"#),
        (
            "Content-Type: multipart/digest; boundary=d\n\n--d\n\nSubject: s\n\nb\n--d--\n",
            #"(("message" "rfc822" NIL NIL NIL "7bit" 15 (NIL "s" NIL NIL NIL NIL NIL NIL NIL NIL) ("text" "plain" NIL NIL NIL "7bit" 1 0 NIL NIL NIL NIL) 2 NIL NIL NIL NIL) "digest" ("boundary" "d") NIL NIL NIL)"#
        ),
    ]

    @Test("tell what RFC 9051 has places for", arguments: partCases)
    func places(text: String, expected: String) { #expect(wire(text) == expected) }

    @Test("without what extensions add")
    func plain() {
        #expect(
            wire(Samples.nested, isExtended: false)
                == #"(("text" "plain" ("charset" "utf-8") NIL NIL "quoted-printable" 17 1)("message" "rfc822" NIL NIL "a message" "7bit" 50 (NIL "inner" ((NIL NIL "in" "example.com")) ((NIL NIL "in" "example.com")) ((NIL NIL "in" "example.com")) NIL NIL NIL NIL NIL) ("text" "plain" NIL NIL NIL "7bit" 10 0) 3)("message" "rfc822" NIL NIL NIL "7bit" 140 (NIL "inner two" NIL NIL NIL NIL NIL NIL NIL NIL) (("text" "plain" NIL NIL NIL "7bit" 5 0)("text" "html" NIL NIL NIL "7bit" 16 0) "alternative") 10)("image" "png" NIL NIL NIL "base64" 12) "mixed")"#
        )
    }

    /// Numbers are as the client counts: what is read equals what was told.
    private func checkReads(_ octets: [UInt8]) throws {
        let message = Message(parsing: octets)
        let structure = BodyStructure(of: message)
        let item = FetchItem.bodyStructure(.value(structure))
        let read = try #require(Samples.read(item))
        #expect(read == item)
        #expect(!structure.hasDamage)
        // Each part can be fetched by its number, and is as large as was told.
        var served = ServedMessage(message)
        for part in structure.parts where !part.isRootOfMessage {
            let content = served.section(MessageSection(part.number))
            if case .missing = content { Issue.record("no part \(part.number)") }
            guard let size = part.sizeInOctets else { continue }
            #expect(content.sizeInOctets == Int(size), "\(part.number)")
        }
    }

    @Test("our own client reads them as they are", arguments: Samples.odd)
    func reads(_ text: String) throws { try checkReads(Samples.octets(text)) }

    @Test("nor does depth or number hurt")
    func deep() throws {
        for depth in [1, 50, 98, 99, 100, 101, 300] {
            try checkReads(Samples.deep(depth, multipart: true))
            try checkReads(Samples.deep(depth, multipart: false))
        }
        var many = Samples.octets("Content-Type: multipart/mixed; boundary=b\n\n")
        for _ in 0..<25_000 { many += Samples.octets("--b\n\n") }
        let structure = BodyStructure(of: Message(parsing: many))
        #expect(structure.parts.count <= BodyStructure.partCountLimit)
        #expect(
            Samples.read(.bodyStructure(.value(structure))) == .bodyStructure(.value(structure)))
    }

    @Test("garbage gives something that can be read", arguments: 0..<300 as Range<UInt64>)
    func garbage(seed: UInt64) throws {
        var generator = SeededGenerator(seed: seed)
        let sample = Samples.odd.randomElement(using: &generator)!
        let octets = Samples.damaged(Samples.octets(sample), by: &generator)
        try checkReads(octets)
        let envelope = FetchItem.envelope(
            .value(MessageEnvelope(of: Message(parsing: octets).root)))
        #expect(Samples.read(envelope) == envelope)
    }

    @Test("lines in messages in messages are counted once")
    func lines() {
        var octets: [UInt8] = []
        for _ in 0..<90 { octets += Samples.octets("Content-Type: message/rfc822\n\n") }
        octets += Samples.octets(String(repeating: "line\n", count: 400_000))
        let message = Message(parsing: octets)
        let clock = ContinuousClock()
        var structure = BodyStructure(parts: [])
        let time = clock.measure { structure = BodyStructure(of: message) }
        #expect(structure.parts.first?.lineCount == 400_178)
        #expect(time < .seconds(20))
    }
}
