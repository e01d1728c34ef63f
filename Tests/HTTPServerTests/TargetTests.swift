import MartletHTTPServer
import Testing

@Suite("HTTP target")
struct TargetTests {
    @Test(
        "is decoded part by part",
        arguments: [
            ("/", []), ("/a", ["a"]), ("/a/", ["a", ""]), ("//a", ["", "a"]),
            ("/a%2Fb/c", ["a/b", "c"]),
            ("/a+b%20c", ["a+b c"]), ("/%E2%82%AC", ["€"]), ("/a?x/y", ["a"]), ("*", []),
            ("http://a.test/b", ["b"]), ("HTTP://a.test:80", []), ("https://a.test?q", []),
            ("/...", ["..."]), ("/%c3%bc", ["ü"]),
        ])
    func path(text: String, components: [String]) throws {
        #expect(try #require(HTTPTarget(text)).components == components)
    }

    @Test(
        "that is malformed is none",
        arguments: [
            "", "a", "/%", "/%4", "/%zz", "/%G0", "/a b", "/a\r\nb", "/\0", "/%00", "/%FF", "/%C3",
            "/..",
            "/a/../b", "/.", "/a/%2e%2E/b", "/%2e", "/a#b", "/ü", "a.test:443", "http://",
            "http:///a",
            "http://u@a.test/", "ftp://a.test/", "/?%", "/?a=%", "/?a=%F", "/?%80=1", "/?a=%00",
            "\\a",
        ])
    func malformed(text: String) { #expect(HTTPTarget(text) == nil) }

    @Test("has the items of its query in order")
    func query() throws {
        let target = try #require(HTTPTarget("/a?x=1&y&x=a+b%2B&=e&z=&&k%3D=v=w"))
        #expect(
            target.queryItems == [
                .init(name: "x", value: "1"), .init(name: "y", value: nil),
                .init(name: "x", value: "a b+"), .init(name: "", value: "e"),
                .init(name: "z", value: ""), .init(name: "k=", value: "v=w"),
            ])
        #expect(target["x"] == "1")
        #expect(target["y"] == nil)
        #expect(target["none"] == nil)
        #expect(target.path == "/a")
        #expect(target.description == "/a?x=1&y&x=a+b%2B&=e&z=&&k%3D=v=w")
        #expect(HTTPTarget("http://a.test?q=1")?["q"] == "1")
    }
}
