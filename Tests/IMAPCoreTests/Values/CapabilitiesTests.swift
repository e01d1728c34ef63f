import Testing

@testable import MartletIMAPCore

@Suite("Capabilities")
struct CapabilitiesTests {
    private func list(_ text: String) -> Capabilities {
        Capabilities(text.split(separator: " ").map { Capability($0) })
    }

    @Test("are words compared without case, known or not")
    func words() {
        let list = list(
            "IMAP4rev1 idle X-NEW AUTH=plain AUTH=CRAM-MD5 APPENDLIMIT=35651584 THREAD=REFS")
        #expect(list.has(.idle) && list.has(.imap4rev1) && list.has(Capability("x-new")))
        #expect(!list.has(.move))
        #expect(list.authenticationMechanisms == ["PLAIN", "CRAM-MD5"])
        #expect(list.appendLimitInOctets == 35_651_584 && list.has(.appendLimit))
        #expect(list.values(of: "THREAD") == ["REFS"])
    }

    @Test("imply others")
    func implied() {
        #expect(list("IMAP4rev2").has(.move) && list("IMAP4rev2").has(.idle))
        #expect(!list("IMAP4rev2").has(.condStore))
        #expect(list("QRESYNC").has(.condStore))
        #expect(list("LITERAL+").has(.literalMinus) && !list("LITERAL-").has(.literalPlus))
        #expect(list("UTF8=ONLY").has(.utf8Accept))
    }
}

@Suite("Flags")
struct FlagTests {
    @Test("are compared without case")
    func comparison() {
        #expect(
            MessageFlag("\\SEEN") == .seen
                && MessageFlag("\\SEEN")?.hashValue == MessageFlag.seen.hashValue)
        #expect(MessageFlag("$forwarded") == .forwarded)
        #expect(MessageFlag("Seen") != .seen)
    }

    @Test(
        "cannot carry anything else",
        arguments: [
            "", "\\", "a b", "a)", "(a", "a\r\nb", "\"a\"", "\\a\\b", "a%", "{5}", "\u{FC}", "a]",
        ])
    func refused(text: String) { #expect(MessageFlag(text) == nil) }

    @Test("of a server are kept, however odd")
    func odd() {
        let flag = MessageFlag(wire: "a]b".utf8)
        #expect(flag.rawValue == "a]b" && !flag.isWellFormed)
    }
}
