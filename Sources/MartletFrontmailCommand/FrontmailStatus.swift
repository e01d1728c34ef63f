import Foundation
import Frontmail
import MartletCLI
import MartletCommandLineParsing

#if canImport(Darwin)
    import Darwin
#elseif canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#endif

/// `martlet frontmail status`.
enum FrontmailStatus {
    /// Octets of a status token on standard input, at most.
    static let tokenLimitInOctets = 64 * 1024

    static func run(_ parsed: ParsedCommand, _ console: Console) async throws -> ExitStatus {
        try await FrontmailClient.run(parsed, console) { client in
            let id = parsed[FrontmailOptions.messageID] ?? ""
            let token = try token(of: parsed)
            return try await client.answer("Asking…") { frontmail in
                try await frontmail.status(messageID: id, statusToken: token)
            } members: { status in
                [
                    ("messageID", .string(status.messageID)),
                    ("status", .string(status.status.rawValue)),
                    ("createdAt", .optional(status.createdAt.map(text))),
                    ("sentAt", .optional(status.sentAt.map(text))),
                    ("templateID", .optional(status.templateID)),
                    ("serviceID", .optional(status.serviceID)),
                    ("events", .array(status.events.map(json))),
                ]
            } text: { status in
                let events = status.events.map { "\n  \($0.at.map(text) ?? "-")  \($0.type)" }
                return "\(status.messageID): \(status.status.rawValue)\(events.joined())"
            }
        }
    }

    private static func token(of parsed: ParsedCommand) throws -> String {
        let token = try parsed.required(FrontmailOptions.statusToken)
        guard token == "-" else { return token }
        let line = try firstLine()
        guard !line.isEmpty else {
            throw parsed.usageError("there is no status token on standard input.")
        }
        return line
    }

    /// The first line of standard input, without its end.
    private static func firstLine() throws -> String {
        var line: [UInt8] = []
        var buffer = [UInt8](repeating: 0, count: 4_096)
        while true {
            let count = read(0, &buffer, buffer.count)
            if count < 0, errno == EINTR { continue }
            guard count > 0 else { break }
            let piece = buffer[..<count]
            line += piece.prefix { $0 != UInt8(ascii: "\n") }
            guard line.count <= tokenLimitInOctets else {
                throw unreadable("is longer than \(tokenLimitInOctets) octets")
            }
            if piece.contains(UInt8(ascii: "\n")) { break }
        }
        if line.last == UInt8(ascii: "\r") { line.removeLast() }
        guard let text = String(validating: line, as: UTF8.self) else {
            throw unreadable("is not in UTF-8")
        }
        return text
    }

    private static func unreadable(_ reason: String) -> CommandFailure {
        CommandFailure(
            .unreadableInput, "The status token on standard input \(reason).", kind: "statusToken")
    }

    private static func json(_ event: MessageEvent) -> JSONText {
        let told = FrontmailValue.object(event.data).json
        return .object([
            ("type", .string(event.type)), ("at", .optional(event.at.map(text))), ("data", told),
        ])
    }

    private static func text(_ date: Date) -> String { ISO8601DateFormatter().string(from: date) }
}
