@testable import MartletCommandLineParsing
import Testing

@Suite("HOST:PORT")
struct HostAndPortTests {
    @Test(
        "is read and written",
        arguments: [
            ("mail.example.org:465", "mail.example.org", 465), ("[::1]:2525", "::1", 2525),
            ("127.0.0.1:1", "127.0.0.1", 1), ("bücher.example:65535", "bücher.example", 65_535),
            ("[fe80::1%eth0]:25", "fe80::1%eth0", 25), ("localhost:587", "localhost", 587),
        ])
    func good(text: String, host: String, port: Int) throws {
        let value = try HostAndPort(text)
        #expect(value == HostAndPort(host: host, port: port))
        #expect(value.description == text)
    }

    @Test(
        "that is none is refused with what to write",
        arguments: [
            ("", "lacks a port"), ("mail.example.org", "lacks a port"), (":25", "lacks a host"),
            ("mail.example.org:", "does not end in a port from 1 to 65535"),
            ("mail.example.org:0", "a port from 1 to 65535"), ("a:65536", "a port from 1 to 65535"),
            ("a:-1", "a port from 1 to 65535"), ("a:+1", "a port"), ("a:２５", "a port"),
            ("a:99999999999999999999", "a port"), ("::1", "write an IPv6 address as [::1]:PORT"),
            ("::1:25", "write an IPv6 address as [::1]:PORT"), ("[::1", "lacks its \"]\""),
            ("[::1]", "lacks a port"), ("[::1]25", "lacks a port"), ("[]:25", "no IPv6 address"),
            ("[example.org]:25", "no IPv6 address"), ("smtp://a:25", "write HOST:PORT only"),
            ("user@host:25", "name or address of a host"), ("a b:25", "name or address of a host"),
            ("a\r\nb:25", "name or address"), ("a\u{0}:25", "name or address"),
            (String(repeating: "a", count: 2_000) + ":25", "name or address"),
        ])
    func bad(text: String, words: String) {
        let problem = #expect(throws: ValueProblem.self) { try HostAndPort(text) }
        #expect(problem?.words.contains(words) == true, "\(problem?.words ?? "")")
    }
}

@Suite("Near miss")
struct NearMissTests {
    @Test(
        "finds what was probably meant, and nothing far-fetched",
        arguments: [
            ("sever", "server"), ("serv", "server"), ("subjetc", "subject"), ("SUBJECT", "subject"),
            ("s", nil), ("", nil), ("zebra", nil), ("jsno", "json"), ("ccc", "cc"),
        ] as [(String, String?)])
    func suggestions(word: String, expected: String?) {
        #expect(nearest(to: word, among: ["server", "subject", "json", "cc"]) == expected)
    }
}
