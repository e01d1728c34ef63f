import MartletFiles
import MartletTestSupport
import Testing

@Suite("Maildir name")
struct MaildirNameTests {
    @Test(
        "tells the part that never changes from flags and sizes",
        arguments: [
            ("1276533073.M242911P3632.host;2,FP", "1276533073.M242911P3632.host", "FP", nil, nil),
            ("1.2.host,S=1000,W=1030:2,RDF,", "1.2.host,S=1000,W=1030", "DFR", 1_000, 1_030),
            ("1.2.host,S=4542,W=4642!2,Sb", "1.2.host,S=4542,W=4642", "Sb", 4_542, 4_642),
            ("1.2.host:2,", "1.2.host", "", nil, nil), ("1.2.host", "1.2.host", "", nil, nil),
            ("1.2.host:1,x", "1.2.host", "", nil, nil), ("a:", "a", "", nil, nil),
            ("a;2,b;2,S", "a;2,b", "S", nil, nil), ("a;b!2:2,T", "a;b!2", "T", nil, nil),
            ("a,S=,W=12x:2,zZSaA1", "a,S=,W=12x", "ASZaz", nil, nil),
            ("a,S=99999999999999999999", "a,S=99999999999999999999", "", nil, nil),
            (":2,S", "", "S", nil, nil),
        ] as [(String, String, String, Int?, Int?)])
    func parts(text: String, unique: String, flags: String, size: Int?, sizeWithCRLF: Int?) throws {
        let name = try #require(MaildirName(text))
        #expect(Array(name.unique) == Array(unique.utf8))
        #expect(name.flags.text == flags)
        #expect(name.sizeInOctets == size)
        #expect(name.sizeWithCRLFInOctets == sizeWithCRLF)
        #expect(name.text == text)
    }

    @Test(
        "never leads anywhere else",
        arguments: [
            "", ".", "..", ".hidden", "../new/a", "a/b", "/etc/passwd", "a\u{0}b", "a/",
            String(repeating: "x", count: 256),
        ])
    func refused(text: String) { #expect(MaildirName(text) == nil) }

    @Test("may be any octets")
    func octets() throws {
        let octets: [UInt8] = [0xFF, 0x3A, 0x32, 0x2C, 0x53, 0xFE]
        let name = try #require(MaildirName(octets))
        #expect(name.octets == octets && name.flags == .seen)
        #expect(name.text == "\u{FFFD}:2,S\u{FFFD}")
    }
}

@Suite("Maildir flags")
struct MaildirFlagsTests {
    @Test("are letters in the order of ASCII")
    func text() {
        let all: MaildirFlags = [.seen, .draft, .flagged, .passed, .replied, .trashed]
        #expect(all.text == "DFPRST")
        #expect(all.union(MaildirFlags(letter: "b")).text == "DFPRSTb")
        #expect(MaildirFlags(letter: "1") == [] && MaildirFlags(letter: "é") == [])
        #expect(MaildirFlags(rawValue: .max).text.utf8.count == 52)
    }
}

@Suite("Maildir folder name")
struct MaildirFolderNameTests {
    @Test(
        "has parts",
        arguments: [
            (".A", ["A"]), (".A.B", ["A", "B"]), (".My Folder.Nested", ["My Folder", "Nested"]),
            (".Entw&APw-rfe", ["Entw&APw-rfe"]),
        ])
    func parts(text: String, parts: [String]) throws {
        let name = try #require(MaildirFolderName(Array(text.utf8)))
        #expect(name.components == parts && name.text == text)
        #expect(MaildirFolderName(components: parts) == name)
    }

    @Test(
        "never leads anywhere else",
        arguments: ["", ".", "..", "A", ".A.", ".A..B", "..A", ".A/B", "./A", ".\u{0}", ".A/../.."])
    func refused(text: String) { #expect(MaildirFolderName(Array(text.utf8)) == nil) }

    @Test(
        "cannot be made of parts that are none",
        arguments: [[], [""], ["a", ""], ["a.b"], ["a/b"], [".."], ["a\u{0}"]])
    func refusedParts(parts: [String]) { #expect(MaildirFolderName(components: parts) == nil) }
}
