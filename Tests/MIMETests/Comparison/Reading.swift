import MartletTestSupport

@testable import MartletMIME

/// What a program reads in a message, as far as programs can be compared.
struct Reading {
    /// A part: messages in messages and multiparts too, each before its children.
    struct Part {
        var type: String
        var name = ""
        /// The decoded octets of a leaf.
        var body: [UInt8]?
    }

    /// A value that is compared.
    enum Aspect: Hashable {
        case failure, structure, subject, from, fromNames, to, toNames, date
        case body(Int), name(Int)

        /// As in `Differences.md`.
        var name: String {
            switch self {
            case .body(let part): "body \(part)"
            case .name(let part): "name \(part)"
            default: String(describing: self)
            }
        }
    }

    var parts: [Part] = []
    var values: [Aspect: [String]] = [:]

    /// What we read.
    init(_ message: Message) {
        parts = message.parts.map { part in
            part.kind == .leaf
                ? Part(
                    type: part.contentType.description, name: part.fileName ?? "",
                    body: part.decodedBody().value)
                : Part(type: part.contentType.description)
        }
        values[.subject] = message.subject.map { [$0] } ?? []
        values[.date] = message.date.map { [String($0.secondsSinceEpoch)] } ?? []
        values[.from] = message.from.mailboxes.map(\.addrSpec)
        values[.fromNames] = message.from.mailboxes.map { $0.displayName ?? "" }
        values[.to] = message.to.mailboxes.map(\.addrSpec)
        values[.toNames] = message.to.mailboxes.map { $0.displayName ?? "" }
    }

    /// What another program said.
    init(_ records: [Records.Record]) {
        for record in records {
            switch record.word {
            case "part": parts.append(Part(type: record.text.lowercased()))
            case "name": parts[parts.count - 1].name = record.text
            case "body": parts[parts.count - 1].body = record.octets
            case "subject": values[.subject, default: []].append(record.text)
            case "from": values[.from, default: []].append(record.text)
            case "from-name": values[.fromNames, default: []].append(record.text)
            case "to": values[.to, default: []].append(record.text)
            case "to-name": values[.toNames, default: []].append(record.text)
            case "date": values[.date, default: []].append(record.text)
            case "failure": values[.failure, default: []].append(record.text)
            default: break
            }
        }
    }
}
