import MartletTestSupport
import Testing

@testable import MartletMIME

/// A small message that some mail program read wrongly, and what is right. The messages are the seeds of the fuzzer.
struct FieldCase: Sendable, CustomTestStringConvertible {
    /// What is expected of a message.
    enum Value: Sendable {
        /// The subject.
        case subject(String)
        /// The authors, as `Name <address>`, and whether there are other entries.
        case from([String])
        /// The recipients.
        case to([String])
        /// Those who got a copy.
        case cc([String])
        /// The octets of the entries in From, To, Cc and Reply-To that are no addresses.
        case invalid([String])
        /// The message ID.
        case messageID(String)
        /// Seconds since 1970; `nil` if the date cannot be read.
        case date(Int64?)
        /// The leaves of the message, in order.
        case leaves([Leaf])
    }

    /// A leaf: its type, its file's name, and its text with LF or its octets.
    struct Leaf: Sendable, Equatable {
        var type: String
        var name: String?
        var content: String

        static func text(_ content: String) -> Leaf { Leaf(type: "text/plain", content: content) }
        static func html(_ content: String) -> Leaf { Leaf(type: "text/html", content: content) }
        static func file(_ type: String, _ name: String?, _ content: String = "ABC") -> Leaf {
            Leaf(type: type, name: name, content: content)
        }
    }

    /// The seed's name.
    let name: String
    let claim: String
    let values: [Value]
    /// The defects of all parts, in order.
    let defects: [Defect.Kind]

    var testDescription: String { name + ": " + claim }

    init(_ name: String, _ claim: String, _ values: Value..., defects: [Defect.Kind] = []) {
        self.name = name
        self.claim = claim
        self.values = values
        self.defects = defects
    }

    func check() throws {
        let message = Message(parsing: try FuzzSeeds.octets(name, of: "Message"))
        for value in values {
            switch value {
            case .subject(let text): #expect(message.subject == text)
            case .from(let people): #expect(shown(message.from) == people)
            case .to(let people): #expect(shown(message.to) == people)
            case .cc(let people): #expect(shown(message.cc) == people)
            case .invalid(let entries):
                let lists = [message.from, message.to, message.cc, message.root.replyTo]
                #expect(lists.flatMap(\.damaged).map { text($0) } == entries)
            case .messageID(let id): #expect(message.messageID?.text == id)
            case .date(let seconds): #expect(message.date?.secondsSinceEpoch == seconds)
            case .leaves(let leaves): #expect(message.parts.compactMap(leaf) == leaves)
            }
        }
        #expect(message.parts.flatMap { $0.allDefects() }.map(\.kind) == defects)
    }

    private func shown(_ list: AddressList) -> [String] {
        list.mailboxes.map { mailbox in
            mailbox.displayName.map { "\($0) <\(mailbox.addrSpec)>" } ?? mailbox.addrSpec
        }
    }

    private func leaf(_ part: Part) -> Leaf? {
        guard part.kind == .leaf else { return nil }
        let type = part.contentType
        let content =
            type.type == "text"
            ? part.text().value.replacing("\r\n", with: "\n") : text(part.decodedBody().value)
        return Leaf(type: type.description, name: part.fileName, content: content)
    }
}
