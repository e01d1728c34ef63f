import Foundation
import Frontmail
import MartletCLI
import MartletCommandLineParsing
import MartletFiles
import MartletMIME

/// `martlet frontmail send`.
enum FrontmailSend {
    /// Octets of a file that is attached, at most; services take less.
    static let attachmentLimitInOctets = 64 * 1024 * 1024

    static func run(_ parsed: ParsedCommand, _ console: Console) async throws -> ExitStatus {
        try await FrontmailClient.run(parsed, console) { client in
            let template = try parsed.required(FrontmailOptions.template)
            let params = try params(of: parsed)
            let options = try options(of: parsed)
            let service = parsed[FrontmailOptions.service]
            return try await client.answer(
                "Sending \(template)…", doubt: "; the service may have accepted the mail"
            ) { frontmail in
                try await frontmail.send(
                    templateID: template, params: params, serviceID: service, options: options)
            } members: { result in
                [
                    ("messageID", .string(result.messageID)),
                    ("status", .string(result.status.rawValue)),
                    ("statusToken", .string(result.statusToken)),
                    ("locale", .optional(result.locale)),
                ]
            } text: { result in
                let locale = result.locale.map { "\nlocale: \($0)" } ?? ""
                return "message: \(result.messageID)\nstatus: \(result.status.rawValue)\n"
                    + "status token: \(result.statusToken)\(locale)"
            }
        }
    }

    private static func params(of parsed: ParsedCommand) throws -> [String: FrontmailValue] {
        var params: [String: FrontmailValue] = [:]
        func add(
            _ text: String, _ option: String, _ value: (Substring, String) throws -> FrontmailValue
        ) throws {
            guard let end = text.firstIndex(of: "="), end > text.startIndex else {
                throw parsed.usageError("--\(option) wants NAME=VALUE, and got \(quoted(text)).")
            }
            let name = String(text[..<end])
            guard params[name] == nil else {
                throw parsed.usageError("the parameter \(quoted(name)) is given twice.")
            }
            params[name] = try value(text[text.index(after: end)...], name)
        }
        for text in parsed.all(FrontmailOptions.param) {
            try add(text, "param") { value, _ in .string(String(value)) }
        }
        for text in parsed.all(FrontmailOptions.jsonParam) {
            try add(text, "param-json") { json, name in
                guard
                    let value = try? JSONDecoder().decode(
                        FrontmailValue.self, from: Data(json.utf8))
                else {
                    throw parsed.usageError(
                        "the value of \(quoted(name)) is not JSON; a text is given by --param, or in quotation marks."
                    )
                }
                guard value.isExact else {
                    throw parsed.usageError(
                        "the value of \(quoted(name)) has a number that would not arrive as it is; give it as a text by --param."
                    )
                }
                return value
            }
        }
        return params
    }

    /// Characters of a word that an error shows. Values are not shown: nobody knows what is in them.
    private static let shownCount = 60

    private static func quoted(_ word: String) -> String {
        word.count > shownCount ? "\"\(word.prefix(shownCount))…\"" : "\"\(word)\""
    }

    private static func options(of parsed: ParsedCommand) throws -> SendOptions {
        var options = SendOptions(
            turnstileToken: parsed[FrontmailOptions.turnstileToken],
            turnstileKey: parsed[FrontmailOptions.turnstileKey].flatMap {
                Turnstile.Key(rawValue: $0.rawValue)
            },
            idempotencyKey: parsed[FrontmailOptions.idempotencyKey],
            locale: parsed[FrontmailOptions.locale])
        for path in parsed.all(FrontmailOptions.attach) {
            let octets = try WholeFile.read(path, limitInOctets: attachmentLimitInOctets)
            let name = path.split(separator: "/").last.map(String.init) ?? path
            options.attachments.append(
                .data(
                    Data(octets), filename: name,
                    contentType: ContentType.forFileName(name).description))
        }
        options.attachments += parsed.all(FrontmailOptions.upload).map { .upload(id: $0) }
        return options
    }
}

extension FrontmailValue {
    /// Whether all its whole numbers are: those beyond 64 bits became others.
    fileprivate var isExact: Bool {
        switch self {
        case .double(let number): number.magnitude < 0x1p63
        case .array(let items): items.allSatisfy(\.isExact)
        case .object(let members): members.values.allSatisfy(\.isExact)
        default: true
        }
    }
}
