import MartletText
import Testing

@Suite("Encodings with shifts")
struct StatefulDecodingTests {
    @Test(
        "switch between their sets",
        arguments: [
            ("iso-2022-jp", "\u{1B}$BF|K\\8l\u{1B}(B ok", "日本語 ok"),
            ("iso-2022-jp", "\u{1B}$@F|\u{1B}(J\\~\u{1B}(I1\u{1B}(H\\", "日¥‾ｱ¥"),
            ("csISO2022JP", "\u{1B}$BF|\u{1B}(B\u{1B}$BK\\\u{1B}(B\u{1B}(B", "日本"),
            ("iso-2022-jp-1", "\u{1B}$(D0!\u{1B}(B", "丂"),
            (
                "iso-2022-jp-2",
                "\u{1B}$(CGQ\u{1B}$B&A\u{1B}$A::\u{1B}(B\u{1B}.A\u{1B}Ni\u{1B}.F\u{1B}Nai",
                "한α汉éαi"
            ),
            ("iso-2022-jp-3", "\u{1B}$(Q$w.\"\u{1B}(B\u{1B}$(O$w", "か\u{309A}\u{2000B}か\u{309A}"),
            ("iso-2022-jp-ms", "a\u{0E}1\u{0F}b", "aｱb"),
            // Left open by one line, and open at the end
            ("iso-2022-jp", "\u{1B}$BF|\r\nabc", "日\r\nabc"), ("iso-2022-jp", "\u{1B}$BF|", "日"),
            ("iso-2022-jp", "\u{1B}$BF| F|\u{1B}(B", "日 日"), ("iso-2022-jp", "a~b", "a~b"),
            ("iso-2022-kr", "\u{1B}$)Ca\u{0E}GQ19\u{0F}b\r\n\u{0E}GQ\nb", "a한국b\r\n한\nb"),
            ("iso-2022-cn", "\u{1B}$)A\u{0E}::WV\u{0F}a\u{1B}$)G\u{0E}iGGs\u{0F}", "汉字a漢字"),
            ("iso-2022-cn", "\u{1B}$*H\u{1B}N!&a", "万a"),
            ("hz-gb-2312", "~{::WV~}A~~~\nB~\r\nC\n~{::\nD", "汉字A~BC\n汉\nD"),
        ])
    func sets(label: String, octets: String, text: String) throws {
        let decoded = try #require(Charset(label: label)).decode(Array(octets.utf8))
        #expect(Array(decoded.text.unicodeScalars) == Array(text.unicodeScalars))
        #expect(decoded.malformedCount == 0)
        #expect(decoded.firstMalformedOffset == nil)
    }

    @Test(
        "count what is none of a set",
        arguments: [
            ("iso-2022-jp", "a\u{1B}(Zb", "a\u{FFFD}(Zb", 1, 1),
            ("iso-2022-jp", "\u{1B}", "\u{FFFD}", 1, 0),
            ("iso-2022-jp", "\u{1B}$BF\u{1B}(Ba", "\u{FFFD}a", 1, 3),
            ("iso-2022-jp", "\u{1B}$BF\r\na", "\u{FFFD}\r\na", 1, 3),
            ("iso-2022-jp", "\u{1B}$B/~", "\u{FFFD}", 1, 3),
            ("iso-2022-jp", "\u{1B}(I`1", "\u{FFFD}ｱ", 1, 3),
            ("iso-2022-jp", "\u{1B}Na", "\u{FFFD}a", 1, 0),
            ("iso-2022-kr", "\u{1B}(Za", "\u{FFFD}(Za", 1, 0),
            ("iso-2022-cn", "\u{1B}N!&", "\u{FFFD}", 1, 0), ("hz", "~a~{::", "~a汉", 1, 0),
            ("hz", "~{x~}a", "\u{FFFD}a", 1, 2),
        ])
    func malformed(label: String, octets: String, text: String, count: Int, offset: Int) throws {
        let decoded = try #require(Charset(label: label)).decode(Array(octets.utf8))
        #expect(decoded.text == text)
        #expect(decoded.malformedCount == count)
        #expect(decoded.firstMalformedOffset == offset)
    }

    @Test(
        "have no octets above 127", arguments: ["iso-2022-jp", "iso-2022-kr", "iso-2022-cn", "hz"])
    func high(label: String) throws {
        let decoded = try #require(Charset(label: label)).decode([0x61, 0xB0, 0x62])
        #expect(decoded.text == "a\u{FFFD}b")
        #expect(decoded.malformedCount == 1)
    }

    @Test(
        "are found by their escapes where there is no label",
        arguments: [
            ("iso-2022-jp", "plain text \u{1B}$BF|\u{1B}(B"), ("iso-2022-jp", "\u{1B}\u{1B}(JA"),
            ("iso-2022-kr", "\u{1B}$)C\u{0E}GQ"), ("utf-8", "\u{1B}[31mred\u{1B}[0m"),
            ("utf-8", "\u{1B}"),
        ])
    func unlabelled(name: String, octets: String) {
        #expect(Charset.decodeUnlabelled(Array(octets.utf8)).charset.name == name)
    }

    @Test("are not guessed where the octets are not of 7 bits")
    func unlabelledHigh() {
        let octets = Array("\u{1B}$BF|\u{1B}(B".utf8) + [0xE9]
        #expect(Charset.decodeUnlabelled(octets).charset == .windows1252)
    }
}
