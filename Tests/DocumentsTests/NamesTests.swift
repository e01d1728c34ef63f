import Testing

@Suite("Names in documents")
struct NamesTests {
    @Test("of files and folders exist", arguments: Repository.documents)
    func files(document: String) throws {
        for span in try Markdown(of: document).codeSpans {
            guard span.wholeMatch(of: #/[\w.+\/-]+/#) != nil, span.contains("/") else { continue }
            guard !span.hasPrefix("."), !span.contains("//") else { continue }  // made by a build
            let isOurs =
                span.hasSuffix("/") || span.contains(#/\.(swift|txt|md|sh)$/#)
                || span.hasPrefix("Scripts/")
            guard isOurs else { continue }
            #expect(Repository.has(span), "\(document): there is no \(span)")
        }
    }

    @Test("of make's targets exist", arguments: Repository.documents)
    func targets(document: String) throws {
        let makefile = try Repository.text("Makefile")
        let text = try Repository.text(document)
        let named = text.matches(of: #/(?:^    |`)make ([\w-]+)/#.anchorsMatchLineEndings()).map(
            \.1)
        if document == "README.md" { #expect(named.contains("run") && named.contains("test")) }
        for target in named {
            #expect(makefile.contains("\n\(target):"), "\(document): no target \(target)")
        }
    }

    @Test("of quirks are those that the code marks")
    func quirks() throws {
        var marked: Set<Substring> = []
        for path in Repository.paths where path.hasPrefix("Sources/") && path.hasSuffix(".swift") {
            marked.formUnion(try Repository.text(path).matches(of: #/QUIRK\(([\w-]+)\)/#).map(\.1))
        }
        let text = try Repository.text("RFCs.md")
        let listed = text.matches(of: #/^\| `([\w-]+)` \|/#.anchorsMatchLineEndings()).map(\.1)
        #expect(marked == Set(listed))
    }

    @Test("of a limit have the value that the code has")
    func limits() throws {
        let rows = try Markdown(of: "ARCHITECTURE.md").rows.filter { row in
            row.count == 4 && row[3].hasSuffix(".swift`")
        }
        #expect(rows.count > 50)
        for row in rows {
            let (name, value) = (row[0].dropFirst().dropLast(), row[1].dropFirst().dropLast())
            let source = try Repository.text("Sources/" + row[3].dropFirst().dropLast())
            let found = source.matches(of: #/(?:let|var) (\w+)(?:: \w+)? = ([^\n]+)\n/#)
                .filter { $0.1 == name }.map(\.2)
            #expect(found.contains(value), "\(name) is \(found), not \(value)")
        }
    }

    @Test("of all limits of reading are in the table")
    func readingLimits() throws {
        let path = "MIME/Parsing/MIMELimits.swift"
        let rows = try Markdown(of: "ARCHITECTURE.md").rows.filter { $0.count == 4 }
        let listed = Set(rows.map { "\($0[0]) \($0[3])" })
        let limits = try Repository.text("Sources/" + path).matches(of: #/public var (\w+)/#)
        #expect(limits.count > 10)
        for limit in limits { #expect(listed.contains("`\(limit.1)` `\(path)`")) }
    }

    @Test("of all public limits are in the table")
    func allLimits() throws {
        let rows = try Markdown(of: "ARCHITECTURE.md").rows.filter { $0.count == 4 }
        let listed = Set(rows.map { "\($0[0]) \($0[3])" })
        for path in Repository.paths.sorted()
        where path.hasPrefix("Sources/") && path.hasSuffix(".swift") {
            // not the words of a protocol, such as a code that is called "rate_limited"
            let limit =
                #/public static let (\w*(?:[lL]imit|maximum)\w*)(?! = (?:Self|Capability|Options)\()\b/#
            for match in try Repository.text(path).matches(of: limit) {
                #expect(
                    listed.contains("`\(match.1)` `\(path.dropFirst(8))`"),
                    "ARCHITECTURE.md does not have \(match.1) of \(path)")
            }
        }
    }
}
