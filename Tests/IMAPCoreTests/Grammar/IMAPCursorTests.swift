import MartletBytes
import MartletIMAPCore
import MartletTestSupport
import Testing

@Suite("IMAP cursor")
struct IMAPCursorTests {
    static func cursor(_ text: String, isStrict: Bool = false, isUTF8: Bool = false) -> IMAPCursor {
        // Guards around it show what is read outside.
        let octets = Array("(\"".utf8) + Array(text.utf8) + Array("\") 77 {1}\r\n".utf8)
        return IMAPCursor(octets[2..<2 + text.utf8.count], isUTF8: isUTF8, isStrict: isStrict)
    }

    /// What a rule reads, and where it ends; or what was due, and where.
    static func read(
        _ text: String, isStrict: Bool = false, isUTF8: Bool = false,
        _ rule: (inout IMAPCursor) throws(ParseFailure) -> String?
    ) -> String {
        var cursor = cursor(text, isStrict: isStrict, isUTF8: isUTF8)
        do throws(ParseFailure) {
            let value = try rule(&cursor)
            return (value ?? "NIL") + " to \(cursor.offset)"
        } catch {
            return error.description
        }
    }

    @Test(
        "reads strings of all forms",
        arguments: [
            ("\"abc\" x", "abc to 5"), ("\"a\\\"b\\\\c\"", "a\"b\\c to 9"), ("\"\"", " to 2"),
            ("{3}\r\na\"b", "a\"b to 8"),
            ("{0}\r\n", " to 5"), ("{2+}\r\nab", "ab to 8"), ("~{2}\r\nab", "ab to 8"),
            ("{3}\nabc", "abc to 7"),
            ("\"a\\b\"", "a\\b to 5"), ("abc", "literal expected at octet 0"),
            ("\"abc", "quoted expected at octet 0"),
            ("{4}\r\nabc", "literal expected at octet 0"),
            ("{3\r\nabc", "literal expected at octet 0"),
            ("{99999999999999999999}\r\n", "literal expected at octet 0"),
            ("{-1}\r\n", "literal expected at octet 0"),
            ("\"abc\\\"", "quoted expected at octet 0"), ("\"abc\\", "quoted expected at octet 0"),
            ("", "literal expected at octet 0"),
        ])
    func strings(text: String, result: String) {
        #expect(
            Self.read(text) { cursor throws(ParseFailure) in try cursor.string().text } == result)
    }

    @Test(
        "reads strings or NIL",
        arguments: [
            ("NIL", "NIL to 3"), ("nil)", "NIL to 3"), ("NILS", "NILS to 4"), ("()", "NIL to 2"),
            ("\"NIL\"", "NIL to 5"),
            ("word)", "word to 4"), ("(a)", "nstring expected at octet 0"),
            ("", "nstring expected at octet 0"),
        ])
    func nstrings(text: String, result: String) {
        #expect(
            Self.read(text) { cursor throws(ParseFailure) in try cursor.nstring()?.text } == result)
    }

    @Test(
        "reads atoms and astrings",
        arguments: [
            ("abc def", "abc to 3", "abc to 3"), ("a]b", "a to 1", "a]b to 3"),
            ("[x", "[x to 2", "[x to 2"),
            ("\"q\"", "atom expected at octet 0", "q to 3"), ("a(b", "a to 1", "a to 1"),
            ("%", "atom expected at octet 0", "astring expected at octet 0"),
            ("ü", "ü to 2", "ü to 2"),
        ])
    func atoms(text: String, atom: String, astring: String) {
        #expect(Self.read(text) { cursor throws(ParseFailure) in try cursor.atom().text } == atom)
        #expect(
            Self.read(text) { cursor throws(ParseFailure) in try cursor.astring().text } == astring)
    }

    @Test("from a client takes only what the RFC allows")
    func strict() {
        func read(_ text: String, _ rule: (inout IMAPCursor) throws(ParseFailure) -> String?)
            -> String
        {
            Self.read(text, isStrict: true, rule)
        }
        #expect(
            read("ü") { cursor throws(ParseFailure) in try cursor.astring().text }
                == "astring expected at octet 0")
        #expect(
            Self.read("ü", isStrict: true, isUTF8: true) { cursor throws(ParseFailure) in
                try cursor.astring().text
            } == "ü to 2")
        #expect(
            read("\"a\r\nb\"") { cursor throws(ParseFailure) in try cursor.quoted().text }
                == "QUOTED-CHAR expected at octet 2")
        #expect(
            read("\"a\0b\"") { cursor throws(ParseFailure) in try cursor.quoted().text }
                == "QUOTED-CHAR expected at octet 2")
        #expect(
            read("\"\"\"\"") { cursor throws(ParseFailure) in try cursor.quoted().text } == " to 2")
        #expect(
            read("word") { cursor throws(ParseFailure) in try cursor.nstring()?.text }
                == "nstring expected at octet 0")
        #expect(
            read("()") { cursor throws(ParseFailure) in try cursor.nstring()?.text }
                == "nstring expected at octet 0")
        #expect(
            read("  x") { cursor throws(ParseFailure) in
                try cursor.space()
                return try cursor.atom().text
            } == "atom expected at octet 1")
        #expect(
            read("\\Seen)") { cursor throws(ParseFailure) in try cursor.flag().rawValue }
                == "\\Seen to 5")
        #expect(
            read("\\*") { cursor throws(ParseFailure) in try cursor.flag().rawValue }
                == "atom expected at octet 1")
        #expect(
            read("(a  b)") { cursor throws(ParseFailure) in "\(try cursor.flagList().count)" }
                == "atom expected at octet 3")
        #expect(
            read("[MIME]") { cursor throws(ParseFailure) in try cursor.section().description }
                == "section-msgtext expected at octet 5")
        #expect(
            read("\"17-Jul-1996\"") { cursor throws(ParseFailure) in try cursor.internalDate().text
            } == "date-time expected at octet 0")
    }

    @Test(
        "reads numbers within their ranges",
        arguments: [
            ("0", "0 to 1", "nz-number expected at octet 0"), ("007", "7 to 3", "7 to 3"),
            ("4294967295", "4294967295 to 10", "4294967295 to 10"),
            ("4294967296", "number expected at octet 0", "number expected at octet 0"),
            ("18446744073709551616", "number expected at octet 0", "number expected at octet 0"),
            ("x", "number expected at octet 0", "number expected at octet 0"),
        ])
    func numbers(text: String, number: String, nzNumber: String) {
        #expect(
            Self.read(text) { cursor throws(ParseFailure) in "\(try cursor.number())" } == number)
        #expect(
            Self.read(text) { cursor throws(ParseFailure) in "\(try cursor.nzNumber())" }
                == nzNumber)
    }

    @Test(
        "passes over values",
        arguments: [
            ("a b", "a to 1"), ("(a (b) \")\") c", "(a (b) \")\") to 11"),
            ("\"a b\" c", "\"a b\" to 5"),
            ("{3}\r\n) ( c", "{3}\r\n) ( to 8"), ("(a", "NIL to 0"), ("\"a", "NIL to 0"),
            (")", "NIL to 0"), ("", "NIL to 0"),
            ("a(b c)d e", "a(b c)d to 7"), ("({9}\r\n)", "({9}\r\n) to 7"),
        ])
    func values(text: String, result: String) {
        #expect(
            Self.read(text) { cursor throws(ParseFailure) in cursor.anyValue().map(\.text) }
                == result)
    }

    @Test(
        "reads sections",
        arguments: [
            "", "HEADER", "TEXT", "1", "1.2.3", "1.MIME", "1.2.HEADER",
            "HEADER.FIELDS (Subject \"a b\")",
            "2.HEADER.FIELDS.NOT (To)", "4294967295.TEXT",
        ])
    func sections(text: String) {
        let result = Self.read("[\(text)]") { cursor throws(ParseFailure) in
            try cursor.section().description
        }
        #expect(result == "\(text) to \(text.utf8.count + 2)")
        #expect(
            PartNumber("1.2") == PartNumber([1, 2]) && PartNumber("") == nil
                && PartNumber("1.") == nil)
        #expect(
            PartNumber("0") == nil && PartNumber("1.x") == nil && PartNumber("4294967296") == nil)
    }

    @Test(
        "refuses what is no section",
        arguments: [
            "[1.]", "[.1]", "[0]", "[1.FOO]", "[HEADER.FIELDS]", "[HEADER.FIELDS ()", "[", "[1",
            "[TEXT", "[1 2]",
            "[" + String(repeating: "1.", count: 1_000) + "1]",
        ])
    func noSection(text: String) {
        #expect(throws: ParseFailure.self) {
            var cursor = Self.cursor(text)
            _ = try cursor.section()
        }
    }
}
