import Foundation
import MartletBytes
import MartletTestSupport
import Testing

@testable import MartletMIME

/// The header tests that come with another parser.
@Suite("Another parser's header values", .corpus("mail-parser/unstructured.json"))
struct HeaderCorpusTests {
    private struct Example {
        var header: [UInt8]
        var expected: Any?
    }

    private func examples(_ name: String) throws -> [Example] {
        let data = Data(try Corpus.octets("mail-parser/" + name))
        let json = try JSONSerialization.jsonObject(with: data)
        return try #require(json as? [[String: Any]]).map {
            Example(header: Array(($0["header"] as? String ?? "").utf8), expected: $0["expected"])
        }
    }

    /// Expects what the other says in all examples but those in `explained`, which have a reason.
    private func compare(
        _ name: String, explained: [ClosedRange<Int>: String], ours: (Example) -> String,
        theirs: (Example) -> String
    ) throws {
        let reasons = explained.keys.reduce(into: Set<Int>()) { $0.formUnion($1) }
        for (index, example) in try examples(name).enumerated() {
            let isSame = ours(example) == theirs(example)
            #expect(
                isSame != reasons.contains(index),
                "\(name) \(index): \(ours(example).debugDescription)")
        }
    }

    @Test("are read as unstructured text")
    func unstructured() throws {
        try compare(
            "unstructured.json",
            explained: [
                2...2: "a fold takes its line break only, RFC 5322 §2.2.3: other blanks stay",
                3...3: "the same, and two fields where one is asked for",
                4...4: "the same as 2", 11...11: "two fields where one is asked for",
                19...19: "the same as 2", 21...22: "no space is made up next to a word",
                27...28: "the same as 21",
            ]
        ) {
            HeaderText.decode($0.header[...]).value
        } theirs: {
            $0.expected as? String ?? ""
        }
    }

    @Test("are read as message IDs")
    func messageIDs() throws {
        try compare(
            "id.json",
            explained: [
                3...3: "an empty line inside of a value does not end it",
                6...6: "blanks and comments inside of an ID are no part of it, RFC 5322 §4.5.4",
            ]
        ) {
            MessageReference.parseList($0.header[...]).value.map(\.text).description
        } theirs: {
            ($0.expected as? [String] ?? []).description
        }
    }

    @Test("are read as content types")
    func contentTypes() throws {
        let missing = "without a type, that of a part without the field holds"
        try compare(
            "content_type.json",
            explained: [
                34...34: "blanks between encoded words are dropped inside of quotes too",
                40...43: missing, 47...48: "a name has no equals sign", 54...54: "a type is ASCII",
                58...58: "the same as 47",
                59...59: "a name with a misplaced star is kept, and NUL does not come out",
                61...61: "the same as 59", 62...66: missing, 70...72: missing,
                76...78: "a subtype has no slash",
            ]
        ) { example in
            let isDisposition = (example.expected as? [String: Any]).map {
                $0["c_subtype"] is NSNull
            }
            if isDisposition == true {
                let field = ContentDispositionField.parse(example.header[...]).value
                return Self.describe(field.kind.name, field.parameters)
            }
            let field = ContentTypeField.parse(example.header[...]).value
            return Self.describe(field.description, field.parameters)
        } theirs: { example in
            let expected = example.expected as? [String: Any] ?? [:]
            let type = [expected["c_type"], expected["c_subtype"]].compactMap { $0 as? String }
            let attributes = (expected["attributes"] as? [[String]] ?? [])
                .filter { !$0[0].hasSuffix("-language") }
            return Self.describe(
                type.joined(separator: "/"),
                HeaderParameters(attributes.map { .init(name: $0[0], value: $0[1]) }))
        }
    }

    /// The order of parameters says nothing.
    private static func describe(_ type: String, _ parameters: HeaderParameters) -> String {
        ([type] + parameters.map { $0.name + "=" + $0.value }.sorted()).joined(separator: "; ")
    }
}
