import MartletMIME
import Testing

@Suite("Numbers of parts")
struct SectionTests {
    static let nested = """
        Content-Type: multipart/mixed; boundary=a

        --a

        x
        --a
        Content-Type: message/rfc822

        Subject: inner

        y
        --a
        Content-Type: message/rfc822

        Content-Type: multipart/mixed; boundary=b

        --b

        z
        --b
        Content-Type: multipart/alternative; boundary=c

        --c

        p
        --c

        q
        --c--
        --b--
        --a--
        """

    @Test("are IMAP's")
    func sections() {
        let message = Message(parsing: Array(Self.nested.utf8))
        #expect(
            message.parts.map(\.section) == [
                "TEXT", "1", "2", "2.1", "3", "3.TEXT", "3.1", "3.2", "3.2.1", "3.2.2",
            ])
    }

    @Test("find their parts")
    func lookUp() {
        let message = Message(parsing: Array(Self.nested.utf8))
        for part in message.parts {
            #expect(message.part(part.section)?.range == part.range)
            #expect(message.part(part.section)?.depth == part.depth)
        }
    }

    @Test(
        "of parts that are not there find none",
        arguments: ["", "0", "4", "1.1", "2.2", "3.2.3", "-1", "x", "1.", ".1", "2.1.TEXT", "1 "])
    func missing(section: String) {
        let part = Message(parsing: Array(Self.nested.utf8)).part(section)
        #expect(part?.section == nil)
    }

    @Test("of a message that is no multipart are 1")
    func single() {
        let message = Message(parsing: Array("A: b\n\nx".utf8))
        #expect(message.root.section == "1")
        #expect(message.part("1")?.kind == .leaf)
        #expect(message.part("TEXT")?.kind == nil)
    }
}
