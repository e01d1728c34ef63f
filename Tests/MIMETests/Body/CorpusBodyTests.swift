import MartletBytes
import MartletTestSupport
import Testing

@testable import MartletMIME

@Suite("Bodies of the corpus", .corpus("mimekit/encoders"), .corpus("mimekit/yenc"))
struct CorpusBodyTests {
    @Test("a photograph is the same in base64 and uuencode")
    func photo() throws {
        let photo = try Corpus.octets("mimekit/encoders/photo.jpg")
        let base64 = Base64.decodeLenient(try Corpus.octets("mimekit/encoders/photo.b64"))
        #expect(base64.octets == photo && base64.report.isClean)
        for name in ["mimekit/encoders/photo.uu", "mimekit/encoders/photo.uu-states"] {
            let found = EmbeddedFile.find(in: try Corpus.octets(name))
            #expect(found.value.map(\.name) == ["photo.jpg"])
            #expect(found.value.first?.octets == photo)
            #expect(found.defects.isEmpty)
        }
    }

    @Test("a page in quoted-printable is the page")
    func page() throws {
        let page = QuotedPrintable.decodeLenient(try Corpus.octets("mimekit/encoders/wikipedia.qp"))
        #expect(page.octets == (try Corpus.octets("mimekit/encoders/wikipedia.txt")))
        #expect(page.report.isClean)
    }

    @Test("the parts of a yEnc file put together are the file, and their checksums are right")
    func yEnc() throws {
        var joined: [UInt8] = []
        for name in ["00000020", "00000021"] {
            let part = YEnc.decode(try Corpus.octets("mimekit/yenc/\(name).ntx"))
            #expect(part.defects.isEmpty)
            #expect(part.value.part?.offset == joined.count)
            joined += part.value.octets
        }
        #expect(joined == (try Corpus.octets("mimekit/yenc/joystick.jpg")))
        for name in ["simple.msg", "state-changes.ntx"] {
            let file = YEnc.decode(try Corpus.octets("mimekit/yenc/\(name)"))
            #expect(file.value.name == "testfile.txt" && file.value.octets.count == 584)
            #expect(file.defects.isEmpty)
        }
    }

    @Test("files in the mailbox of real mail are found, to their ends")
    func mailbox() throws {
        // Two of these messages are cut off, and the backslashes of all became yen signs.
        let names = try [134, 35, 68, 25, 24, 141, 133, 146].flatMap { message in
            let text = try Corpus.octets("mailcore2/parser/input/mbox/jwz/\(message)")
            return EmbeddedFile.find(in: text).value.map { file in
                let isEnded = text[file.range].suffix(4).elementsEqual("end\n".utf8)
                return isEnded ? file.name : file.name + ", cut off"
            }
        }
        #expect(
            names == [
                "bug1.ras.Z", "bug2.ras.Z", "ind_111.jpg", "jesica.bmp", "3dom21.jpg, cut off",
                "3dom22.jpg, cut off", "one.gif", "two.gif", "three.gif", "four.gif", "bug1.ras.Z",
                "bug2.ras.Z", "overview.htm", "omv1.gif", "events.htm", "textrange.htm",
                "content.gif",
            ])
    }
}
