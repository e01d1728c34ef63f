import MartletCommandLineParsing
import MartletIMAP
import MartletMIME

/// A line for each message, or its parts.
struct IMAPListing {
    private let console: Console
    private let isJSON: Bool
    private let showsStructure: Bool

    init(_ console: Console, isJSON: Bool, showsStructure: Bool) {
        self.console = console
        self.isJSON = isJSON
        self.showsStructure = showsStructure
    }

    /// What a line is made of.
    static let attributes: [FetchAttribute] = [.uid, .flags, .internalDate, .size, .envelope]

    /// Prints messages while they come.
    ///
    /// - Returns: how many.
    func print(_ uids: UIDSet, _ client: IMAPClient) async throws -> Int {
        let attributes = Self.attributes + (showsStructure ? [.bodyStructure] : [])
        var count = 0
        for try await row in client.rows(uids, attributes) {
            // Other rows are changes that somebody made meanwhile.
            guard let uid = row.uid, row.envelope != nil || row.hasDamage else { continue }
            count += 1
            if isJSON {
                console.output(JSONText.object(members(uid, row)).text)
            } else {
                console.output(Self.line(uid, row))
                if showsStructure { printParts(row.bodyStructure) }
            }
        }
        return count
    }

    // MARK: For a person

    static func line(_ uid: UID, _ row: FetchResponse) -> String {
        let flags = row.flags ?? []
        var marks = flags.contains(.seen) ? " " : "N"
        marks += flags.contains(.answered) ? "r" : " "
        marks += flags.contains(.flagged) ? "!" : " "
        marks += flags.contains(.deleted) ? "D" : " "
        let date = row.envelope?.date ?? row.internalDate
        let from = row.envelope.flatMap { AddressList($0.from).mailboxes.first }
        let sender = from.map { $0.displayName ?? $0.addrSpec } ?? ""
        let columns = [
            "\(uid)".padded(to: 7), marks, date?.dayText ?? "          ",
            Console.printable(String(sender.prefix(28))).padded(to: 28),
            Console.printable(row.envelope?.subject ?? (row.hasDamage ? "(unreadable)" : "")),
        ]
        return columns.joined(separator: " ")
    }

    private func printParts(_ structure: BodyStructure?) {
        guard let structure else { return console.output("          (unreadable)") }
        for part in structure.parts {
            let number = part.number.path.isEmpty ? "-" : "\(part.number)"
            var words = ["        " + number.padded(to: 8), "\(part.type)/\(part.subtype)"]
            if let size = part.sizeInOctets { words.append(sizeText(Int(clamping: size))) }
            if let name = part.fileName { words.append("\"\(name)\"") }
            console.output(Console.printable(words.joined(separator: " ")))
        }
    }

    // MARK: For a program

    private func members(
        _ uid: UID, _ row: FetchResponse
    ) -> [(name: String, value: JSONText)] {
        let parts = (row.bodyStructure?.parts ?? []).map { $0.json }
        return Self.members(uid, row) + (showsStructure ? [("parts", .array(parts))] : [])
    }

    static func members(_ uid: UID, _ row: FetchResponse) -> [(name: String, value: JSONText)] {
        let envelope = row.envelope
        return [
            ("uid", .count(uid.rawValue)),
            ("flags", .array((row.flags ?? []).map { .string($0.rawValue) })),
            ("internalDate", .optional(row.internalDate?.text)),
            ("sizeInOctets", .count(row.sizeInOctets)),
            ("date", .optional(envelope?.date?.text)),
            ("subject", .optional(envelope?.subject)),
            ("from", addresses(envelope?.from)), ("to", addresses(envelope?.to)),
            ("cc", addresses(envelope?.cc)), ("replyTo", addresses(envelope?.replyTo)),
            ("messageID", .optional(envelope?.messageID?.description)),
            (
                "inReplyTo",
                .array((envelope?.inReplyTo ?? []).map { .string($0.description) })
            ),
            ("damaged", .bool(row.hasDamage)),
        ]
    }

    private static func addresses(_ list: [EnvelopeAddress]?) -> JSONText {
        .array(
            AddressList(list ?? []).mailboxes.map { mailbox in
                .object([
                    ("name", .optional(mailbox.displayName)),
                    ("address", .string(mailbox.addrSpec)),
                ])
            })
    }
}

extension BodyStructurePart {
    fileprivate var json: JSONText {
        .object([
            ("number", .string("\(number)")), ("type", .string("\(type)/\(subtype)")),
            ("sizeInOctets", .count(sizeInOctets)),
            ("encoding", .string(transferEncoding)), ("fileName", .optional(fileName)),
            ("disposition", .optional(rawDisposition?.kind)),
        ])
    }
}

extension MailDate {
    /// `2026-11-30`, where it was written.
    fileprivate var dayText: String {
        let words = text.split(separator: " ")
        let months = [
            "Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec",
        ]
        guard words.count > 3, let month = months.firstIndex(of: String(words[2])) else {
            return text
        }
        let two = { (text: String) in text.utf8.count < 2 ? "0" + text : text }
        return "\(words[3])-\(two("\(month + 1)"))-\(two(String(words[1])))"
    }
}
