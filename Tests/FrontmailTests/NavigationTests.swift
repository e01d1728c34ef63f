import Foundation
import Frontmail
import Testing

@Suite("Navigation")
struct NavigationTests {
    private let base = URL(string: "https://mobile.example.test")!

    private static let ownPages = [
        "https://mobile.example.test", "https://mobile.example.test/",
        "https://mobile.example.test/a?b#c", "HTTPS://MOBILE.Example.test/",
        "https://mobile.example.test:443/", "https://mobile.example.test:/",
    ]
    private static let otherPages = [
        "https://tracker.example/", "https://www.cloudflare.com/privacypolicy/",
        "https://mobile.example.test.evil.example/", "https://mobile.example.test@evil.example/",
        "https://u:p@mobile.example.test/", "https://mobile.example.test:8443/",
        "https://xchallenges.cloudflare.com/",
        "https://challenges.cloudflare.com.evil.example/", "https://mobile%2eexample.test/",
        #"https://mobile.example.test\@evil.example/"#,
    ]
    private static let nothing = [
        "http://mobile.example.test/", "http://challenges.cloudflare.com/", "javascript:alert(1)",
        "data:text/html,x", "file:///etc/passwd", "blob:https://mobile.example.test/u",
        "mailto:a@b.example", "intent://x", "https:example.test", "about:config", "about:blank#x",
        "/relative", "//mobile.example.test/",
    ]

    @Test(
        "The page, the challenge and its frames load",
        arguments: ownPages + [
            "https://challenges.cloudflare.com/cdn-cgi/x", "about:blank", "about:srcdoc",
            "about:srcdoc?x",
        ])
    func allowed(text: String) throws {
        let url = try #require(URL(string: text))
        for isTopFrame in [true, nil, false] {
            #expect(
                Turnstile.navigationAction(url: url, baseURL: base, isTopFrame: isTopFrame)
                    == .allow)
        }
    }

    @Test("Other pages open in the browser", arguments: otherPages)
    func external(text: String) throws {
        // What is no address at all cannot be asked for.
        guard let url = URL(string: text) else { return }
        for isTopFrame in [true, nil] {
            #expect(
                Turnstile.navigationAction(url: url, baseURL: base, isTopFrame: isTopFrame)
                    == .openExternally(url))
        }
        #expect(Turnstile.navigationAction(url: url, baseURL: base, isTopFrame: false) == .allow)
    }

    @Test("Anything else is not followed", arguments: nothing)
    func cancelled(text: String) throws {
        let url = try #require(URL(string: text))
        #expect(Turnstile.navigationAction(url: url, baseURL: base, isTopFrame: true) == .cancel)
        #expect(Turnstile.navigationAction(url: url, baseURL: base, isTopFrame: nil) == .cancel)
    }

    @Test("No address is not followed")
    func noAddress() {
        #expect(Turnstile.navigationAction(url: nil, baseURL: base, isTopFrame: true) == .cancel)
        #expect(Turnstile.navigationAction(url: nil, baseURL: base, isTopFrame: false) == .allow)
    }

    @Test("Messages of the page's origin are trusted")
    func trusted() throws {
        for text in NavigationTests.ownPages {
            #expect(Turnstile.isTrustedMessageOrigin(URL(string: text), baseURL: base))
        }
        for text in NavigationTests.otherPages + NavigationTests.nothing + [
            "https://challenges.cloudflare.com/cdn-cgi/x", "about:blank", "about:srcdoc",
        ] {
            #expect(!Turnstile.isTrustedMessageOrigin(URL(string: text), baseURL: base))
        }
        #expect(!Turnstile.isTrustedMessageOrigin(nil, baseURL: base))
        let form = try #require(URL(string: "https://Example.test/form"))
        #expect(
            Turnstile.isTrustedMessageOrigin(
                URL(string: "https://example.test/other"), baseURL: form))
        let port = try #require(URL(string: "https://example.test:443/"))
        #expect(
            Turnstile.isTrustedMessageOrigin(URL(string: "https://example.test/"), baseURL: port))
        let blank = try #require(URL(string: "about:blank"))
        #expect(!Turnstile.isTrustedMessageOrigin(blank, baseURL: blank))
    }
}
