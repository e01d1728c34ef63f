import MartletTestSupport
import Testing

@testable import MartletMIME

/// Against the trees that mime4j's own tests expect: header fields and bodies as they stand, and bodies decoded.
///
/// The trees lost the CRs of line ends to XML, and line ends around a field's value.
@Suite("Trees of mime4j", .corpus("mime4j/testmsgs"))
struct Mime4jTests {
    private static let folder = "mime4j/testmsgs/"

    @Test("are ours, but for what Differences.md explains")
    func trees() throws {
        var found: [(message: String, aspect: String, details: String)] = []
        let names = try Corpus.names(in: Self.folder).filter { $0.hasSuffix(".msg") }
        #expect(names.count >= 32)
        for name in names.map({ String($0.dropLast(4)) }) {
            let message = Message(parsing: try Corpus.octets(Self.folder + name + ".msg"))
            let theirs = XMLTree.outline(try Corpus.octets(Self.folder + name + ".xml"))
            let ours = tree(message)
            if ours != theirs {
                found.append((name, "tree", DifferenceTable.details(ours, theirs)))
            }
            let decoded = XMLTree.outline(try Corpus.octets(Self.folder + name + "_decoded.xml"))
            let files = decoded.split(separator: "\n").compactMap { line in
                line.contains("-body name=") ? String(line.split(separator: "\"")[1]) : nil
            }
            let leaves = message.parts.filter { $0.kind == .leaf }
            if leaves.count != files.count {
                found.append((name, "leaves", "\(leaves.count) for \(files.count)"))
                continue
            }
            for (leaf, file) in zip(leaves, files) {
                let ours = leaf.decodedBody().value
                let theirs = try Corpus.octets(Self.folder + file)
                if ours != theirs {
                    let details = DifferenceTable.details(text(ours), text(theirs))
                    found.append((name, "bodies", "\(file) \(details)"))
                }
            }
        }
        try DifferenceTable("mime4j").check(found)
    }

    /// A message as their trees are: a line for each element.
    private func tree(_ message: Message) -> String {
        var lines: [String] = []
        var open: [(part: Part, end: [String])] = []
        func add(_ name: String, _ text: String) { lines.append(name + " " + quoted(text)) }
        func close(above depth: Int) {
            while let last = open.last, last.part.depth >= depth {
                lines += last.end
                open.removeLast()
            }
        }
        for part in message.parts {
            close(above: part.depth)
            let isMessage = part.depth == 0 || part.parent?.kind == .message
            lines.append(isMessage ? "message" : "body-part")
            lines.append("header")
            for field in part.header { add("field", string(part, field.range)) }
            lines.append("/header")
            var end = [isMessage ? "/message" : "/body-part"]
            switch part.kind {
            case .leaf:
                add("body", string(part, part.bodyRange))
            case .message:
                break
            case .multipart:
                lines.append("multipart")
                let preamble = string(part, part.preambleRange)
                if !preamble.isEmpty { add("preamble", preamble) }
                let epilogue = string(part, part.epilogueRange)
                let line = "epilogue " + quoted(epilogue)
                end = (epilogue.isEmpty ? [] : [line]) + ["/multipart"] + end
            }
            open.append((part, end))
        }
        close(above: 0)
        return lines.joined(separator: "\n")
    }

    private func string(_ part: Part, _ range: Range<Int>) -> String {
        XMLTree.trimmed(
            String(String.UnicodeScalarView(part.octets[range].map { Unicode.Scalar($0) })))
    }
}

/// Just enough of XML for trees of tags with text in them.
enum XMLTree {
    /// A line for each element with text and each tag without.
    static func outline(_ octets: [UInt8]) -> String {
        var lines: [String] = []
        var content = ""
        let scalars = String.UnicodeScalarView(octets.map { Unicode.Scalar($0) })
        for piece in String(scalars).split(separator: "<", omittingEmptySubsequences: false) {
            let tag = piece.prefix { $0 != ">" }
            let name = String(tag)
            if ["/field", "/body", "/preamble", "/epilogue"].contains(name) {
                let text = trimmed(unescaped(content))
                if text.isEmpty, name == "/preamble" || name == "/epilogue" { continue }
                lines.append(name.dropFirst() + " " + quoted(text))
            } else if !["", "field", "body", "preamble", "epilogue"].contains(name) {
                lines.append(name)
            }
            content = String(piece.dropFirst(tag.count + 1))
        }
        return lines.joined(separator: "\n")
    }

    private static func unescaped(_ text: String) -> String {
        [("&lt;", "<"), ("&gt;", ">"), ("&quot;", "\""), ("&apos;", "'"), ("&amp;", "&")]
            .reduce(text) { $0.replacing($1.0, with: $1.1) }
    }

    /// Text without CRs and the line ends around it.
    static func trimmed(_ text: String) -> String {
        let lines = text.unicodeScalars.filter { $0 != "\r" }
        let start = lines.drop { $0 == "\n" }
        let end = start.reversed().drop { $0 == "\n" }
        return String(String.UnicodeScalarView(end.reversed()))
    }
}

private func quoted(_ text: String) -> String {
    "\"" + text.replacing("\n", with: "\\n") + "\""
}
