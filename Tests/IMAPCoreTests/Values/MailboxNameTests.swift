import MartletTestSupport
import Testing

@testable import MartletIMAPCore

@Suite("Mailbox names")
struct MailboxNameTests {
    @Test(
        "go both ways through modified UTF-7",
        arguments: [
            ("Entw\u{FC}rfe", "Entw&APw-rfe"), ("&", "&-"), ("a&b", "a&-b"),
            ("\u{53F0}\u{5317}", "&U,BTFw-"),
            (
                "~peter/mail/\u{53F0}\u{5317}/\u{65E5}\u{672C}\u{8A9E}",
                "~peter/mail/&U,BTFw-/&ZeVnLIqe-"
            ), ("\u{1F4E7}", "&2D3c5w-"),
            ("\u{43E}\u{442}\u{432}\u{435}\u{442}", "&BD4EQgQyBDUEQg-"), ("a b\"c\\", "a b\"c\\"),
        ])
    func bothWays(text: String, wire: String) throws {
        let name = try MailboxName(text)
        #expect(name.encoded == Array(wire.utf8))
        #expect(MailboxName(wire: wire.utf8, isUTF8: false).text == text)
        #expect(MailboxName(wire: text.utf8, isUTF8: true) == name)
        #expect(name.octets(isUTF8: true) == Array(text.utf8))
        #expect(name.octets(isUTF8: false) == Array(wire.utf8))
    }

    @Test(
        "keep the octets of a server that writes them wrong, and show them",
        arguments: [
            "&", "&BB4", "&BB4-&", "&&", "&BB4EQg", "&!-", "&A-", "&2D0-", "&3Oc-", "&APy-",
            "a&b-c&",
            "Entw\u{FC}rfe",
        ])
    func wrong(wire: String) {
        let name = MailboxName(wire: wire.utf8, isUTF8: false)
        #expect(name.text == wire)
        #expect(name.octets(isUTF8: false) == Array(wire.utf8))
        #expect(name.octets(isUTF8: true) == Array(wire.utf8))
    }

    @Test("take shifts that stand side by side, as some servers write them")
    func doubledShifts() {
        #expect(MailboxName(wire: "&BB4-&BBI-".utf8, isUTF8: false).text == "\u{41E}\u{412}")
    }

    @Test("hold Latin-1 octets without loss")
    func latin1() {
        let octets: [UInt8] = [0x45, 0xFC, 0x66]
        for isUTF8 in [false, true] {
            let name = MailboxName(wire: octets, isUTF8: isUTF8)
            #expect(name.octets(isUTF8: isUTF8) == octets)
        }
    }

    @Test("are INBOX in any case", arguments: ["inbox", "Inbox", "INBOX"])
    func inbox(text: String) throws {
        #expect(try MailboxName(text) == .inbox)
        #expect(MailboxName(wire: text.utf8, isUTF8: false) == .inbox)
        #expect(try MailboxName("inbox/a") != MailboxName("INBOX/a"))
    }

    @Test(
        "cannot carry a second command",
        arguments: ["", "a\r\nb", "a\nb", "a\u{0}b", "\u{7F}", "a\u{85}", "a\u{2028}b"])
    func refused(text: String) {
        #expect(throws: IMAPError.self) { try MailboxName(text) }
    }

    @Test("have a limit")
    func limit() throws {
        _ = try MailboxName(String(repeating: "a", count: MailboxName.lengthLimit))
        #expect(throws: IMAPError.self) {
            try MailboxName(String(repeating: "a", count: MailboxName.lengthLimit + 1))
        }
    }

    @Test("have levels")
    func levels() throws {
        let name = try MailboxName("a.b.c")
        #expect(name.levels(separatedBy: ".") == ["a", "b", "c"])
        #expect(try name.parent(separatedBy: ".") == MailboxName("a.b"))
        #expect(MailboxName.inbox.parent(separatedBy: ".") == nil)
        #expect(try name.child("d", separatedBy: ".") == MailboxName("a.b.c.d"))
        #expect(throws: IMAPError.self) { try name.child("d.e", separatedBy: ".") }
    }

    @Test("decode to what they were made of", arguments: 0..<200 as Range<UInt64>)
    func law(seed: UInt64) throws {
        var generator = SeededGenerator(seed: seed)
        var text = "x"
        for _ in 0..<Int.random(in: 0..<20, using: &generator) {
            let value = UInt32.random(in: 0x20...0x2FFFF, using: &generator)
            guard let scalar = Unicode.Scalar(value), !(0x7F..<0xA0).contains(value),
                value != 0x2028, value != 0x2029
            else { continue }
            text.unicodeScalars.append(scalar)
        }
        let name = try MailboxName(text)
        #expect(Array(MailboxName(wire: name.encoded, isUTF8: false).text.utf8) == Array(text.utf8))
        let garbage = (0..<12).map { _ in UInt8.random(in: 0...255, using: &generator) }
        #expect(MailboxName(wire: garbage, isUTF8: false).octets(isUTF8: false) == garbage)
    }
}
