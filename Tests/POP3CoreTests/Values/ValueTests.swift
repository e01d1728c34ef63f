import MartletBytes
import MartletPOP3Core
import MartletTestSupport
import Testing

@Suite("POP3 values")
struct ValueTests {
    @Test("of a substitute for UIDL do not depend on what servers write into headers later")
    func substitutes() throws {
        let header = "Received: a\r\n b\r\nMessage-ID: <1@example.test>\r\nSubject: x\r\n\r\n"
        let id = try #require(UniqueID(substituteForHeader: octets(header)))
        #expect(id.isSubstitute && id.text.utf8.count == 71)
        for same in [
            header + "body\r\n", header.replacing("\r\n", with: "\n"),
            "Status: RO\r\n" + header, "X-UIDL: 1\r\n 2\r\n" + header.dropLast(2),
            header.replacing("\r\nSubject", with: "\r\nCONTENT-LENGTH: 7\r\nSubject"),
        ] { #expect(UniqueID(substituteForHeader: octets(same)) == id) }
        for other in [header.replacing("x", with: "y"), header.replacing(" b", with: " c")] {
            #expect(UniqueID(substituteForHeader: octets(other)) != id)
        }
        #expect(UniqueID(substituteForHeader: []) == nil)
        #expect(UniqueID(substituteForHeader: octets("\r\nbody")) == nil)
    }

    @Test("of unique IDs are single words", arguments: ["", "a b", "a\u{7F}", "a\n"])
    func ids(text: String) { #expect(UniqueID(text) == nil) }

    @Test("of unique IDs have a limit, beyond that of the RFC")
    func idLimit() {
        #expect(UniqueID(String(repeating: "x", count: 512)) != nil)
        #expect(UniqueID(String(repeating: "x", count: 513)) == nil)
    }

    @Test(
        "of the start of a message are cut where TOP cuts, at any border",
        arguments: [
            (0, "a: b\r\n\r\n"), (1, "a: b\r\n\r\none\r\n"), (2, "a: b\r\n\r\none\r\n\r\n"),
            (9, "a: b\r\n\r\none\r\n\r\nlast"), (-1, "a: b\r\n\r\n"),
        ])
    func cuts(lines: Int, expected: String) {
        let message = octets("a: b\r\n\r\none\r\n\r\nlast")
        for place in 0...message.count {
            var cut = HeaderCut(bodyLines: lines)
            let kept = cut.take([UInt8](message[..<place])) + cut.take([UInt8](message[place...]))
            #expect(kept.elementsEqual(octets(expected)))
        }
        var bare = HeaderCut(bodyLines: 0)
        #expect(bare.take(octets("a: b\n\nbody")).elementsEqual(octets("a: b\n\n")))
    }

    @Test("of codes are read in any case, and only where they are whole")
    func codes() {
        let table: [(String, POP3ResponseCode?, String)] = [
            ("[AUTH] no", .authentication, "no"), ("[sys/temp]later", .systemTemporary, "later"),
            ("[IN-USE", nil, "[IN-USE"), ("[] x", nil, "[] x"), ("[a b] x", nil, "[a b] x"),
            ("x [AUTH]", nil, "x [AUTH]"),
        ]
        for (text, code, words) in table {
            let reply = POP3Reply(.error, octets: octets(text))
            #expect(reply.code == code && reply.text == words)
        }
        #expect(POP3Reply.ok("[AUTH] x").code == nil)
    }

    @Test("of errors say what can be done")
    func recoveries() {
        let table: [(String, POP3Recovery)] = [
            ("[IN-USE] x", .retry(after: nil)), ("[LOGIN-DELAY] x", .retry(after: nil)),
            ("[SYS/TEMP] x", .retry(after: nil)), ("[SYS/PERM] x", .giveUp),
            ("[SYS/NEW] x", .giveUp), ("[AUTH] x", .authenticate), ("nothing known", .authenticate),
            ("Unable to lock maildrop: mailbox is locked by POP server", .retry(after: nil)),
            ("POP3 access is disabled for your account", .giveUp),
        ]
        for (text, recovery) in table {
            let reply = POP3Reply(.error, octets: octets(text))
            let error = POP3Error(kind: .authenticationRefused(reply), command: "PASS")
            #expect(error.recovery == recovery, "\(text)")
        }
    }
}
