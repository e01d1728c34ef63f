import Foundation
import Frontmail
import Testing

@Suite("Reply body")
struct ReplyBodyTests {
    private func value(_ text: String) -> FrontmailValue? {
        ReplyBody.members(of: Data("{\"x\":\(text)}".utf8))?["x"]
    }

    private static let values: [(String, FrontmailValue)] = [
        (#""""#, ""), (#""aé✉️""#, "aé✉️"), (#""\"\\\/\b\f\n\r\t""#, "\"\\/\u{8}\u{C}\n\r\t"),
        (#""\u00e9\u0000\u2028""#, "é\0\u{2028}"), (#""\ud83d\ude00\uD83D\uDE00""#, "😀😀"),
        (" \t\r\n1 ", 1), ("-0", 0), ("0", 0), ("-7", -7), ("2.0", 2), ("1e2", 100),
        ("0.5", 0.5), ("-1.25E-2", -0.0125), ("1e-999", 0),
        ("9223372036854775807", .int(.max)), ("-9223372036854775808", .int(.min)),
        ("9223372036854775808", .double(0x1p63)), ("1e300", .double(1e300)),
        ("true", true), ("false", false), ("null", nil), ("[]", []), ("{}", [:]),
        (#"[ 1 , [ ] , { "a" : [ null ] } ]"#, [1, [], ["a": [nil]]]),
        (#"{"a":1,"a":2}"#, ["a": 2]), (#"{"":{}}"#, ["": [:]]),
    ]

    @Test("is read value by value", arguments: values)
    func reads(text: String, expected: FrontmailValue) { #expect(value(text) == expected) }

    @Test("leaves a member out whose name is no Unicode")
    func oddName() { #expect(value(#"{"a\ud800":1,"b":2}"#) == ["b": 2]) }

    @Test("that begins with a byte order mark is read")
    func mark() {
        #expect(ReplyBody.members(of: Data([0xEF, 0xBB, 0xBF] + "{}".utf8)) == [:])
    }

    @Test(
        "that is no JSON is none",
        arguments: [
            "", "tru", "True", "nul", "nan", "Infinity", "'a'", "01", "-", "+1", ".5", "1.", "1e",
            "1e+", "0x1", "1 2", "[1,]", "[,1]", "[1", "]", "{\"a\"}", "{\"a\":}", "{\"a\":1,}",
            "{a:1}", "{1:2}", "[1 2]", "[1}", "{\"a\":1]", "\"", "\"a", "\"\\", "\"\\x\"",
            "\"\\u12\"", "\"\\u12g4\"", "\"\n\"", "\"\0\"", "1\0", "\u{B}1", "//\n1",
        ])
    func malformed(text: String) { #expect(value(text) == nil) }

    @Test("that is no object is none", arguments: ["[]", "1", "\"{}\"", "null", "{}{}", "{}x", ""])
    func other(text: String) { #expect(ReplyBody.members(of: Data(text.utf8)) == nil) }

    @Test("is read to its limit of nesting, and no deeper")
    func depth() {
        func nested(_ depth: Int) -> String {
            String(repeating: "[", count: depth) + String(repeating: "]", count: depth)
        }
        #expect(value(nested(ReplyBody.depthLimit - 1)) != nil)
        #expect(value(nested(ReplyBody.depthLimit)) == nil)
        #expect(value(String(repeating: "[", count: 200_000)) == nil)
        #expect(value(String(repeating: #"{"a":"#, count: 80_000)) == nil)
    }

    @Test("holds what was written, and what is changed by an octet is read as Foundation does")
    func laws() throws {
        var random = Generator(state: 7)
        for _ in 0..<2_000 {
            let value = FrontmailValue.object(["a": random.value(depth: 4)])
            var octets = try JSONEncoder().encode(value)
            #expect(ReplyBody.members(of: octets) == value.objectValue)
            // No letters, so that no number becomes one that Foundation refuses; no comma, which it takes behind a last member.
            let place = Int(random.next() % UInt64(octets.count))
            guard octets[place] < 0x80 else { continue }
            octets[place] = Array(#"{}[]":\ 09.-"#.utf8)[Int(random.next() % 12)]
            let theirs = try? JSONSerialization.jsonObject(with: octets) as? [String: Any]
            let text = String(decoding: octets, as: UTF8.self)
            #expect((ReplyBody.members(of: octets) == nil) == (theirs == nil), "\(text)")
        }
    }

    /// Numbers that are the same in each run.
    private struct Generator {
        var state: UInt64

        mutating func next() -> UInt64 {
            state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
            return state >> 33
        }

        mutating func value(depth: Int) -> FrontmailValue {
            switch next() % (depth == 0 ? 5 : 7) {
            case 0: .null
            case 1: .bool(next() % 2 == 0)
            case 2: .int(Int(next()) - 1 << 30)
            case 3: .double(Double(next()) / 1_024 + 0.000_1)
            case 4: .string(["", "a\"\\/", "é✉️", "\u{1}\n", "[{"][Int(next() % 5)])
            case 5: .array((0..<next() % 4).map { _ in value(depth: depth - 1) })
            default:
                .object(
                    Dictionary(
                        uniqueKeysWithValues: (0..<next() % 4).map {
                            ("k\($0)", value(depth: depth - 1))
                        }))
            }
        }
    }
}
