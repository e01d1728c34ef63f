import Foundation
import Testing

/// A recorded or written session: directives, and what each side says.
///
///     # how it was recorded, and what it claims
///     ! do: list
///     ! result: 1:120 2:nil
///     C: what the client writes         S: what the server says
///     T: the TLS handshake              E: the server closes
struct Transcript: CustomTestStringConvertible {
    enum Event: Equatable {
        case client([UInt8])
        case server([UInt8])
        case handshake
        case close
    }

    let name: String
    var directives: [(key: String, value: String)] = []
    var events: [Event] = []

    var testDescription: String { name }

    func values(_ key: String) -> [String] {
        directives.filter { $0.key == key }.map(\.value)
    }

    func value(_ key: String) -> String? { values(key).first }

    init(name: String, text: String) {
        self.name = name
        // Some servers end their lines with LF alone.
        let end = text.contains("\n! line-end: LF\n") ? "\n" : "\r\n"
        for line in text.split(separator: "\n", omittingEmptySubsequences: false) {
            let rest = line.dropFirst(3)
            switch line.prefix(2) {
            case "! ":
                let parts = line.dropFirst(2).split(separator: ": ", maxSplits: 1)
                directives.append((String(parts[0]), parts.count > 1 ? String(parts[1]) : ""))
            case "C:": events.append(.client(Array((rest + "\r\n").utf8)))
            case "S:": events.append(.server(Array((rest + end).utf8)))
            case "T:": events.append(.handshake)
            case "E:": events.append(.close)
            default: break
            }
        }
    }

    /// The most octets that the server says in a row.
    var longestBlock: Int {
        var longest = 0
        var current = 0
        for event in events {
            if case .server(let line) = event { current += line.count } else { current = 0 }
            longest = max(longest, current)
        }
        return longest
    }

    /// All transcripts beside the tests.
    static let all: [Transcript] = {
        let folder = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
            .appendingPathComponent("Transcripts")
        let names = FileManager.default.enumerator(atPath: folder.path)?.compactMap {
            $0 as? String
        }
        return (names ?? []).filter { $0.hasSuffix(".txt") }.sorted().map { name in
            let text = try? String(contentsOf: folder.appendingPathComponent(name), encoding: .utf8)
            return Transcript(name: String(name.dropLast(4)), text: text ?? "")
        }
    }()
}
