import Testing

@testable import MartletIMAPCore

@Suite("Commands about access")
struct AccessCommandTests {
    static let url = "imap://joe@example.com/INBOX/;uid=20/;section=1.2;urlauth=submit+fred"

    static let forms = [
        Sample(IMAP.GetQuota(root: ""), "GETQUOTA \"\""),
        Sample(IMAP.GetQuota(root: "User quota"), "GETQUOTA \"User quota\""),
        Sample(IMAP.GetQuotaRoot(.inbox), "GETQUOTAROOT INBOX"),
        Sample(
            IMAP.SetQuota(
                root: "#user/alice",
                [.init(name: "STORAGE", limit: 512), .init(name: "MESSAGE", limit: 0)]),
            "SETQUOTA #user/alice (STORAGE 512 MESSAGE 0)"),
        Sample(IMAP.SetQuota(root: "", []), "SETQUOTA \"\" ()"),
        Sample(IMAP.GetACL(.of("a b")), "GETACL \"a b\""),
        Sample(IMAP.SetACL(.inbox, "john", .init("lr"), .add), "SETACL INBOX john +lr"),
        Sample(IMAP.SetACL(.inbox, "-john", .init("w1"), .remove), "SETACL INBOX -john -w1"),
        Sample(IMAP.SetACL(.inbox, "any one", .init("")), "SETACL INBOX \"any one\" \"\""),
        Sample(IMAP.SetACL(.inbox, "M\u{FC}ller", .init("l")), "SETACL INBOX {7}|↑M\u{FC}ller l"),
        Sample(IMAP.DeleteACL(.inbox, "fred"), "DELETEACL INBOX fred"),
        Sample(IMAP.ListRights(.inbox, "smith"), "LISTRIGHTS INBOX smith"),
        Sample(IMAP.MyRights(.inbox), "MYRIGHTS INBOX"),
        Sample(IMAP.GetMetadata(nil, ["/shared/a"]), "GETMETADATA \"\" (/shared/a)"),
        Sample(
            IMAP.GetMetadata(
                .inbox, ["/shared/a", "/private/\"b"], maximumSizeInOctets: 1_024,
                depth: .infinity),
            "GETMETADATA (MAXSIZE 1024 DEPTH infinity) INBOX (/shared/a \"/private/\\\"b\")"),
        Sample(
            IMAP.GetMetadata(.inbox, ["/a"], depth: .one), "GETMETADATA (DEPTH 1) INBOX (/a)"),
        Sample(
            IMAP.SetMetadata(
                .inbox,
                [
                    .init(name: "/private/a", value: Array("x y".utf8)),
                    .init(name: "/shared/b", value: nil), .init(name: "/shared/c", value: []),
                    .init(name: "/shared/d", value: Array("a\r\nb".utf8)),
                    .init(name: "/shared/e", value: [0x61, 0]),
                ]),
            "SETMETADATA INBOX (/private/a \"x y\" /shared/b NIL /shared/c \"\" /shared/d {4}|↑a|b "
                + "/shared/e ~{2}|↑a␀)"),
        Sample(
            IMAP.GenerateURLs([.init(url), .init("imap://a/b", mechanism: "XSAMPLE")]),
            "GENURLAUTH \"\(url)\" INTERNAL \"imap://a/b\" XSAMPLE"),
        Sample(IMAP.ResetKey(), "RESETKEY"),
        Sample(IMAP.ResetKey(.inbox, mechanisms: ["INTERNAL", "X"]), "RESETKEY INBOX INTERNAL X"),
        Sample(
            IMAP.FetchURLs([.init(url), .init("a", form: .binary), .init("b", form: .body)]),
            "URLFETCH \"\(url)\" (\"a\" BINARY) (\"b\" BODY)"),
        Sample(IMAP.GetJMAPAccess(), "GETJMAPACCESS"), Sample(IMAP.Language(), "LANGUAGE"),
        Sample(IMAP.Language(["de-CH", "en"]), "LANGUAGE de-CH en"),
        Sample(IMAP.Comparator(["cz;*", "i;basic"]), "COMPARATOR \"cz;*\" i;basic"),
    ]

    @Test("are written as the RFCs have them", arguments: forms)
    func encoding(form: Sample) throws {
        #expect(try Wire.text(form.command) == form.testDescription)
        #expect(form.testDescription.hasPrefix(form.command.name))
    }

    @Test("are refused where the server lacks what they need", arguments: forms)
    func unsupported(form: Sample) {
        #expect(Wire.complaint(form.command, Wire.basic) == "unsupported")
    }

    @Test("know that quotas go by two names, and annotations of the server by their own")
    func names() {
        let quota = IMAP.GetQuotaRoot(.inbox)
        #expect(Wire.complaint(quota, Wire.capabilities("QUOTA")).hasPrefix("sent"))
        #expect(Wire.complaint(quota, Wire.capabilities("QUOTA=RES-STORAGE")).hasPrefix("sent"))
        let server = Wire.capabilities("METADATA-SERVER")
        #expect(Wire.complaint(IMAP.GetMetadata(nil, ["/a"]), server).hasPrefix("sent"))
        #expect(Wire.complaint(IMAP.GetMetadata(.inbox, ["/a"]), server) == "unsupported")
        let urls = Wire.capabilities("URLAUTH")
        #expect(
            Wire.complaint(IMAP.FetchURLs([.init("a", form: .binary)]), urls) == "unsupported")
    }

    static let smuggled = "a\r\nX DELETE INBOX"

    @Test(
        "are refused where what was passed cannot be sent",
        arguments: Sample.list([
            IMAP.GetQuota(root: smuggled), IMAP.GetQuota(root: "a\0"),
            IMAP.GetQuota(root: String(repeating: "a", count: 4_097)),
            IMAP.SetQuota(root: smuggled, []),
            IMAP.SetQuota(root: "", [.init(name: "A B", limit: 1)]),
            IMAP.SetQuota(root: "", [.init(name: smuggled, limit: 1)]),
            IMAP.SetQuota(root: "", [.init(name: "", limit: 1)]),
            IMAP.SetQuota(root: "", [.init(name: "STORAGE", limit: .max)]),
            IMAP.SetQuota(
                root: "", Array(repeating: .init(name: "STORAGE", limit: 1), count: 101)),
            IMAP.SetACL(.inbox, "", .init("l")), IMAP.SetACL(.inbox, smuggled, .init("l")),
            IMAP.SetACL(.inbox, "a", .init("l r")), IMAP.SetACL(.inbox, "a", .init("+l")),
            IMAP.SetACL(.inbox, "a", .init("L")), IMAP.SetACL(.inbox, "a", .init(smuggled)),
            IMAP.SetACL(.inbox, "a", .init("\u{FC}")),
            IMAP.SetACL(.inbox, "a", .init(String(repeating: "l", count: 37))),
            IMAP.DeleteACL(.inbox, ""), IMAP.DeleteACL(.inbox, "a\u{7F}"),
            IMAP.ListRights(.inbox, smuggled), IMAP.GetMetadata(.inbox, []),
            IMAP.GetMetadata(.inbox, ["a"]), IMAP.GetMetadata(.inbox, ["/"]),
            IMAP.GetMetadata(.inbox, ["/a/"]), IMAP.GetMetadata(.inbox, ["/a//b"]),
            IMAP.GetMetadata(.inbox, ["/a*"]), IMAP.GetMetadata(.inbox, ["/a%"]),
            IMAP.GetMetadata(.inbox, ["/a b"]), IMAP.GetMetadata(.inbox, ["/\u{FC}"]),
            IMAP.GetMetadata(.inbox, ["/" + smuggled]),
            IMAP.GetMetadata(.inbox, Array(repeating: "/a", count: 1_001)),
            IMAP.SetMetadata(.inbox, []),
            IMAP.SetMetadata(.inbox, [.init(name: "/" + smuggled, value: nil)]),
            IMAP.SetMetadata(
                .inbox, [.init(name: "/a", value: Array(repeating: 0x61, count: 16 << 20 + 1))]),
            IMAP.GenerateURLs([]), IMAP.GenerateURLs([.init(smuggled)]),
            IMAP.GenerateURLs([.init("a b")]), IMAP.GenerateURLs([.init("\u{FC}")]),
            IMAP.GenerateURLs([.init("a", mechanism: smuggled)]),
            IMAP.GenerateURLs([.init("a", mechanism: "")]),
            IMAP.ResetKey(nil, mechanisms: ["INTERNAL"]),
            IMAP.ResetKey(.inbox, mechanisms: [smuggled]), IMAP.FetchURLs([]),
            IMAP.FetchURLs([.init(smuggled)]), IMAP.FetchURLs([.init("")]),
            IMAP.FetchURLs(Array(repeating: .init("a"), count: 1_001)),
            IMAP.Language([smuggled]), IMAP.Language([""]),
            IMAP.Language(Array(repeating: "de", count: 101)), IMAP.Comparator([smuggled]),
            IMAP.Comparator(Array(repeating: "a", count: 101)),
        ]))
    func invalid(sample: Sample) {
        #expect(Wire.complaint(sample.command) == "invalidInput")
    }
}

@Suite("Answers about access")
struct AccessCollectorTests {
    @Test("to quota commands")
    func quota() throws {
        let answer = try Wire.output(
            IMAP.GetQuotaRoot(.inbox),
            [
                "* QUOTAROOT INBOX \"\" b", "* QUOTA \"\" (STORAGE 10 512)",
                "* QUOTAROOT other c", "* QUOTA b (MESSAGE 1 2)", "A1 OK",
            ])
        #expect(answer.output.roots == ["", "b"] && answer.unclaimed == 1)
        #expect(answer.output.quotas.map(\.resources.first?.limit) == [512, 2])
        let quotas = try Wire.output(
            IMAP.GetQuota(root: ""), ["* QUOTA \"\" (STORAGE 10 512)", "A1 OK"])
        #expect(quotas.output.first?.resources.first?.usage == 10)
    }

    @Test("to commands of access rights")
    func rights() throws {
        let list = try Wire.output(
            IMAP.GetACL(.inbox),
            ["* ACL other x l", "* ACL INBOX fred lrs -bob w", "* ACL INBOX y l", "A1 OK"])
        #expect(list.output.map(\.identifier) == ["fred", "-bob"] && list.unclaimed == 2)
        let rights = try Wire.output(
            IMAP.ListRights(.inbox, "a"), ["* LISTRIGHTS INBOX a la r swicdkxte", "A1 OK"])
        #expect(rights.output.required.letters == "la" && rights.output.optional.count == 2)
        let mine = try Wire.output(
            IMAP.MyRights(.inbox), ["* MYRIGHTS other l", "* MYRIGHTS INBOX lr", "A1 OK"])
        #expect(mine.output.letters == "lr" && mine.unclaimed == 1)
    }

    @Test("to GETMETADATA, of the mailbox that was asked for")
    func metadata() throws {
        let (result, unclaimed) = try Wire.output(
            IMAP.GetMetadata(.inbox, ["/a", "/b"]),
            [
                "* METADATA INBOX (/a \"x\")", "* METADATA \"\" (/a \"y\")", "* METADATA INBOX /c",
                "* METADATA INBOX (/b NIL)", "A1 OK [METADATA LONGENTRIES 2199] some",
            ])
        #expect(result.entries.map(\.name) == ["/a", "/b"] && unclaimed == 2)
        #expect(result.entries[0].value.octets.map { Array($0) } == Array("x".utf8))
        #expect(result.longestInOctets == 2_199)
        let server = try Wire.output(
            IMAP.GetMetadata(nil, ["/a"]), ["* METADATA \"\" (/a \"y\")", "A1 OK"])
        #expect(server.output.entries.count == 1)
    }

    @Test("with large values have them", arguments: [1, .max] as [Int])
    func large(step: Int) throws {
        var limits = IMAPLimits()
        limits.detachedLiteralInOctets = 100
        var talk = Talk(IMAPSession(limits: limits))
        talk.step = step
        talk.server("* PREAUTH [CAPABILITY IMAP4rev1 METADATA URLAUTH] hello")
        talk.submit(IMAP.GetMetadata(.inbox, ["/a"]))
        talk.submit(IMAP.FetchURLs([.init("u")]))
        let value = String(repeating: "v", count: 500)
        talk.server("* METADATA INBOX (/a {500}", value + ")")
        talk.server("* URLFETCH \"u\" {500}", value)
        var metadata: IMAP.GetMetadata.Collector?
        _ = talk.session.withCollector(of: talk.ids[0], IMAP.GetMetadata.Collector.self) {
            metadata = $0
        }
        let entries = try #require(metadata).finish(ResponseText("")).entries
        #expect(entries.first?.value.octets?.count == 500)
        var urls: IMAP.FetchURLs.Collector?
        _ = talk.session.withCollector(of: talk.ids[1], IMAP.FetchURLs.Collector.self) { urls = $0 }
        #expect(try #require(urls).finish(ResponseText("")).first?.data.octets?.count == 500)
    }

    @Test("to rarer commands")
    func rare() throws {
        let urls = try Wire.output(
            IMAP.GenerateURLs([.init("a")]), ["* GENURLAUTH \"a:internal:1\"", "A1 OK"])
        #expect(urls.output == ["a:internal:1"])
        let languages = try Wire.output(IMAP.Language(), ["* LANGUAGE (de en)", "A1 OK"])
        #expect(languages.output == ["de", "en"])
        let jmap = try Wire.output(
            IMAP.GetJMAPAccess(), ["* JMAPACCESS \"https://example.com/jmap\"", "A1 OK"])
        #expect(jmap.output == "https://example.com/jmap")
        let comparator = try Wire.output(
            IMAP.Comparator(), ["* COMPARATOR i;basic", "A1 OK"])
        #expect(comparator.output?.active == "i;basic")
    }
}
