import Foundation
import Frontmail
import Testing

/// The widget's page in a real browser, with a stand-in for Cloudflare's script and for the app's message handler.
@Suite("The Turnstile page in a browser", .browser, .serialized, .timeLimit(.minutes(5)))
struct TurnstilePageTests {
    private static let base = "https://mobile.example.test/"
    private static let api = "https://challenges.cloudflare.com/turnstile/v0/api.js"

    /// What an app adds: the handler keeps what it gets.
    private static let handler = """
        window.posted = [];
        window.webkit = { messageHandlers: { \(Turnstile.messageHandlerName): {
          postMessage: function (body) { window.posted.push(body); } } } };
        """

    /// Calls the function that its address names, as the real script does, and keeps what it was asked.
    private static let standIn = """
        window.asked = []; window.resets = [];
        window.turnstile = {
          render: function (place, options) {
            window.asked.push({ place: document.querySelector(place) !== null, options: options });
            return "widget-" + window.asked.length; },
          reset: function (widget) { window.resets.push(widget); }
        };
        window[new URL(document.currentScript.src).searchParams.get("onload")]();
        """

    /// Runs `body` with the page loaded in a browser.
    private func withPage(
        _ page: String, script: String? = standIn, handler: String? = handler,
        _ body: (Browser) async throws -> Void
    ) async throws {
        try await Browser.run { (browser) async throws in
            await browser.answer(TurnstilePageTests.base, with: ("text/html; charset=utf-8", page))
            await browser.answer(
                TurnstilePageTests.api, with: script.map { ("text/javascript", $0) })
            if let handler { try await browser.prepare(handler) }
            try await browser.navigate(to: TurnstilePageTests.base)
            try await body(browser)
            #expect(await browser.exceptions.isEmpty)
        }
    }

    /// What the page has posted, as the app reads it.
    private func messages(_ browser: Browser) async throws -> [Turnstile.Message?] {
        let posted = try await browser.evaluate("window.posted").arrayValue ?? []
        return posted.map { Turnstile.parseMessage($0.stringValue ?? "") }
    }

    private func option(_ name: String, _ browser: Browser) async throws -> String? {
        try await browser.evaluate("window.asked[0].options[\"\(name)\"]").stringValue
    }

    @Test("renders one widget, and tells token, expiry and errors")
    func messages() async throws {
        try await withPage(
            Turnstile.html(
                siteKey: "0xAAA", theme: .dark, size: .compact, action: "signup", language: "pl")
        ) { (browser) async throws in
            #expect(try await browser.evaluate("window.asked.length") == 1)
            #expect(try await browser.evaluate("window.asked[0].place") == true)
            #expect(try await option("sitekey", browser) == "0xAAA")
            #expect(try await option("theme", browser) == "dark")
            #expect(try await option("size", browser) == "compact")
            #expect(try await option("action", browser) == "signup")
            #expect(try await option("language", browser) == "pl")

            _ = try await browser.evaluate("window.asked[0].options.callback('tok')")
            _ = try await browser.evaluate("window.asked[0].options['expired-callback']()")
            let isHandled = try await browser.evaluate(
                "window.asked[0].options['error-callback'](110200)")
            #expect(isHandled == true)
            _ = try await browser.evaluate("window.asked[0].options['error-callback']()")
            #expect(
                try await messages(browser) == [
                    .token("tok"), .expired, .error(code: "110200"), .error(code: ""),
                ])
        }
    }

    @Test("begins anew when it is told so, and says whether it did")
    func reset() async throws {
        try await withPage(Turnstile.html(siteKey: "0xAAA")) { (browser) async throws in
            #expect(try await browser.evaluate(Turnstile.resetScript) == true)
            #expect(try await browser.evaluate("window.resets.join()") == "widget-1")
        }
        try await withPage(Turnstile.html(siteKey: "0xAAA"), script: nil) {
            (browser) async throws in
            #expect(try await browser.evaluate(Turnstile.resetScript) == false)
        }
    }

    @Test("tells that the script did not load")
    func scriptFails() async throws {
        try await withPage(Turnstile.html(siteKey: "0xAAA"), script: nil) {
            (browser) async throws in
            #expect(try await messages(browser) == [.error(code: "script_load_failed")])
        }
    }

    @Test("tells that the widget refuses a site key or language")
    func renderFails() async throws {
        let script = TurnstilePageTests.standIn.replacingOccurrences(
            of: "window.asked.push", with: "throw new Error(); window.asked.push")
        try await withPage(Turnstile.html(siteKey: "odd"), script: script) {
            (browser) async throws in
            #expect(try await messages(browser) == [.error(code: "render_failed")])
        }
    }

    @Test("does nothing wrong where no app listens")
    func noHandler() async throws {
        try await withPage(Turnstile.html(siteKey: "0xAAA"), handler: nil) {
            (browser) async throws in
            _ = try await browser.evaluate("window.asked[0].options.callback('tok')")
        }
    }

    @Test("hands hostile values on as they are, and runs nothing of them")
    func hostile() async throws {
        let values = [
            "</script><script>window.hacked = 1</script>", "\"});window.hacked=1;({\"",
            "\\\"};window.hacked=1//",
            "<!--<script>", "]]>", "\u{2028}window.hacked=1\u{2029}", "${window.hacked=1}",
            "'\u{0}\n\r\t&lt;</SCRIPT >",
        ]
        for value in values {
            try await withPage(Turnstile.html(siteKey: value, action: value, language: value)) {
                (browser) async throws in
                for name in ["sitekey", "action", "language"] {
                    #expect(try await option(name, browser) == value)
                }
                #expect(
                    try await browser.evaluate("typeof window.hacked") == "undefined")
            }
        }
    }

    @Test("asks for one script, shows frames of the challenge only, and has nothing around it")
    func surroundings() async throws {
        try await withPage(Turnstile.html(siteKey: "0xAAA")) { (browser) async throws in
            #expect(
                await browser.requested.filter { !$0.hasSuffix("/favicon.ico") } == [
                    TurnstilePageTests.base,
                    TurnstilePageTests.api + "?render=explicit&onload=frontmailReady",
                ])
            let style = "getComputedStyle(document.body)"
            #expect(
                try await browser.evaluate(style + ".backgroundColor")
                    == "rgba(0, 0, 0, 0)")
            #expect(try await browser.evaluate(style + ".margin") == "0px")
            #expect(
                try await browser.evaluate("document.characterSet + document.compatMode")
                    == "UTF-8CSS1Compat")

            await browser.answer(
                "https://challenges.cloudflare.com/frame", with: ("text/html", "in"))
            await browser.answer("https://evil.example.test/", with: ("text/html", "out"))
            let frame = """
                new Promise(function (done) {
                  var frame = document.createElement("iframe");
                  document.addEventListener("securitypolicyviolation", function () { done("refused"); });
                  frame.onload = function () { done("loaded"); };
                  frame.src = "ADDRESS"; document.body.append(frame); })
                """
            let inside = frame.replacingOccurrences(
                of: "ADDRESS", with: "https://challenges.cloudflare.com/frame")
            let outside = frame.replacingOccurrences(
                of: "ADDRESS", with: "https://evil.example.test/")
            #expect(try await browser.evaluate(inside) == "loaded")
            #expect(try await browser.evaluate(outside) == "refused")
        }
    }
}
