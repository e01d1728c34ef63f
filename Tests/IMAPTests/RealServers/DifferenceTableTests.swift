import MartletIMAP
import MartletTestSupport
import Testing

@Suite("Differences.md")
struct DifferenceTableTests {
    /// The rows of a section, without its head.
    private static func rows(of section: String, in text: String) -> [[String]] {
        let parts = text.split(separator: "\n## ")
        guard let part = parts.first(where: { $0.hasPrefix(section) }) else { return [] }
        return part.split(separator: "\n").filter { $0.hasPrefix("| ") }.dropFirst().map { line in
            line.dropFirst(2).dropLast(2).split(separator: " | ").map(String.init)
        }
    }

    private static func text(of path: String) throws -> String {
        let folder = #filePath.prefix(upTo: #filePath.lastIndex(of: "/") ?? #filePath.startIndex)
        return String(decoding: try octets(ofFile: folder + "/" + path), as: UTF8.self)
    }

    @Test("has every capability, and says rightly who offers it")
    func capabilities() throws {
        let rows = Self.rows(of: "Capabilities", in: try Self.text(of: "Differences.md"))
        let servers: [RealIMAPServer] = [.dovecot, .cyrus, .courier]
        var listed: Set<String> = []
        for row in rows {
            let name = row[0].replacing("`", with: "")
            listed.insert(name)
            #expect(
                row.dropFirst() == servers.map { $0.offers(name) ? "yes" : "no" }[...], "\(name)")
        }
        #expect(listed == servers.reduce(into: []) { $0.formUnion($1.capabilities) })
    }

    @Test("names quirks and claims that there are")
    func oddities() throws {
        let rows = Self.rows(of: "Oddities", in: try Self.text(of: "Differences.md"))
        let documents = try Self.text(of: "../../../RFCs.md")
        let claims = Set(
            (IMAPClaim.mailboxes + IMAPClaim.messages + IMAPClaim.searches
                + RealIMAPServer.allCases.flatMap { IMAPClaim.connections(at: $0) })
                .map(\.testDescription))
        #expect(rows.count > 10)
        for row in rows {
            let name = row[2]
            if name.hasPrefix("`") {
                #expect(documents.contains("\n| \(name) |"), "\(name)")
            } else {
                #expect(claims.contains(name), "\(name)")
            }
        }
    }
}
