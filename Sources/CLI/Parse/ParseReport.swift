import MartletMIME
import MartletText

/// A message for a person: main fields, tree, defects.
struct ParseReport {
    private let message: Message
    private let detector: CharsetDetector?
    private let attachedFiles: [AttachedFile]
    private let safeNames: [String: String]

    init(_ message: Message, detector: CharsetDetector?) {
        self.message = message
        self.detector = detector
        attachedFiles = message.attachedFiles
        safeNames = Self.safeNames(of: attachedFiles)
    }

    /// The names by which files are saved that are parts, by the numbers of the parts.
    static func safeNames(of files: [AttachedFile]) -> [String: String] {
        Dictionary(
            files.filter { !$0.isUnpacked }.map { ($0.part.section, $0.safeName) },
            uniquingKeysWith: { first, _ in first })
    }

    var text: String {
        let lines = fields + [""] + parts + files + defects
        return lines.map { Console.printable($0) }.joined(separator: "\n") + "\n"
    }

    private var fields: [String] {
        let root = message.root
        let rows: [(name: String, value: String?)] = [
            ("From", names(root.from)), ("Sender", names(root.sender)),
            ("Reply-To", names(root.replyTo)), ("To", names(root.to)), ("Cc", names(root.cc)),
            ("Subject", root.subject), ("Date", root.date?.text),
            ("Message-ID", root.messageID?.description),
        ]
        return rows.compactMap { row in
            row.value.map { "\(row.name):".padded(to: 13) + $0 }
        }
    }

    private func names(_ list: AddressList) -> String? {
        list.entries.isEmpty ? nil : list.description
    }

    private var parts: [String] {
        message.parts.map { part in
            let indent = String(repeating: "  ", count: min(part.depth, 20))
            var line = (indent + part.section).padded(to: 10) + " " + part.contentType.description
            if let charset = part.contentType.charset { line += ", \(charset)" }
            line += ", \(octets(size(of: part)))"
            if let kind = part.disposition?.kind, !kind.name.isEmpty { line += ", \(kind.name)" }
            line += name(part.fileName, safe: safeNames[part.section])
            return line
        }
    }

    private func name(_ name: String?, safe: String?) -> String {
        guard let name else { return "" }
        guard let safe, safe != name else { return ", \(name)" }
        return ", \(name) (safe name: \(safe))"
    }

    private func size(of part: Part) -> Int {
        part.kind == .leaf ? part.decodedSizeInOctets : part.bodyRange.count
    }

    private func octets(_ count: Int) -> String { count == 1 ? "1 octet" : "\(count) octets" }

    private var files: [String] {
        let lines = attachedFiles.enumerated().map { index, file in
            "  \(index + 1)".padded(to: 10) + " \(file.safeName), \(file.type.description), "
                + octets(file.sizeInOctets)
                + (file.isUnpacked
                    ? ", inside of \(file.part.section)" : ", part \(file.part.section)")
        }
        return lines.isEmpty ? [] : ["", "Files:"] + lines
    }

    private var defects: [String] {
        let found = MessageDefects(of: message, detector: detector)
        var lines: [String] = []
        for part in message.parts {
            for defect in found[part] {
                let limit = defect.limit.map { " (\($0))" } ?? ""
                lines.append(
                    "  \(part.section.padded(to: 8)) \(defect.kind.rawValue)\(limit), octet \(defect.offset)"
                )
            }
        }
        return lines.isEmpty ? [] : ["", "Defects:"] + lines
    }
}
