import MartletBytes
import MartletMIME
import MartletTestSupport
import Testing

/// Archives of other programs with what another reader finds in them, in `mimekit/tnef` of the corpus.
///
/// Texts there have lost the CR of their line ends, so that ours are compared without them. Where we differ:
///
/// | archive | there | here | why |
/// |---|---|---|---|
/// | christmas | two files of 89 octets | not there | they only say that the object beside them cannot be held by old programs |
/// | christmas | `Untitled Attachment` | the subject of the message | every attached message is called so; its display name tells |
/// | christmas | – | the file of the attached appointment | messages in messages are read too |
/// | winmail, MAPI_OBJECT | objects with 16 octets in front | without | those are the number of the interface, and no part of the object |
/// | panic | HTML in Latin-1 | HTML as text | its code page is known |
/// | winmail | `Untitled Attachment` | `Picture (Device Independent Bitmap)` | the display name tells |
@Suite("TNEF of the corpus", .corpus("mimekit/tnef"))
struct TNEFCorpusTests {
    struct Case: Sendable, CustomTestStringConvertible {
        let name: String
        /// Name, and the file there with the same octets where that has another name.
        let files: [(name: String, there: String)]
        var bodies: [String] = []
        var defects: [Defect.Kind] = []
        var testDescription: String { name }

        init(
            _ name: String, _ files: [String], _ bodies: [String] = [],
            called: [String: String] = [:],
            defects: [Defect.Kind] = []
        ) {
            self.name = name
            self.files = files.map { ($0, called[$0] ?? $0) }
            self.bodies = bodies
            self.defects = defects
        }
    }

    static let cases: [Case] = [
        Case(
            "MAPI_ATTACH_DATA_OBJ",
            ["VIA_Nytt_1402.doc", "VIA_Nytt_1402.pdf", "VIA_Nytt_14021.htm"],
            ["message.rtf"]),
        Case("MAPI_OBJECT", ["Untitled_Attachment"], ["message.rtf"]),
        Case("attachments", ["zappa_av1.jpg", "bookmark.htm"], ["message.rtf"]),
        Case("body", [], ["message.html"]),
        Case(
            "christmas",
            [
                "kitten-playing-with-a-christmas-tree.jpg", "Build a train table",
                "Christmas Celebration!",
                "kitten-playing-with-a-christmas-tree.jpg",
            ], ["message.rtf"],
            called: [
                "Build a train table": "Untitled Attachment.2",
                "Christmas Celebration!": "Untitled Attachment.4",
            ]),
        Case("data-before-name", ["AUTOEXEC.BAT", "CONFIG.SYS", "boot.ini"], ["message.rtf"]),
        Case("garbage-at-end", [], defects: [.invalidTNEF]),
        Case("long-filename", ["allproductsmar2000.dat"], ["message.rtf"]),
        Case(
            "missing-filenames",
            ["generpts.src", "TechlibDEC99.doc", "TechlibDEC99-JAN00.doc", "TechlibNOV99.doc"],
            ["message.rtf"]),
        Case("multi-name-property", []),
        Case("multi-value-attribute", ["208225__5_seconds__Voice_Mail.mp3"], ["message.rtf"]),
        Case("one-file", ["AUTHORS"]),
        Case(
            "panic", ["image001.jpg", "image002.jpg", "image003.png"], ["message.html"],
            defects: [.invalidTNEF]),
        Case("rtf", [], ["message.rtf"]),
        Case("triples", [], ["message.rtf", "message.txt"]),
        Case("two-files", ["AUTHORS", "README"]),
        Case(
            "unicode-mapi-attr-name",
            ["spaconsole2.cfg", "image001.png", "image002.png", "image003.png"],
            ["message.html"]),
        Case("unicode-mapi-attr", ["example.dat"], ["message.html"]),
        Case(
            "winmail",
            ["Picture (Device Independent Bitmap)", "Picture (Device Independent Bitmap)"],
            ["message.rtf"]),
    ]

    @Test("has the files and bodies that are beside it", arguments: cases)
    func archive(_ test: Case) throws {
        let octets = try Corpus.octets("mimekit/tnef/\(test.name).tnef")
        let parsed = TNEF.parse(octets)
        let tnef = try #require(parsed.value)
        #expect(parsed.defects.map(\.kind) == test.defects)
        #expect(tnef.files.map(\.name) == test.files.map(\.name))
        for (index, file) in tnef.files.enumerated() {
            var content = tnef.octets(of: file)
            var there = "mimekit/tnef/\(test.name)/\(test.files[index].there)"
            if file.kind == .object {
                // The number of IStorage.
                content = [0x0B, 0, 0, 0, 0, 0, 0, 0, 0xC0, 0, 0, 0, 0, 0, 0, 0x46] + content
                if test.name == "winmail" {
                    there = "mimekit/tnef/winmail/Untitled Attachment.\(index + 1)"
                }
            }
            #expect(isSame(content, try? Corpus.octets(there)), "\(there)")
        }
        let message = tnef.messages[0]
        let bodies = [
            "message.rtf": message.rtf, "message.html": message.html.map { Array($0.utf8) },
            "message.txt": message.text.map { Array($0.utf8) },
        ]
        #expect(bodies.filter { $0.value != nil }.map(\.key).sorted() == test.bodies)
        for name in test.bodies {
            let there = try? Corpus.octets("mimekit/tnef/\(test.name)/\(name)")
            let text = there.map { String(String.UnicodeScalarView($0.map { Unicode.Scalar($0) })) }
            let latin1 = text.map { Array($0.utf8) }
            #expect(isSame(bodies[name]!!, there) || isSame(bodies[name]!!, latin1), "\(name)")
        }
    }

    private func isSame(_ octets: [UInt8], _ there: [UInt8]?) -> Bool {
        guard let there else { return false }
        return octets == there || octets.filter { $0 != 0x0D } == there.filter { $0 != 0x0D }
    }

    @Test("in messages is found and unpacked")
    func messages() throws {
        let task = Message(parsing: try Corpus.octets("mimekit/tnef/rich-text.eml"))
        #expect(
            task.attachedFiles.map(\.safeName) == [
                "kitten-playing-with-a-christmas-tree.jpg", "Build a train table.dat",
                "Christmas Celebration!.dat", "kitten-playing-with-a-christmas-tree (2).jpg",
            ])
        #expect(task.attachedFiles.map(\.sizeInOctets) == [375_081, 6_508, 385_301, 375_081])
        let plain = Message(parsing: try Corpus.octets("mimekit/tnef/ukr.eml"))
        #expect(plain.attachedFiles.map(\.safeName) == ["winmail.dat"])
        #expect(plain.previewText().hasPrefix("шостий"))
    }
}
