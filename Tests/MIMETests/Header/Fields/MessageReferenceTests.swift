import MartletBytes
import Testing

@testable import MartletMIME

private func list(_ value: String) -> [String] {
    MessageReference.parseList(octets(value)[...]).value.map(\.text)
}

private func defects(_ value: String) -> [Defect] {
    MessageReference.parseList(octets(value)[...]).defects
}

@Suite("Message references")
struct MessageReferenceTests {
    struct Case: CustomTestStringConvertible, Sendable {
        var value: String
        var ids: [String]
        var testDescription: String { value.debugDescription }
        init(_ value: String, _ ids: [String]) {
            self.value = value
            self.ids = ids
        }
    }

    @Test(
        "are what stands in angle brackets",
        arguments: [
            Case(" <a@b>\r\n", ["a@b"]), Case("<a@b> <c@d>", ["a@b", "c@d"]),
            Case("<a@b>\r\n <c@d>\r\n", ["a@b", "c@d"]), Case("<a@b><c@d>", ["a@b", "c@d"]),
            Case("<a@b>, <c@d>,", ["a@b", "c@d"]), Case("(x <no@no>) <a@b> (y)", ["a@b"]),
            Case("Your message of \"Mon, <5> Jan\" <a@b>", ["a@b"]),
            Case("Message from x@y of Monday <a@b>", ["a@b"]),
            Case("<[b378@microsoft.example]>", ["[b378@microsoft.example]"]),
            Case("<a(b)c@d>", ["a(b)c@d"]), Case("<no-at>", ["no-at"]),
        ])
    func brackets(_ example: Case) {
        #expect(list(example.value) == example.ids)
        #expect(defects(example.value) == [])
    }

    @Test(
        "are found where brackets, blanks or line breaks are wrong",
        arguments: [
            Case("a@b", ["a@b"]), Case("  m \r\n", ["m"]), Case("a@b c@d", ["a@b", "c@d"]),
            Case("see a@b, c@d", ["a@b", "c@d"]), Case("no id here", []), Case("", []),
            Case("<>", []),
            Case("<a@b <c@d>", ["a@b", "c@d"]), Case("<a@b", ["a@b"]),
            Case("a@b> <c@d>", ["a@b", "c@d"]),
            Case("<<a@b>>", ["a@b"]), Case("< a@b >", ["a@b"]), Case("<a@\r\n b>", ["a@b"]),
            Case("<a\r\n b(c)@d>", ["ab@d"]), Case("<a\r\n\tb(c)@d>", ["ab(c)@d"]),
            Case("<1234   @   local(blah)  .machine .example>", ["1234@local.machine.example"]),
            Case("\" <a@b> <c@d>", ["a@b", "c@d"]), Case("( <a@b>", ["a@b"]),
            Case("<\u{E4}@b>", ["ä@b"]), Case("<a\u{0}@b>", ["a\u{FFFD}@b"]),
            Case("=?utf-8?q?=3Ca=40b=3E?=", ["a@b"]), Case("=?utf-8?q?<a=40b>?=", ["a@b"]),
            Case("<=?utf-8?q?a?=@b>", ["=?utf-8?q?a?=@b"]),
            Case("\"<a@b>\" \"<c@d>\"", ["a@b", "c@d"]), Case("<\"a b\" @ c>", ["\"a b\"@c"]),
            Case("<\"a\r\n b@c>", ["\"ab@c"]),
            Case("=?utf-8?q?=3Ca=40b=3E?= =?utf-8?q?_=3Cc=40d=3E?=", ["a@b", "c@d"]),
        ])
    func broken(_ example: Case) {
        #expect(list(example.value) == example.ids)
    }

    @Test("of which one is asked for are the first")
    func first() {
        let parsed = MessageReference.parse(octets(" <a@b> <c@d>")[...])
        #expect(parsed.value?.text == "a@b")
        #expect(parsed.value?.description == "<a@b>")
        #expect(parsed.defects == [Defect(.invalidMessageID, at: 8)])
        #expect(MessageReference.parse(octets("<a@b>")[...]).defects == [])
        let none = MessageReference.parse(octets(" \r\n")[...])
        #expect(none == Parsed(nil, defects: [Defect(.invalidMessageID, at: 0)]))
    }

    @Test("say what is odd")
    func namesDefects() {
        #expect(defects("<a@b") == [Defect(.unclosedBracket, at: 0)])
        #expect(defects("x> <a>") == [Defect(.unclosedBracket, at: 0)])
        #expect(defects("a@b") == [Defect(.invalidMessageID, at: 0)])
        #expect(defects(" < a b>") == [Defect(.invalidMessageID, at: 3)])
        #expect(defects("<>") == [Defect(.invalidMessageID, at: 1)])
    }

    @Test("end at their limit")
    func limit() {
        var limits = MIMELimits()
        limits.messageIDCount = 2
        let parsed = MessageReference.parseList(octets("<a> <b> <c> <d>")[...], limits: limits)
        #expect(parsed.value.map(\.text) == ["a", "b"])
        #expect(parsed.defects == [Defect(.limitReached, at: 9, limit: "messageIDCount")])
        let bare = MessageReference.parseList(octets("a@ b@ c@ d@")[...], limits: limits)
        #expect(bare.value.map(\.text) == ["a@", "b@"])
        #expect(bare.defects.last == Defect(.limitReached, at: 6, limit: "messageIDCount"))
    }

    @Test("become strict values where they can")
    func strict() {
        #expect(MessageReference.parse(octets("<a@b>")[...]).value?.messageID?.text == "a@b")
        #expect(MessageReference.parse(octets("<\u{E4}>")[...]).value?.messageID == nil)
    }
}
