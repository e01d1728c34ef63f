import Foundation
import MartletTestSupport
import Testing

@testable import MartletMIME

/// Against what mail-parser's own tests expect of messages: where parts begin and end, what is in their bodies, and
/// which of them a person reads.
@Suite("Messages of mail-parser", .corpus("mail-parser/eml"))
struct MailParserMessageTests {
    @Test("are read as there, but for what Differences.md explains", arguments: [false, true])
    func messages(hasCRLF: Bool) throws {
        var found: [(message: String, aspect: String, details: String)] = []
        let paths = try Corpus.files(below: "mail-parser/eml").filter { $0.hasSuffix(".eml") }
        #expect(paths.count >= 53)
        for path in paths {
            let lines = try Corpus.octets(path).split(
                separator: [13, 10], omittingEmptySubsequences: false
            ).joined(separator: [10])
            let input = hasCRLF ? lines.flatMap { $0 == 10 ? [13, 10] : [$0] } : Array(lines)
            let name = String(path.dropLast(4))
            let json = Data(try Corpus.octets(name + (hasCRLF ? ".crlf.json" : ".json")))
            let theirs = try JSONDecoder().decode(Expected.self, from: json)
            let message = Message(parsing: input)
            let title = String(name.dropFirst("mail-parser/eml/".count))
            for (aspect, our, their) in [
                ("parts", parts(message), theirs.outline(depth: 0)),
                ("bodies", bodies(message), theirs.bodies.joined(separator: "\n")),
                ("views", views(message), theirs.views),
            ] where our != their {
                found.append((title, aspect, DifferenceTable.details(our, their)))
            }
        }
        try DifferenceTable("mail-parser").check(found)
    }

    /// A line a part: where its header, its body and its end are.
    private func parts(_ message: Message) -> String {
        message.parts.map { part in
            let indent = String(repeating: " ", count: part.depth)
            return "\(indent)\(part.kind) \(part.range.lowerBound) \(part.bodyRange)"
        }.joined(separator: "\n")
    }

    private func bodies(_ message: Message) -> String {
        message.parts.filter { $0.kind == .leaf }.map { part in
            let body = part.decodedBody().value
            return ["text", "message"].contains(part.contentType.type)
                ? shown(part.text().value) : shown(String(decoding: body, as: UTF8.self))
        }.joined(separator: "\n")
    }

    /// The numbers of the parts that a person reads and of the attachments. Parts of attached messages have none.
    private func views(_ message: Message) -> String {
        let numbered = message.parts.filter { part in
            var ancestor = part.parent
            while let next = ancestor, next.kind != .message { ancestor = next.parent }
            return ancestor == nil
        }.map(\.index)
        func numbers(_ list: [Part]) -> String {
            list.map { numbered.firstIndex(of: $0.index) ?? -1 }.description
        }
        let views = message.bodyViews
        return [views.textBody, views.htmlBody, views.attachments].map(numbers).description
    }

    final class Expected: Decodable {
        struct ExpectedPart: Decodable {
            var body: Body
            var header, start, end: Int

            enum CodingKeys: String, CodingKey {
                case body
                case header = "offset_header"
                case start = "offset_body"
                case end = "offset_end"
            }
        }

        enum Body: Decodable {
            case text(String), binary([UInt8]), message(Expected), multipart([Int])

            enum CodingKeys: String, CodingKey {
                case text = "Text"
                case html = "Html"
                case binary = "Binary"
                case inline = "InlineBinary"
                case message = "Message"
                case multipart = "Multipart"
            }

            init(from decoder: any Decoder) throws {
                let values = try decoder.container(keyedBy: CodingKeys.self)
                switch values.allKeys.first {
                case .text?: self = .text(try values.decode(String.self, forKey: .text))
                case .html?: self = .text(try values.decode(String.self, forKey: .html))
                case .binary?: self = .binary(try values.decode([UInt8].self, forKey: .binary))
                case .inline?: self = .binary(try values.decode([UInt8].self, forKey: .inline))
                case .message?:
                    self = .message(try values.decode(Expected.self, forKey: .message))
                default:
                    self = .multipart(try values.decode([Int].self, forKey: .multipart))
                }
            }
        }

        let parts: [ExpectedPart]
        let text, html, attachments: [Int]

        enum CodingKeys: String, CodingKey {
            case parts, attachments
            case text = "text_body"
            case html = "html_body"
        }

        func outline(depth: Int) -> String {
            parts.isEmpty ? "" : outline(of: 0, depth: depth).joined(separator: "\n")
        }

        private func outline(of index: Int, depth: Int) -> [String] {
            let part = parts[index]
            let indent = String(repeating: " ", count: depth)
            func line(_ kind: String) -> String {
                "\(indent)\(kind) \(part.header) \(part.start..<max(part.start, part.end))"
            }
            switch part.body {
            case .text, .binary: return [line("leaf")]
            case .message(let message): return [line("message"), message.outline(depth: depth + 1)]
            case .multipart(let children):
                return [line("multipart")]
                    + children.flatMap { outline(of: $0, depth: depth + 1) }
            }
        }

        var bodies: [String] {
            parts.flatMap { part -> [String] in
                switch part.body {
                case .text(let text): [shown(text)]
                case .binary(let octets): [shown(String(decoding: octets, as: UTF8.self))]
                case .message(let message): message.bodies
                case .multipart: []
                }
            }
        }

        var views: String { [text, html, attachments].map(\.description).description }
    }
}

private func shown(_ text: String) -> String {
    text.replacing("\r\n", with: "\\n").replacing("\n", with: "\\n")
}
