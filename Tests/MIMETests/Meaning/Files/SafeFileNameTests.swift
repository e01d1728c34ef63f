import MartletBytes
import MartletMIME
import MartletTestSupport
import Testing

@Suite("Safe file names")
struct SafeFileNameTests {
    static let cases: [(String?, String?, String)] = [
        ("report.pdf", "application/pdf", "report.pdf"),
        ("../../etc/passwd", nil, "passwd"),
        ("C:\\Users\\me\\bill.doc", nil, "bill.doc"),
        ("/etc/", nil, "etc"),
        ("..", nil, "attachment"),
        ("/", "image/png", "attachment.png"),
        ("", "text/html", "attachment.html"),
        (nil, nil, "attachment"),
        (nil, "image/jpeg", "attachment.jpg"),
        (".bashrc", nil, "bashrc"),
        ("...x.", nil, "x"),
        ("a. . .", nil, "a"),
        ("CON", nil, "_CON"),
        ("nul.txt", nil, "_nul.txt"),
        ("Com1.tar.gz", nil, "_Com1.tar.gz"),
        ("lpt\u{B2}.log", nil, "_lpt\u{B2}.log"),
        ("CON.\u{301}x", nil, "_CON.\u{301}x"),
        ("console.log", nil, "console.log"),
        ("bill\u{202E}fdp.exe", nil, "billfdp.exe"),
        ("a\u{0}b\u{7}\r\nc.txt", nil, "ab c.txt"),
        ("a<b>:c?.txt", nil, "a_b__c_.txt"),
        ("a:b.txt", nil, "a_b.txt"),
        ("file.txt:stream", nil, "file.txt_stream"),
        ("two  \t spaces .pdf", nil, "two spaces .pdf"),
        ("-rf", nil, "_rf"),
        ("~root", nil, "_root"),
        ("Report v1.0", "application/pdf", "Report v1.0.pdf"),
        ("Report. And more", "application/pdf", "Report. And more.pdf"),
        ("photo", "image/jpeg", "photo.jpg"),
        ("photo", "application/octet-stream", "photo"),
        ("Прайс лист.xlsx", nil, "Прайс лист.xlsx"),
        ("👩‍👩‍👧.png", nil, "👩‍👩‍👧.png"),
    ]

    @Test("are made of any name", arguments: cases)
    func names(_ name: String?, _ type: String?, _ safe: String) {
        #expect(SafeFileName(name, typeName: type).text == safe)
    }

    @Test("keep their extension and whole characters when they are cut")
    func length() {
        let long = String(repeating: "a", count: 500) + ".pdf"
        let name = SafeFileName(long)
        #expect(name.text.utf8.count == 200)
        #expect(name.text.hasSuffix("aaa.pdf"))
        let family = SafeFileName(String(repeating: "👩‍👩‍👧", count: 100) + ".png")
        #expect(family.text.utf8.count <= 200 && family.text.hasSuffix("👩‍👩‍👧.png"))
        let marks = SafeFileName("a" + String(repeating: "\u{301}", count: 100_000))
        #expect(marks.text.utf8.count <= 200)
        #expect(SafeFileName(String(repeating: "/", count: 100_000)).text == "attachment")
    }

    @Test("are no device once they are cut, and never longer than any limit")
    func limits() {
        let joined = "CON" + String(repeating: "\u{200D}", count: 100) + "x"
        #expect(SafeFileName(joined, sizeLimitInOctets: 100).text == "_CON")
        #expect(SafeFileName("a.txt", sizeLimitInOctets: .max).text == "a.txt")
        #expect(SafeFileName("a.txt", sizeLimitInOctets: .min).text == "a.txt")
        let long = String(repeating: "é", count: 100) + ".extension_1"
        #expect(SafeFileName(long, sizeLimitInOctets: 32).text.utf8.count == 32)
    }

    @Test("have none of what is not safe, whatever is in the name")
    func anything() {
        let pieces = [
            "/", "\\", "..", ".", " ", "\u{0}", "\u{202E}", "\u{2066}", "\n", "CON", "aux", ":",
            "*", "a",
            "é", "e\u{301}", "\u{200D}", "👍🏽", "\u{FEFF}", "\u{E0041}", "\u{2028}", "~", "-", ".txt",
            String(repeating: "長", count: 90),
        ]
        for seed in 0..<2_000 as Range<UInt64> {
            var random = SeededGenerator(seed: seed)
            let name = (0..<Int.random(in: 0..<9, using: &random))
                .map { _ in pieces.randomElement(using: &random)! }.joined()
            let safe = SafeFileName(
                name, typeName: ["image/png", "", nil].randomElement(using: &random)!
            ).text
            #expect(!safe.isEmpty && safe.utf8.count <= 200, "seed \(seed)")
            #expect(
                !safe.hasPrefix(".") && !safe.hasPrefix(" ") && !safe.hasSuffix(".")
                    && !safe.hasSuffix(" "), "seed \(seed)")
            let forbidden = "/\\:*?\"<>|\u{202E}\u{2066}\u{FEFF}\u{2028}\u{E0041}"
            #expect(
                !safe.unicodeScalars.contains {
                    $0.value < 32 || forbidden.unicodeScalars.contains($0)
                }, "seed \(seed)")
            let base = safe.prefix { $0 != "." }.uppercased()
            #expect(!["CON", "AUX"].contains(base), "seed \(seed)")
            // What is safe already stays as it is.
            #expect(SafeFileName(safe).text == safe, "seed \(seed): \(safe)")
        }
    }
}

@Suite("Attached files")
struct AttachedFilesTests {
    @Test("have different names, also where case does not count")
    func unique() {
        var text = "Content-Type: multipart/mixed; boundary=b\n\n"
        for name in ["a.txt", "A.TXT", "a (2).txt", "a.txt", "b", "b"] {
            text += "--b\nContent-Disposition: attachment; filename=\"\(name)\"\n\nx\n"
        }
        let message = Message(parsing: Array((text + "--b--").utf8))
        #expect(
            message.attachedFiles.map(\.safeName) == [
                "a.txt", "A (2).TXT", "a (2) (2).txt", "a (3).txt", "b.txt", "b (2).txt",
            ])
        #expect(Set(message.attachedFiles.map { $0.safeName.lowercased() }).count == 6)
    }

    @Test("that are cut and numbered stay within the limit, in linear time")
    func cutAndNumbered() {
        var text = "Content-Type: multipart/mixed; boundary=b\n\n"
        let start = String(repeating: "n", count: 195)
        // Different names that are equal once there is room for a number, each of them twice.
        for index in 0..<4_000 {
            let name = start + String(index, radix: 36) + ".txt"
            for _ in 0..<2 {
                text += "--b\nContent-Disposition: attachment; filename=\"\(name)\"\n\nx\n"
            }
        }
        let message = Message(parsing: Array((text + "--b--").utf8))
        let clock = ContinuousClock()
        var names: [String] = []
        let duration = clock.measure { names = message.attachedFiles.map(\.safeName) }
        #expect(names.count == 8_000 && Set(names).count == 8_000)
        #expect(names.allSatisfy { $0.utf8.count <= 200 && $0.hasSuffix(".txt") })
        #expect(duration < .seconds(20))
    }

    @Test("of one name need linear time")
    func manyEqual() {
        let part = "--b\nContent-Disposition: attachment; filename=a.txt\n\nx\n"
        let text =
            "Content-Type: multipart/mixed; boundary=b\n\n" + String(repeating: part, count: 19_000)
        #expect(Message(parsing: Array(text.utf8)).attachedFiles.last?.safeName == "a (19000).txt")
    }

    @Test("say what they are")
    func values() throws {
        let message = lines(
            "Content-Type: multipart/mixed; boundary=b", "", "--b",
            "Content-Type: multipart/related; boundary=c", "", "--c", "Content-Type: text/html",
            "", "<img src='cid:logo@x'>", "--c", "Content-Type: image/png; name=logo.png",
            "Content-ID: <logo@x>", "Content-Transfer-Encoding: base64", "", "QUJD", "--c--", "--b",
            "Content-Type: application/pdf",
            "Content-Disposition: attachment; filename*=utf-8''na%C3%AFve.pdf", "", "pdf", "--b",
            "Content-Type: message/rfc822", "", "Subject: Re: v1.5/draft", "", "hi", "--b--")
        let files = message.attachedFiles
        #expect(files.map(\.safeName) == ["logo.png", "naïve.pdf", "Re_ v1.5_draft.eml"])
        #expect(files.map(\.isInline) == [true, false, false])
        #expect(files.map(\.contentID) == ["logo@x", nil, nil])
        #expect(files.map(\.sizeInOctets) == [3, 3, 27])
        #expect(
            files.map { String(decoding: $0.octets, as: UTF8.self) } == [
                "ABC", "pdf", "Subject: Re: v1.5/draft\n\nhi",
            ])
        #expect(files[1].name == "naïve.pdf")
    }

    @Test("are read in pieces that are the whole")
    func pieces() throws {
        var random = SeededGenerator(seed: 1)
        let octets = (0..<300_000).map { _ in UInt8.random(in: 0...255, using: &random) }
        let encoded = Base64.encode(octets)
        var text = Array(
            "Content-Disposition: attachment\nContent-Transfer-Encoding: base64\n\n".utf8)
        for start in stride(from: 0, to: encoded.count, by: 76) {
            text += encoded[start..<min(start + 76, encoded.count)] + [13, 10]
        }
        let file = try #require(Message(parsing: text).attachedFiles.first)
        var pieces: [Int] = []
        var all: [UInt8] = []
        let defects = file.read {
            pieces.append($0.count)
            all.append(contentsOf: $0)
        }
        #expect(all == octets)
        #expect(pieces.count > 4 && pieces.max()! <= 64 * 1024)
        #expect(defects.isEmpty)
        #expect(file.sizeInOctets == octets.count)
    }

    @Test("stop being read when the reader has enough")
    func stop() throws {
        struct Enough: Error {}
        let text = "Content-Disposition: attachment\n\n" + String(repeating: "x", count: 200_000)
        let file = try #require(Message(parsing: Array(text.utf8)).attachedFiles.first)
        var count = 0
        #expect(throws: Enough.self) {
            try file.read { (_: UnsafeRawBufferPointer) throws(Enough) in
                count += 1
                throw Enough()
            }
        }
        #expect(count == 1)
    }

    @Test("are what any encoding says, as `decodedBody` reads it")
    func encodings() {
        var random = SeededGenerator(seed: 7)
        for encoding in ["7bit", "base64", "quoted-printable", "x-uuencode", "bogus"] {
            for _ in 0..<20 {
                let body = (0..<Int.random(in: 0..<3_000, using: &random)).map { _ in
                    "QUJD=\r\n -3D ".utf8.randomElement(using: &random)!
                }
                let message = Message(
                    parsing: Array("Content-Transfer-Encoding: \(encoding)\n\n".utf8) + body)
                var octets: [UInt8] = []
                let defects = message.root.decodeBody { octets.append(contentsOf: $0) }
                let whole = message.root.decodedBody()
                #expect(octets == whole.value && defects == whole.defects)
            }
        }
    }

    @Test("of a base64 message are its octets")
    func encodedMessage() throws {
        let inner = Base64.encode(Array("Subject: in\n\nbody".utf8))
        let message = Message(
            parsing: Array(
                "Content-Type: multipart/mixed; boundary=b\n\n--b\nContent-Type: message/rfc822\nContent-Transfer-Encoding: base64\n\n"
                    .utf8)
                + inner + Array("\n--b--".utf8))
        let file = try #require(message.attachedFiles.first)
        #expect(file.safeName == "in.eml")
        #expect(String(decoding: file.octets, as: UTF8.self) == "Subject: in\n\nbody")
    }
}
