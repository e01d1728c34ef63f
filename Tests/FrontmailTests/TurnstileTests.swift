import Foundation
import Frontmail
import Testing

@Suite("Turnstile")
struct TurnstileTests {
    private static let source = #""source":"frontmail-turnstile""#

    private static func text(_ members: String) -> String { "{\(source),\(members)}" }

    private static let pageMessages: [(String, Turnstile.Message)] = [
        (#""type":"token","token":"abc""#, .token("abc")),
        (#""type":"token","token":"abc","x":1"#, .token("abc")),
        (#""type":"expired""#, .expired),
        (#""type":"error","code":"110200""#, .error(code: "110200")),
        (#""type":"error""#, .error(code: nil)),
        (#""type":"error","code":"""#, .error(code: "")),
        ("\"type\":\"token\",\"token\":\"\(letters(4_096))\"", .token(letters(4_096))),
        ("\"type\":\"error\",\"code\":\"\(letters(64))\"", .error(code: letters(64))),
    ]

    private static func letters(_ count: Int) -> String { String(repeating: "a", count: count) }

    @Test("Messages of the page are read", arguments: pageMessages)
    func messages(members: String, expected: Turnstile.Message) throws {
        let text = TurnstileTests.text(members)
        #expect(Turnstile.parseMessage(text) == expected)
        let dictionary = try JSONSerialization.jsonObject(with: Data(text.utf8))
        #expect(Turnstile.parseMessage(dictionary) == expected)
    }

    @Test(
        "What is no message is ignored",
        arguments: [
            #""type":"token""#, #""type":"token","token":"""#, #""type":"token","token":42"#,
            #""type":"token","token":null"#,
            "\"type\":\"token\",\"token\":\"\(letters(4_097))\"",
            #""type":"error","code":110200"#, #""type":"error","code":null"#,
            "\"type\":\"error\",\"code\":\"\(letters(65))\"",
            #""type":"token","token":"abc","code":5"#, #""type":"Token","token":"abc""#,
            #""type":"other""#, #""type":1"#, #""token":"abc""#, #""type":"expired","code":true"#,
        ])
    func noMessages(members: String) throws {
        let text = TurnstileTests.text(members)
        #expect(Turnstile.parseMessage(text) == nil)
        let dictionary = try JSONSerialization.jsonObject(with: Data(text.utf8))
        #expect(Turnstile.parseMessage(dictionary) == nil)
    }

    @Test(
        "Other things are ignored",
        arguments: [
            #"{"type":"expired"}"#, #"{"source":"Frontmail-Turnstile","type":"expired"}"#,
            #"{"source":1,"type":"expired"}"#, "not json", "[]", "null", #""x""#, "", "17",
            String(repeating: "[", count: 60_000),
            "{\(source),\"type\":\"expired\",\"x\":\"\(letters(70_000))\"}",
        ])
    func otherText(text: String) { #expect(Turnstile.parseMessage(text) == nil) }

    @Test("Values of other types are ignored")
    func otherValues() {
        #expect(Turnstile.parseMessage(17) == nil)
        #expect(Turnstile.parseMessage(NSNull()) == nil)
        #expect(Turnstile.parseMessage([Any]()) == nil)
        #expect(Turnstile.parseMessage(Data()) == nil)
    }

    @Test("The names and sizes are as documented")
    func constants() {
        #expect(Turnstile.messageHandlerName == "frontmailTurnstile")
        #expect(Turnstile.Size.normal.recommendedHeight == 70)
        #expect(Turnstile.Size.flexible.recommendedHeight == 70)
        #expect(Turnstile.Size.compact.recommendedHeight == 140)
        #expect(
            Turnstile.Key.org.rawValue == "org" && Turnstile.Key.frontmail.rawValue == "frontmail")
    }

    @Test("The page keeps hostile values inside of their literal")
    func hostileSiteKey() {
        let page = Turnstile.html(
            siteKey: "</script><script>x()</script>\u{2028}\u{2029}<!--&\"\\", action: "</script>",
            language: "\u{0}</SCRIPT>")
        #expect(!page.contains("<script>x()"))
        #expect(page.components(separatedBy: "</script").count == 3)
        #expect(!page.lowercased().contains("</script>\""))
        #expect(!page.contains("\u{2028}") && !page.contains("\u{2029}") && !page.contains("<!--"))
        #expect(page.contains(#"\u003c/script\u003e\u003cscript\u003ex()"#))
    }

    @Test("Options stand in the literal; an action only if there is one")
    func options() {
        let page = Turnstile.html(
            siteKey: "0xK", theme: .dark, size: .compact, action: "signup", language: "pl")
        for option in [
            #""sitekey":"0xK""#, #""theme":"dark""#, #""size":"compact""#, #""action":"signup""#,
            #""language":"pl""#,
        ] {
            #expect(page.contains(option))
        }
        for action in [nil, ""] {
            let page = Turnstile.html(siteKey: "0xK", action: action)
            #expect(!page.contains(#""action""#))
            #expect(page.contains(#""theme":"auto""#) && page.contains(#""size":"normal""#))
            #expect(page.contains(#""language":"auto""#))
        }
    }

    @Test("The page loads one script and nothing else")
    func resources() {
        let page = Turnstile.html(siteKey: "0xK")
        #expect(page.hasPrefix("<!DOCTYPE html>"))
        #expect(page.contains(Turnstile.messageHandlerName))
        #expect(page.components(separatedBy: "api.js").count == 2)
        #expect(page.components(separatedBy: "https://").count == 2)
        #expect(!page.contains("http://"))
        #expect(page.contains("https://challenges.cloudflare.com/turnstile/v0/api.js"))
    }
}
