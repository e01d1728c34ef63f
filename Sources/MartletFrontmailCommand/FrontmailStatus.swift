import Foundation
import Frontmail
import MartletCLI
import MartletCommandLineParsing

/// `martlet frontmail status`.
enum FrontmailStatus {
    static func run(_ parsed: ParsedCommand, _ console: Console) async throws -> ExitStatus {
        let client = try FrontmailClient(parsed, console)
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

    private static func token(of parsed: ParsedCommand) throws -> String {
        let token = try parsed.required(FrontmailOptions.statusToken)
        guard token == "-" else { return token }
        guard let line = readLine(), !line.isEmpty else {
            throw parsed.usageError("there is no status token on standard input.")
        }
        return line
    }

    private static func json(_ event: MessageEvent) -> JSONText {
        let told = FrontmailValue.object(event.data).json
        return .object([
            ("type", .string(event.type)), ("at", .optional(event.at.map(text))), ("data", told),
        ])
    }

    private static func text(_ date: Date) -> String { ISO8601DateFormatter().string(from: date) }
}
