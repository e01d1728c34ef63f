import Foundation
import MartletTestSupport
import Testing

@testable import MartletMIME

/// Against what mailcore2's own tests expect of messages: headers and trees of parts.
///
/// What it does everywhere is not compared: it takes no comment for a name, has names without a domain among the
/// addresses, puts years of two digits into this century, knows three kinds of multiparts only, and makes up dates and
/// message IDs that are missing.
@Suite("Messages of mailcore2", .corpus("mailcore2/parser"))
struct MailCoreTests {
    private static let input = "mailcore2/parser/input/"

    @Test("are read as there, but for what Differences.md explains")
    func messages() throws {
        var found: [(message: String, aspect: String, details: String)] = []
        let paths = try Corpus.files(below: "mailcore2/parser/input").map {
            String($0.dropFirst(Self.input.count))
        }
        #expect(paths.count >= 161)
        for path in paths {
            let message = Message(parsing: try Corpus.octets(Self.input + path))
            let json = Data(try Corpus.octets("mailcore2/parser/output/" + path))
            let theirs = try JSONDecoder().decode(Expected.self, from: json)
            let (our, their) = (tree(message), theirs.mainPart.outline(depth: 0))
            if our != their { found.append((path, "tree", DifferenceTable.details(our, their))) }
            for (name, our, their) in values(message, theirs.header) where our != their {
                found.append((path, name, "\(our) for \(their)"))
            }
        }
        try DifferenceTable("mailcore2").check(found)
    }

    private func values(
        _ message: Message, _ header: Header
    ) -> [(name: String, ours: [String], theirs: [String])] {
        let root = message.root
        /// Names where there are some in both.
        func people(
            _ name: String, _ list: some Sequence<MailboxAddress>, _ addresses: [Header.Address]?
        ) -> (String, [String], [String]) {
            let ours = Array(list)
            let theirs = (addresses ?? []).filter { $0.mailbox.contains("@") }
            let names = zip(ours, theirs).map { $0.displayName != nil && $1.displayName != nil }
            return (
                name,
                zip(ours, names + ours.map { _ in false }).map {
                    $1 ? $0.displayName! + " " + $0.addrSpec : $0.addrSpec
                },
                zip(theirs, names + theirs.map { _ in false }).map {
                    $1 ? $0.displayName! + " " + $0.mailbox : $0.mailbox
                }
            )
        }
        return [
            ("subject", [message.subject ?? ""], [header.subject ?? ""]),
            people("from", message.from.mailboxes.prefix(1), header.from.map { [$0] }),
            people("to", message.to.mailboxes, header.to?.items),
            people("cc", message.cc.mailboxes, header.cc?.items),
            people("replyTo", root.replyTo.mailboxes, header.replyTo?.items),
            ("date", [String(message.date?.secondsSinceEpoch ?? 0)], [String(header.seconds)]),
            ("messageID", [message.messageID?.text ?? ""], [header.knownID]),
            ("references", root.references.map(\.text), header.references ?? []),
            ("inReplyTo", root.inReplyTo.map(\.text), header.inReplyTo ?? []),
        ]
    }

    /// A line a part: its type, its charset, its file's name and its content ID.
    private func tree(_ message: Message) -> String {
        message.parts.map { part in
            let type = part.contentType
            let indent = String(repeating: " ", count: part.depth)
            guard part.kind == .leaf else {
                let known = ["alternative", "related", "signed"].contains(type.subtype)
                return indent
                    + (known || type.type != "multipart" ? type.description : "multipart/mixed")
            }
            let values = [
                type.charset?.lowercased(), part.fileName, part.contentID.map { "<\($0.text)>" },
            ]
            return ([indent + type.description] + values.compactMap { $0 }).joined(separator: " ")
        }.joined(separator: "\n")
    }

    struct Expected: Decodable {
        var header: Header
        var mainPart: ExpectedPart
    }

    struct List<Element: Decodable>: Decodable {
        var items: [Element]
    }

    struct Header: Decodable {
        struct Address: Decodable {
            var displayName: String?
            var mailbox: String
        }

        var subject: String?
        var from: Address?
        var to, cc, replyTo: List<Address>?
        var date: String?
        var messageID: String?
        var references, inReplyTo: [String]?

        /// The message ID, if the message has one.
        var knownID: String {
            messageID == "MyMessageID123@mail.gmail.com" ? "" : messageID ?? ""
        }

        /// The date in the last century where its year had two digits; 0 if the message has none.
        var seconds: Int64 {
            let seconds = date.flatMap(Int64.init) ?? 0
            let century: Int64 = 36_525 * 86_400
            return seconds == 978_307_200 ? 0 : seconds > 1 << 31 ? seconds - century : seconds
        }
    }

    final class ExpectedPart: Decodable {
        let partType: String
        let mimeType, filename, contentID, charset: String?
        let parts: List<ExpectedPart>?
        let mainPart: ExpectedPart?

        func outline(depth: Int) -> String {
            let indent = String(repeating: " ", count: depth)
            var lines: [String] = []
            if let mainPart {
                lines = [indent + "message/rfc822", mainPart.outline(depth: depth + 1)]
            } else if let parts {
                lines = [indent + partType] + parts.items.map { $0.outline(depth: depth + 1) }
            } else {
                lines = [
                    indent + (mimeType ?? "").lowercased()
                        + (charset.map { " " + $0.lowercased() } ?? "")
                        + (filename.map { " " + $0 } ?? "") + (contentID.map { " <\($0)>" } ?? "")
                ]
            }
            return lines.joined(separator: "\n")
        }
    }
}
