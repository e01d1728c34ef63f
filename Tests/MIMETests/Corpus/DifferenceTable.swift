import MartletTestSupport
import Testing

/// What we read otherwise than others, by hand, with reasons: a section of `Differences.md`.
///
/// A difference that is not in the table fails the test, and so does a row that has become wrong.
struct DifferenceTable {
    /// What differs: `headers`, `bodies`, and so on, of a message.
    struct Difference: Hashable {
        var message: String
        var aspect: String
    }

    let section: String
    private var rows: [Difference: String] = [:]

    /// Reads the rows of a section: `| message | aspect | reason |`.
    init(_ section: String) throws {
        self.section = section
        let folder = "/" + #filePath.split(separator: "/").dropLast().joined(separator: "/")
        let document = text(try octets(ofFile: folder + "/Differences.md"))
        let sections = document.split(separator: "\n## ")
        let lines = try #require(sections.first { $0.hasPrefix(section + "\n") })
        for line in lines.split(separator: "\n") where line.hasPrefix("| `") {
            let cells = line.dropFirst(2).dropLast(2).split(separator: " | ")
            try #require(cells.count == 3, "\(line)")
            let message = cells[0].filter { $0 != "`" }
            for aspect in cells[1].split(separator: ", ") {
                let difference = Difference(message: message, aspect: String(aspect))
                #expect(rows.updateValue(String(cells[2]), forKey: difference) == nil, "\(line)")
            }
        }
    }

    /// Fails unless exactly the differences of the table were found.
    ///
    /// - Parameters:
    ///   - found: what was found, with words about it for a failure.
    ///   - messages: those that were compared; `nil` for all of the table.
    func check(
        _ found: [(message: String, aspect: String, details: String)],
        among messages: Set<String>? = nil
    ) {
        var left = Set(rows.keys.filter { messages?.contains($0.message) ?? true })
        for (message, aspect, details) in found {
            let difference = Difference(message: message, aspect: aspect)
            left.remove(difference)
            #expect(
                rows[difference] != nil,
                "not in the section \(section): | `\(message)` | \(aspect) | \(details)")
        }
        for row in left { Issue.record("no longer true: \(row.message) \(row.aspect)") }
    }

    /// The lines that differ first, for a failure.
    static func details(_ ours: String, _ theirs: String) -> String {
        let (ours, theirs) = (ours.split(separator: "\n"), theirs.split(separator: "\n"))
        let same = zip(ours, theirs).prefix { $0 == $1 }.count
        func shown(_ lines: [Substring]) -> String {
            lines.dropFirst(same).prefix(2).map { $0.prefix(100).debugDescription }
                .joined(separator: " ")
        }
        return "line \(same): \(shown(ours)) for \(shown(theirs))"
    }
}
