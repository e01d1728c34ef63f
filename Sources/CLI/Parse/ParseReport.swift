import MartletMIME
import MartletText

/// A message for a person: main fields, tree, defects.
struct ParseReport {
    private let message: Message
    private let detector: CharsetDetector?

    init(_ message: Message, detector: CharsetDetector?) {
        self.message = message
        self.detector = detector
    }

    var text: String {
        let lines = fields + [""] + parts + defects
        return lines.map(Console.printable).joined(separator: "\n") + "\n"
    }

    private var fields: [String] {
        let root = message.root
        let rows: [(name: String, value: String?)] = [
            ("From", names(root.from)), ("To", names(root.to)), ("Cc", names(root.cc)),
            ("Subject", root.subject), ("Date", root.date?.text),
            ("Message-ID", root.messageID?.description),
        ]
        return rows.compactMap { row in
            row.value.map { "\(row.name):".padded(to: 13) + $0 }
        }
    }

    private func names(_ list: AddressList) -> String? {
        list.mailboxes.isEmpty ? nil : list.mailboxes.map(\.description).joined(separator: ", ")
    }

    private var parts: [String] {
        message.parts.map { part in
            let indent = String(repeating: "  ", count: min(part.depth, 20))
            var line = (indent + part.section).padded(to: 10) + " " + part.contentType.description
            line += ", \(size(of: part))"
            if let name = part.fileName { line += ", \(name)" }
            return line
        }
    }

    private func size(of part: Part) -> String {
        let size = part.kind == .leaf ? part.decodedSizeInOctets : part.bodyRange.count
        return size == 1 ? "1 octet" : "\(size) octets"
    }

    private var defects: [String] {
        var lines: [String] = []
        for part in message.parts {
            for defect in part.allDefects(detector: detector) {
                let limit = defect.limit.map { " (\($0))" } ?? ""
                lines.append(
                    "  \(part.section.padded(to: 8)) \(defect.kind.rawValue)\(limit), octet \(defect.offset)"
                )
            }
        }
        return lines.isEmpty ? [] : ["", "Defects:"] + lines
    }
}
