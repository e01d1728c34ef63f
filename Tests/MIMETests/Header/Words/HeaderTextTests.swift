import MartletTestSupport
import Testing

@testable import MartletMIME

/// The octets of a value, each scalar below 256 one octet: `\u{E4}` is the octet 0xE4.
func octets(_ latin1: String) -> [UInt8] {
    latin1.unicodeScalars.map { UInt8(truncatingIfNeeded: $0.value) }
}

private func decoded(_ value: String) -> String { HeaderText.decode(octets(value)[...]).value }

private func defects(_ value: String) -> [Defect.Kind] {
    HeaderText.decode(octets(value)[...]).defects.map(\.kind)
}

@Suite("Header text")
struct HeaderTextTests {
    struct Case: CustomTestStringConvertible, Sendable {
        var value: String
        var text: String
        var testDescription: String { value.debugDescription }
        init(_ value: String, _ text: String) {
            self.value = value
            self.text = text
        }
    }

    @Test(
        "reads encoded words as they are meant",
        arguments: [
            Case("=?ISO-8859-1?Q?a?=", "a"),
            Case("=?ISO-8859-1?Q?a?= b", "a b"),
            Case("=?ISO-8859-1?Q?a?= =?ISO-8859-1?Q?b?=", "ab"),
            Case("=?ISO-8859-1?Q?a?=\r\n    =?ISO-8859-1?Q?b?=\r\n", "ab"),
            Case("=?ISO-8859-1?Q?a_b?=", "a b"),
            Case("=?ISO-8859-1?Q?a?= =?utf-8?Q?_b?=", "a b"),
            Case("=?utf-8?B?w6TDtsO8?=", "äöü"),
            Case("=?utf-8*de-CH?q?=c3=A4?=", "ä"),
            Case("=?us-ascii?Q?=C3=A4?=", "ä"), Case("=?us-ascii?Q?=E4?=", "ä"),
        ])
    func standard(_ example: Case) { #expect(decoded(example.value) == example.text) }

    @Test(
        "reads words whose charset cannot be the one they name",
        arguments: [
            Case("=?utf-8?Q?Gr=FC=DFe?= x", "Grüße x"), Case("=?utf-8?Q?caf=E9?=", "café"),
            Case("=?gb2312?Q?Gr=C3=BC=C3=9Fe=FF?=", "Gr眉脽e\u{FFFD}"),
            Case("=?iso-2022-jp?Q?Gr=FC=DFe?=", "Grüße"),
            Case("=?utf-16?Q?Hello_World,_how_are_you?=", "Hello World, how are you"),
            Case("=?utf-8?Q?=ED=A0=BD=ED=B8=80!?=", "😀!"),
            // What was cut is no reason.
            Case("=?utf-8?Q?abc=C3?=", "abc\u{FFFD}"), Case("=?utf-8?Q?=F0=9F=98?=", "\u{FFFD}"),
            Case("=?utf-8?Q?=C3=A4=C3=B6=FCx?=", "äö\u{FFFD}x"),
        ])
    func wrongCharset(_ example: Case) {
        #expect(decoded(example.value) == example.text)
        #expect(defects(example.value).contains(.malformedText))
    }

    @Test(
        "joins base64 that was cut between groups of four",
        arguments: [
            Case("=?utf-8?B?w6TDts?= =?utf-8?B?O8?=", "äöü"),
            Case("=?utf-8?B?w6TDtsO8ZGVm?= =?utf-8?B?ZGV?= =?utf-8?b?m?=", "äöüdefdef"),
            Case("=?iso-2022-jp?B?GyRCRnxLXDh?= =?iso-2022-jp?B?sGyhC?=", "日本語"),
            // Whole words, with a digit too much, without padding, of another charset.
            Case("=?utf-8?B?w6TDtsO8x?= =?utf-8?B?w6Q=?=", "äöüä"),
            Case("=?utf-8?B?YQ?= =?utf-8?B?Yg?=", "ab"),
            Case("=?utf-8?B?w6R?= =?iso-8859-1?B?5A==?=", "ää"),
        ])
    func cutBase64(_ example: Case) { #expect(decoded(example.value) == example.text) }

    @Test(
        "joins the octets of adjacent words of one charset",
        arguments: [
            Case("=?UTF-8?Q?pasi=C5=BEad=C4?=\r\n =?utf-8?Q?=97jim=C5=B3?=", "pasižadėjimų"),
            Case("=?utf-8?B?w6Q=?= =?UTF8?b?w7Y=?=", "äö"),
            Case("=?utf-8?B?w6TD?= =?UTF-8?Q?=B6?= =?utf-8?B?w7w=?=", "äöü"),
            Case("=?utf-8?B?4pg=?= =?utf-8*en?B?gw==?=", "☃"),
        ])
    func joined(_ example: Case) {
        #expect(decoded(example.value) == example.text)
        #expect(!defects(example.value).contains(.malformedText))
    }

    @Test(
        "begins each word of a charset with shifts in ASCII",
        arguments: [
            Case("=?iso-2022-jp?B?GyRCJCIbKEI=?= =?iso-2022-jp?B?GyRCJCQbKEI=?=", "あい"),
            Case("=?iso-2022-jp?B?GyRCJCI=?= =?iso-2022-jp?Q?abc?=", "あabc"),
            Case("=?iso-2022-jp?B?GyRCJCI=?= =?iso-2022-jp?B?YWIbKEI=?=", "あ痰"),
            Case("=?ISO-2022-JP?B?GyRCRnw=?= =?ISO-2022-JP?B?S1wbKEI=?=", "日本"),
            Case("=?ISO-2022-JP?B?GyRCRnxL?= =?ISO-2022-JP?B?XBsoQg==?=", "日本"),
            Case("=?ISO-2022-JP?B?GyRCRnw=?= =?ISO-2022-JP?B?YWJjGyhC?=", "日abc"),
            Case("=?utf-7?Q?+AOQ?= =?utf-7?Q?AOQ-?=", "äAOQ-"),
            Case("\u{1B}$B$\"\u{1B}(B x", "あ x"),
        ])
    func shifts(_ example: Case) { #expect(decoded(example.value) == example.text) }

    @Test(
        "knows the charsets of mail",
        arguments: [
            Case("=?gb18030?B?0OjSqrGxvqm74Q==?=\r\n =?gb18030?B?0um4vbz+0LvQuw==?=", "需要北京会议附件谢谢"),
            Case("=?iso-8859-8-i?B?+ezl7Q==?=", "שלום"), Case("=?latin1?Q?=80?=", "€"),
            Case("=?ks_c_5601-1987?B?sKE=?=", "가"),
            Case("=?big5?B?pKQ=?= =?big5?B?pA==?= =?big5?B?5Q==?=", "中文"),
        ])
    func charsets(_ example: Case) { #expect(decoded(example.value) == example.text) }

    @Test(
        "reads words that break the rules",
        arguments: [
            // No space around, nothing inside.
            Case("=?UTF-8?B??==?UTF-8?Q?=54?==?UTF-8?B??==?UTF-8?Q?=69?=", "Ti"),
            Case("[x]=?utf-8?B?w6Q=?=!", "[x]ä!"),
            Case("Some text =?utf-8?Q??=here", "Some text here"),
            // Raw blanks, signs and octets in Q.
            Case("=?iso-8859-1?Q?Gr=F6=DFe und Preis?=", "Größe und Preis"),
            Case("=?utf-8?Q?what?=", "what"),
            Case("=?utf-8?Q?what?=3F yes?=", "what3F yes?="),
            Case("=?utf-8?Q?what?=21_yes?=", "what?! yes"),
            Case("=?utf-8?Q?Gr\u{C3}\u{BC}n?=", "Grün"),
            Case("=?utf-8?Q?100=_=zz=4?=", "100= =zz=4"),
            Case("=?utf-8?Q??=C3=A4?=", "?ä"),
            // Padding missing, in the middle, and junk in B.
            Case("=?utf-8?b?w6Q?=", "ä"),
            Case("=?utf-8?B?w6Q=w7Y=?=", "äö"),
            Case("=?utf-8?B?w6 TD\ttsO8!?=", "äöü"),
            // Cut by folds.
            Case("=?utf-8?B?w6TD\r\n tsO8?=", "äöü"),
            Case("=?utf-8?Q?Hello\r\n _there!?=", "Hello there!"),
            Case("=?utf-8?Q?Hello\r\n   \t  _there!?=", "Hello there!"),
            Case("=?utf-8?Q?Hello you\r\n there?=", "Hello you there"),
            Case("=?utf-8?Q?Hello\r\n there?=", "Hello there"),
            Case("=?utf-8?Q?=C3\r\n =A4=C3=B6?=", "äö"),
            Case("=?utf-8?\r\n Q?=C3=A4?=", "ä"),
            Case("=?ut\r\n f-8?Q\r\n ?=C3=A4?=", "ä"),
            // In quotes.
            Case("\"=?utf-8?Q?=C3=A4?=\"", "\"ä\""),
            // A charset that is none.
            Case("=?x-nobody?Q?=C3=A4?= =?x-nobody?Q?x?=", "äx"),
            Case("=?x-nobody?Q?=E4?=", "ä"),
            Case("=??Q?=E4?=", "ä"),
            Case("=?\"utf-8\"?Q?=C3=A4?=", "ä"),
        ])
    func broken(_ example: Case) { #expect(decoded(example.value) == example.text) }

    @Test(
        "leaves what is no word, or never ends, as it is",
        arguments: [
            "=", "=?", "=?utf-8", "=?utf-8?", "=?utf-8?q?", "=?utf-8?q?abc", "=?utf-8?X?abc?=",
            "=?utf-8?qq?abc?=", "=?utf 8?q?abc?=",
            "let's = try =?iso-8859-1? to break =? the parser",
            "a?=b", "=?utf-8?q?=", "?=", "=?=?=?",
        ])
    func literal(_ value: String) { #expect(decoded(value) == value) }

    @Test("goes on behind a word that never ends")
    func unclosedThenClosed() {
        #expect(decoded("=?utf-8?Q?a =?utf-8?Q?=C3=A4?=") == "=?utf-8?Q?a ä")
    }

    @Test(
        "takes raw octets for UTF-8 if that is valid, else for windows-1252",
        arguments: [
            Case("Gr\u{FC}\u{DF}e", "Grüße"),
            Case("Gr\u{C3}\u{BC}\u{C3}\u{9F}e", "Grüße"),
            Case("\u{80} =?utf-8?Q?=C3=A4?= \u{C3}\u{A4}", "€ ä ä"),
        ])
    func raw(_ example: Case) {
        #expect(decoded(example.value) == example.text)
        #expect(defects(example.value).contains(.rawNonASCII))
    }

    @Test(
        "unfolds as RFC 5322 says, and drops blanks at both ends",
        arguments: [
            Case(" a\r\n b\r\n", "a b"), Case(" a\n b", "a b"), Case(" a\r b", "a b"),
            Case(" a\r\n\tb", "a b"), Case("a \r\n  b", "a   b"), Case("a\r\r\n b\r\r\n", "a b"),
            Case("a\nb", "a b"), Case(" \r\n \r\n", ""), Case("", ""),
            Case(
                "Buchung\r\n =?utf-8?Q?ge=C3=A4n?=\r\n =?utf-8?Q?dert?= Text",
                "Buchung geändert Text"),
            Case("=?utf-8?Q?_x_?= ", " x "),
        ])
    func folds(_ example: Case) { #expect(decoded(example.value) == example.text) }

    @Test(
        "never lets a control character out",
        arguments: [
            Case("=?utf-8?Q?a=0D=0ABcc:_x?=", "a Bcc: x"),
            Case("=?utf-8?Q?a=0D=0A?=", "a"),
            Case("=?utf-8?B?YQ0KYgpjDWQ=?=", "a b c d"),
            Case("a\u{0}b", "a\u{FFFD}b"),
            Case("=?utf-8?Q?a=00b=1B=7F?=", "a\u{FFFD}b\u{FFFD}\u{FFFD}"),
            Case("=?utf-8?Q?a=C2=85b=C2=9B?=", "a b\u{FFFD}"), Case("a\tb", "a b"),
            Case("=?utf-8?Q?=C3=85?=", "Å"),
        ])
    func controls(_ example: Case) { #expect(decoded(example.value) == example.text) }

    @Test("names what is odd and where")
    func namesDefects() {
        let parsed = HeaderText.decode(octets("a =?x-nobody?Q?=zz?= b\u{FC}")[...])
        #expect(
            parsed.defects == [
                Defect(.invalidEncodedWord, at: 2), Defect(.unknownCharset, at: 2),
                Defect(.rawNonASCII, at: 20),
            ])
        #expect(defects("=?utf-8?Q?=C3?= x") == [.malformedText])
        #expect(defects("=?utf-8?q?abc") == [.invalidEncodedWord])
        #expect(defects("=?utf-8?q?a=0Ab?=") == [.controlCharacter])
        #expect(defects("Re: hello =?utf-8?Q?=C3=A4?= =?utf-8?B?w6Q=?= (x)") == [])
        #expect(defects("a\r\n\tb") == [])
    }

    @Test("counts offsets from the start of a slice")
    func slices() {
        let all = octets("Subject: =?utf-8?q?=zz?=")
        #expect(HeaderText.decode(all[9...]).defects == [Defect(.invalidEncodedWord, at: 0)])
    }
}
