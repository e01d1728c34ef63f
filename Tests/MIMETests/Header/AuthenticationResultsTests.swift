import MartletTestSupport
import Testing

@testable import MartletMIME

@Suite("Authentication-Results")
struct AuthenticationResultsTests {
    @Test("reads what RFC 8601 §2.2 has")
    func standard() throws {
        let value = """
            example.com (the (big) one) 1; spf=pass smtp.mailfrom=example.net (sender ok)\r
             smtp.helo=mx.example.net; dkim/2 = FAIL (bad (very) signature) reason="body hash; wrong"\r
             header.i=@mail.example.net header . d = "example.net" (x); dkim=pass header.b=a/b=c;\r
             auth=pass (cram-md5) smtp.auth="jane doe@example.net";
            """
        let parsed = AuthenticationResults.parse(value.utf8)
        #expect(parsed.defects.isEmpty)
        let field = parsed.value
        #expect(field.authservID == "example.com" && field.version == 1 && field.instance == nil)
        #expect(field.results.map(\.method) == ["spf", "dkim", "dkim", "auth"])
        #expect(field.results.map(\.result) == ["pass", "fail", "pass", "pass"])
        let spf = try #require(field.results(of: "SPF").first)
        #expect(
            spf.value("smtp", "MailFrom") == "example.net"
                && spf.value("smtp", "helo") == "mx.example.net")
        #expect(spf.comment == "sender ok" && spf.reason == nil && spf.methodVersion == nil)
        let dkim = try #require(field.results(of: "dkim").first)
        #expect(dkim.methodVersion == 2 && dkim.reason == "body hash; wrong")
        #expect(dkim.comment == "bad (very) signature")
        #expect(dkim.value("header", "i") == "@mail.example.net")
        #expect(dkim.value("header", "d") == "example.net")
        #expect(field.results[2].value("header", "b") == "a/b=c")
        #expect(field.results[3].value("smtp", "auth") == "jane doe@example.net")
    }

    @Test("says once what is odd in octets that are read twice")
    func rewound() {
        #expect(
            AuthenticationResults.parse("i (open".utf8).defects == [Defect(.unclosedComment, at: 2)]
        )
        #expect(
            AuthenticationResults.parse("spf (open".utf8).defects
                == [Defect(.unclosedComment, at: 4)])
    }

    @Test(
        "reads short and odd forms",
        arguments: [
            // value, server, version, instance, results, whether something is wrong
            ("example.org 1; none", "example.org", 1, nil, [], false),
            ("\"example org\" 2 ; None", "example org", 2, nil, [], false),
            ("i=3; example.org; arc=pass", "example.org", 1, 3, ["arc=pass"], false),
            ("example.org", "example.org", 1, nil, [], false),
            (
                "spf=pass (x) smtp.mailfrom=a; dkim=none", nil, 1, nil, ["spf=pass", "dkim=none"],
                true
            ),
            ("spf = pass; dkim=none", nil, 1, nil, ["spf=pass", "dkim=none"], true),
            ("; spf=pass", nil, 1, nil, ["spf=pass"], true), ("", nil, 1, nil, [], true),
            ("x; junk here; spf=pass", "x", 1, nil, ["spf=pass"], true),
            (
                "x; spf=pass junk smtp.mailfrom=a; dkim=fail", "x", 1, nil,
                ["spf=pass", "dkim=fail"], true
            ),
            ("x;;; spf=pass;;", "x", 1, nil, ["spf=pass"], false),
            ("x; =pass; spf=; dkim=pass", "x", 1, nil, ["spf=", "dkim=pass"], true),
            ("x; spf=pass (open", "x", 1, nil, ["spf=pass"], true),
            ("x; spf=pass\"; reason=\"open", "x", 1, nil, ["spf=pass\"", "reason=\"open"], false),
        ] as [(String, String?, Int, Int?, [String], Bool)])
    func forms(
        value: String, server: String?, version: Int, instance: Int?, results: [String], isOdd: Bool
    ) {
        let parsed = AuthenticationResults.parse(value.utf8)
        #expect(parsed.value.authservID == server)
        #expect(parsed.value.version == version)
        #expect(parsed.value.instance == instance)
        #expect(parsed.value.results.map { $0.method + "=" + $0.result } == results)
        #expect(parsed.defects.isEmpty != isOdd)
    }

    @Test("a property without a type is kept")
    func property() {
        let field = AuthenticationResults.parse("x; dmarc=fail action=none header.from=a".utf8)
        #expect(field.value.results.first?.value("", "action") == "none")
        #expect(field.value.results.first?.value("header", "from") == "a")
    }

    @Test("is cut at the limit", arguments: ["; a=b", " c.d=e"])
    func limit(piece: String) {
        let parsed = AuthenticationResults.parse(
            ("x; a=b" + String(repeating: piece, count: 100_000)).utf8)
        let count =
            parsed.value.results.count + parsed.value.results.reduce(0) { $0 + $1.properties.count }
        #expect(count == MIMELimits.standard.parameterCount)
        #expect(parsed.defects.last?.limit == "parameterCount")
    }

    @Test("any octets give lines of text", arguments: UInt64(0)..<300)
    func garbage(seed: UInt64) {
        var random = SeededGenerator(seed: seed)
        let alphabet = Array("abi1=.;/ \"()\\\r\n\t@".utf8) + [0, 0x7F, 0xC3, 0xA9, 0xFF]
        let octets = (0..<Int.random(in: 0...60, using: &random)).map { _ in
            alphabet.randomElement(using: &random)!
        }
        let parsed = AuthenticationResults.parse(octets)
        #expect(!hasControlCharacter(parsed.value.authservID ?? ""))
        for result in parsed.value.results {
            for text in [result.method, result.result, result.reason ?? "", result.comment ?? ""]
                + result.properties.flatMap({ [$0.type, $0.name, $0.value] })
            {
                #expect(!hasControlCharacter(text))
            }
        }
    }

    @Test(
        "takes linear time for hostile input",
        arguments: ["(", ";", "=", "a", "\"", "a=", ".", " .", "a.", "()", ";a", "a ", "/", "\\\""])
    func hostile(piece: String) {
        // Quadratic time would take minutes.
        for start in ["", "x; a=b "] {
            _ = AuthenticationResults.parse(
                (start + String(repeating: piece, count: 300_000 / piece.utf8.count)).utf8)
        }
    }
}
