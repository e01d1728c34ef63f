import MartletText
import Testing

@Suite("Charset labels")
struct CharsetLabelTests {
    @Test(
        "are read as browsers read them",
        arguments: [
            ("utf-8", "utf-8 utf8 unicode-1-1-utf-8 unicode11utf8 unicode20utf8 x-unicode20utf8"),
            (
                "windows-1252",
                """
                ansi_x3.4-1968 ascii cp1252 cp819 csisolatin1 ibm819 iso-8859-1 iso-ir-100 iso8859-1 \
                iso88591 iso_8859-1 iso_8859-1:1987 l1 latin1 us-ascii x-cp1252
                """
            ),
            ("windows-1250", "cp1250 x-cp1250"), ("windows-1251", "cp1251 x-cp1251"),
            ("windows-1253", "cp1253 x-cp1253"), ("windows-1255", "cp1255 x-cp1255"),
            (
                "windows-1254",
                "cp1254 csisolatin5 iso-8859-9 iso-ir-148 iso_8859-9:1989 l5 latin5 x-cp1254"
            ),
            ("windows-1256", "cp1256 x-cp1256"), ("windows-1257", "cp1257 x-cp1257"),
            ("windows-1258", "cp1258 x-cp1258"),
            ("windows-874", "dos-874 iso-8859-11 iso8859-11 iso885911 tis-620"),
            ("iso-8859-2", "csisolatin2 iso-ir-101 iso8859-2 iso_8859-2:1987 l2 latin2"),
            ("iso-8859-3", "csisolatin3 iso-ir-109 l3 latin3"),
            ("iso-8859-4", "csisolatin4 iso-ir-110 iso_8859-4:1988 l4 latin4"),
            ("iso-8859-5", "csisolatincyrillic cyrillic iso-ir-144 iso_8859-5:1988"),
            (
                "iso-8859-6",
                """
                arabic asmo-708 csiso88596e csiso88596i csisolatinarabic ecma-114 iso-8859-6-e \
                iso-8859-6-i iso-ir-127
                """
            ),
            (
                "iso-8859-7",
                "csisolatingreek ecma-118 elot_928 greek greek8 iso-ir-126 sun_eu_greek"
            ),
            (
                "iso-8859-8",
                """
                csiso88598e csisolatinhebrew hebrew iso-8859-8-e iso-ir-138 visual csiso88598i \
                iso-8859-8-i logical
                """
            ),
            ("iso-8859-10", "csisolatin6 iso-ir-157 iso885910 l6 latin6"),
            ("iso-8859-13", "iso8859-13 iso885913"), ("iso-8859-14", "iso8859-14 iso885914"),
            ("iso-8859-15", "csisolatin9 iso_8859-15 l9"),
            ("koi8-r", "cskoi8r koi koi8 koi8_r"), ("koi8-u", "koi8-ru"),
            ("macintosh", "csmacintosh mac x-mac-roman"), ("x-mac-cyrillic", "x-mac-ukrainian"),
            ("ibm866", "866 cp866 csibm866"),
            ("utf-16", "csunicode iso-10646-ucs-2 ucs-2 unicode"),
            ("utf-16le", "unicodefeff"), ("utf-16be", "unicodefffe"),
        ])
    func browsers(name: String, labels: String) {
        for label in labels.split(separator: " ") {
            #expect(Charset(label: label)?.name == name, "\(label)")
        }
    }

    @Test(
        "that only mail has are known",
        arguments: [
            ("win-1251", "windows-1251"), ("WE8MSWIN1252", "windows-1252"),
            ("cp65001", "utf-8"), ("utf-7", "utf-7"), ("unicode-1-1-utf-7", "utf-7"),
            ("x-unicode-2-0-utf-7", "utf-7"), ("cp437", "ibm437"), ("IBM850", "ibm850"),
            ("csPC850Multilingual", "ibm850"), ("cp852", "ibm852"), ("UTF-32BE", "utf-32be"),
            ("x-mac-ce", "x-mac-ce"), ("VISCII", "viscii"), ("iso-ir-111", "iso-ir-111"),
        ])
    func mail(label: String, name: String) { #expect(Charset(label: label)?.name == name) }

    @Test(
        "may be spelled in every odd way",
        arguments: [
            "\"utf-8\"", "'UTF-8'", " utf-8 ", "UTF_8", "Utf8", "charset=utf-8",
            "charset=\"utf-8\"",
            "utf-8;", "x-utf-8", "csUTF8", "=utf-8", "utf 8", "\tutf-8\r\n",
        ])
    func spellings(label: String) { #expect(Charset(label: label) == .utf8) }

    @Test(
        "that say nothing are no charset",
        arguments: [
            "", " ", "\"\"", "unknown-8bit", "x-unknown", "default", "x-user-defined", "binary",
            "8bit", "charset", "charset=", "x-", "cs", "none", "utf-9", "ütf-8", ";utf",
            "windows-1252http-equivcontent-type", "iso-8859-12", "iso-8859-1iso-8859-1",
            String(repeating: "a", count: 100_000),
            String(repeating: "-", count: 100_000) + "utf-8",
        ])
    func unknown(label: String) { #expect(Charset(label: label) == nil) }

    @Test("are read from octets as well")
    func octets() {
        #expect(Charset(label: Array("latin1".utf8)[...]) == .windows1252)
        #expect(Charset(label: [0xFF, 0x80]) == nil)
    }
}
