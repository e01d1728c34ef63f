import MartletBytes
import MartletTestSupport
import Testing

@testable import MartletMIME

private func type(_ value: String) -> Parsed<ContentTypeField> {
    ContentTypeField.parse(octets(value)[...])
}

/// `name=value, …` of the parameters behind `application/x`.
private func parameters(_ value: String) -> String {
    type("application/x" + value).value.parameters.map { $0.name + "=" + $0.value }
        .joined(separator: ", ")
}

private func defects(_ value: String) -> [Defect.Kind] {
    type("application/x" + value).defects.map(\.kind)
}

@Suite("Parameters")
struct HeaderParametersTests {
    typealias Case = HeaderTextTests.Case

    @Test(
        "are tokens or quoted strings",
        arguments: [
            Case("; name=a.pdf", "name=a.pdf"), Case(";NAME=\"a b.pdf\"", "name=a b.pdf"),
            Case(";\r\n\tname=\"a\"; charset = utf-8 (x)", "name=a, charset=utf-8"),
            Case(
                "; a=\"  best \\\"file\\\" with \\\\ it ' s.  \"",
                "a=  best \"file\" with \\ it ' s.  "),
            Case("; (x) a (x) = (x) b (x) ; c=d", "a=b, c=d"),
            Case("; a=gc0pJq0M:08jU534c0p/?=[x]@y", "a=gc0pJq0M:08jU534c0p/?=[x]@y"),
        ])
    func plain(_ example: Case) { #expect(parameters(example.value) == example.text) }

    @Test(
        "are read where something is missing or too much",
        arguments: [
            Case(";", ""), Case(";;", ""), Case(" ; ; name=\"a.pdf\";", "name=a.pdf"),
            Case(" ;;;;; = ;; name=\"value\"", "name=value"), Case("; =value; a=b", "a=b"),
            Case("; =\"va;lue\"; a=b", "a=b"), Case("; foo; a=b", "a=b"), Case("; foo a=b", "a=b"),
            Case("; a=  ; b=c", "b=c"), Case("; a=\"\"", "a="), Case("; \"a\"; b=c", "b=c"),
            Case("; a=\"b", "a=b"), Case("; a=\"  \r\n  ", "a=    "), Case("; a=\"b\\", "a=b\\"),
            Case("; a=\"b.pdf\r\n", "a=b.pdf"), Case("; a=b; a*=", "a=b"),
            Case("; a=b; a*=utf-8''", "a=b"),
            // No semicolon between.
            Case(" a=b", "a=b"), Case("; a=\"b\" c=\"d\"", "a=b, c=d"),
            Case("; charset=utf-8 format=flowed", "charset=utf-8, format=flowed"),
            Case(
                ";\r\n access-type=mail-server\r\n server=\"x\";\r\n y=z",
                "access-type=mail-server, server=x, y=z"),
            Case(
                "\r\n title*0*=us-ascii'en'a%20\r\n title*1*=%2A%20\r\n title*2=\"isn't it!\"",
                "title=a * isn't it!"),
            // Values that ought to be quoted.
            Case("; filename=my file.pdf", "filename=my file.pdf"),
            Case("; filename=my file (1).pdf; a=b", "filename=my file (1).pdf, a=b"),
            Case("; filename=my (x) (y)", "filename=my"),
            Case("; filename=a(1).pdf", "filename=a(1).pdf"),
            Case("; filename=a v=2.pdf", "filename=a v=2.pdf"),
            Case("; filename=a\r\n b.pdf", "filename=a b.pdf"),
            Case("; filename=Gr\u{FC}\u{DF}e.txt", "filename=Grüße.txt"),
            Case("; filename=\"Gr\u{C3}\u{BC}n.txt\"", "filename=Grün.txt"),
            Case("; \u{E1}=\u{E9}", "á=é"),
            // Quotes inside of quotes, text next to them.
            Case("; filename=\"a \"b\" c.pdf\"; x=y", "filename=a \"b\" c.pdf, x=y"),
            Case("; filename=\"\"a\".pdf\" ; x=y", "filename=\"a\".pdf, x=y"),
            Case("; filename=\"\"a.pdf\"\"; x=y", "filename=a.pdf, x=y"),
            Case("; filename=\"a\"\r\n \"b.pdf\"; x=y", "filename=a b.pdf, x=y"),
            Case("; filename=a.pdf\"; x=y", "filename=a.pdf, x=y"),
            Case("; a=\"\"\"; b=\"\"\"\"; c=\"; d=\"", "a=\", b=, c=; d="),
            Case("; filename='a b.pdf'; x='y'", "filename=a b.pdf, x='y'"),
            // The last quote is missing.
            Case("; a=\"b; charset=\r\n x", "a=b, charset=x"),
            Case("; a=\"b; c=d.pdf\r\n", "a=b; c=d.pdf"),
            Case("; filename=\"a\".pdf; x=y", "filename=a.pdf, x=y"),
            Case("; filename=\"C:\\dir\\a.pdf\"", "filename=C:\\dir\\a.pdf"),
            Case("; a=b (unclosed; c=d", "a=b (unclosed, c=d"),
            // Folds.
            Case("; name*0=\"Report\r\n 09-20.x\"; name*1=ls", "name=Report 09-20.xls"),
            Case("; a=\"b\u{0}\r\n\tc\"", "a=b\u{FFFD} c"),
        ])
    func broken(_ example: Case) { #expect(parameters(example.value) == example.text) }

    @Test(
        "of RFC 2231 have a charset, a language and sections",
        arguments: [
            Case(
                "; title*=us-ascii'en-us'This%20is%20%2A%2A%2Afun%2A%2A%2A",
                "title=This is ***fun***"),
            Case("; name*0*=UTF-8''%E2%98; name*1*=%83.txt", "name=☃.txt"),
            Case("; name*0*=ISO-8859-1''%E9; name*1*=%E8.txt", "name=éè.txt"),
            Case("; name*0*=utf-8''%C3%A4; name*1=\"100%41.txt\"", "name=ä100%41.txt"),
            Case(
                "; name*1=\"about \"; name*0=\"Book \";\r\n name*2*=utf-8''%e2%98%95.gif",
                "name=Book about ☕.gif"),
            Case("; a*0=x; b=c; a*1=y", "b=c, a=xy"),
            Case("; a*2=z; a*10=w; a*0=x; a*1=y", "a=xyzw"),
            // Broken ones.
            Case("; name*=\"iso-8859-1''Fr%F6sche.txt\"", "name=Frösche.txt"),
            Case("; name*=a%20b.txt", "name=a b.txt"), Case("; name*=''%C3%A4", "name=ä"),
            Case("; name*=utf-8'%C3%A4", "name=ä"),
            Case("; name*=it's%20bob's.txt", "name=it's bob's.txt"),
            Case("; name*=x-nobody''%E4", "name=ä"), Case("; name*=utf-8''100%", "name=100%"),
            Case("; name*=utf-8''%C3%A4%zz%4", "name=ä%zz%4"),
            Case(
                "; name*0*=iso-8859-1'es'%D1; name*1*=iso-8859-1'%20x; name*2*=iso-8859-1'es'%E1",
                "name=Ñ xá"),
            Case("; a*1=x; a*2=y", "a=xy"), Case("; a*0=x; a*2=y", "a=xy"),
            Case("; a*00=x; a*01=y", "a=xy"),
            Case("; a*x=y; b*1*2=z; *=q; c**=d", "a*x=y, b*1*2=z, *=q, c**=d"),
            Case("; a*0*=utf-8''a%0D%0Ab", "a=a b"),
            Case("; a*0=x; a*99999999999999999999=y", "a=xy"),
            // The star is missing.
            Case("; filename=\"utf-8''%C3%A4%20b.txt\"", "filename=ä b.txt"),
            Case("; name=iso-8859-1'de'%E4.txt", "name=ä.txt"),
            Case("; title=\"utf-8''%C3%A4\"", "title=utf-8''%C3%A4"),
            Case(
                "; name=\"it's 'a'%20\"; filename=\"utf-8''a\"",
                "name=it's 'a'%20, filename=utf-8''a"),
            Case("; name*=utf-8''%E4.txt", "name=ä.txt"),
            // A plain one is for those who cannot read the other.
            Case("; name=\"a.txt\"; name*=utf-8''%C3%A4.txt", "name=ä.txt"),
            Case("; name*=utf-8''%C3%A4.txt; name=\"a.txt\"", "name=ä.txt"),
            Case("; name*0=x; name*=utf-8''y; name*1=z", "name=y"),
        ])
    func extended(_ example: Case) { #expect(parameters(example.value) == example.text) }

    @Test(
        "may have encoded words, quoted or not",
        arguments: [
            Case("; name=\"=?iso-8859-1?Q?pr=FCfbericht.pdf?=\"", "name=prüfbericht.pdf"),
            Case("; name==?iso-8859-1?B?4Q==?=.gif; a=b", "name=á.gif, a=b"),
            Case("; name==?utf-8?Q?a;b?=; a=b", "name=a;b, a=b"),
            Case("; name==?utf-8?Q?a?= =?utf-8?Q?=C3=A4?=", "name=aä"),
            Case("; name=\"=?utf-8?Q?a=C3?=\r\n =?utf-8?Q?=A4?=\"", "name=aä"),
            Case("; name*0=\"=?utf-8?Q?=C3=\"; name*1=\"A4?=\"", "name=ä"),
            Case("; name*==?utf-8?Q?=C3=A4?=", "name=ä"),
        ])
    func encodedWords(_ example: Case) { #expect(parameters(example.value) == example.text) }

    @Test("count once: the first of a name holds")
    func repeated() {
        #expect(parameters("; a=b; A=c; a=d") == "a=b")
        #expect(defects("; a=b; A=c") == [.repeatedParameter])
        #expect(parameters("; a*0=b; a*0=c; a*1=d") == "a=bd")
        #expect(defects("; a*0=b; a*0=c") == [.repeatedParameter])
        let many = (0..<40).map { "; p\($0)=\($0)" }.joined()
        #expect(type("a/b" + many + many).value.parameters.count == 40)
        #expect(type("a/b" + many + many).value.parameters["p39"] == "39")
    }

    @Test("say their language")
    func language() {
        let title = type("a/b; title*=us-ascii'en-us'x").value.parameters[0]
        #expect(title == HeaderParameters.Parameter(name: "title", value: "x", language: "en-us"))
    }

    @Test("name what is odd and where")
    func namesDefects() {
        #expect(defects("; name=a.pdf; charset=\"utf-8\"") == [])
        #expect(defects("; name*0*=utf-8''a; name*1=b;") == [])
        #expect(type("a/b; c=\"d").defects == [Defect(.unclosedQuote, at: 7)])
        #expect(type("a/b; c; d=e").defects == [Defect(.invalidParameter, at: 5)])
        #expect(type("a/b; c*0=x; c*2=y").defects == [Defect(.invalidParameter, at: 16)])
        #expect(type("a/b; c=\u{E4}").defects == [Defect(.rawNonASCII, at: 7)])
        #expect(defects("; a*=x-nobody''b") == [.unknownCharset])
        #expect(defects("; a*=utf-8''%C3") == [.malformedText])
        #expect(defects("; a=\"b\"c") == [.invalidParameter])
        #expect(defects("; a=b (c") == [.unclosedComment])
    }

    @Test("end at their limit")
    func limit() {
        var limits = MIMELimits()
        limits.parameterCount = 2
        let parsed = ContentTypeField.parse(
            octets("a/b; c=d; e*0=f; e*1=g; h=i")[...], limits: limits)
        #expect(parsed.value.parameters.map(\.value) == ["d", "f"])
        #expect(parsed.defects == [Defect(.limitReached, at: 17, limit: "parameterCount")])
        limits.valueSizeInOctets = 6
        let cut = ContentTypeField.parse(octets("a/b; c=d")[...], limits: limits)
        #expect(cut.value.description == "a/b")
        #expect(cut.defects.contains(Defect(.limitReached, at: 6, limit: "valueSizeInOctets")))
    }

    @Test("that are written are read again", arguments: 0..<200 as Range<UInt64>)
    func roundTrip(seed: UInt64) {
        var random = SeededGenerator(seed: seed)
        let pieces = [
            "a", "B c", "ä", "日本", "👩‍👩‍👧", "\"", "\\", ";", "=", "'", "%41", "*", "=?utf-8?q?x?=", "(",
            ")", " ", "/",
            "long text that goes on and on for a while, to be cut ", "e\u{301}", "C:\\x",
        ]
        let value = (0..<Int.random(in: 1...12, using: &random))
            .map { _ in pieces.randomElement(using: &random)! }.joined()
        let written = Parameters.pieces(name: "filename", value: value)
        let field = octets("attachment") + written.flatMap { octets(";\r\n ") + $0 }
        let parsed = ContentDispositionField.parse(field[...])
        #expect(parsed.value.fileName == value)
        #expect(parsed.defects == [])
    }
}
