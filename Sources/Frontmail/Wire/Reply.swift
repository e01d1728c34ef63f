import Foundation

/// An answer of the service, whole or cut at the limit.
package struct Reply: Sendable {
    /// Octets of an answer's body that are read; a longer one is given up.
    package static let limitInOctets = 512 * 1024

    /// The HTTP status.
    package let status: Int
    /// The field `Retry-After`.
    package let retryAfter: String?
    /// `nil` if it was longer than the limit.
    package let body: Data?

    package init(status: Int, retryAfter: String?, body: Data?) {
        self.status = status
        self.retryAfter = retryAfter
        self.body = body
    }

    var isSuccess: Bool { (200...299).contains(status) }
    /// Whether the same request may succeed later.
    var isWorthRetrying: Bool { status >= 500 || status == 429 }

    /// The members of the JSON object that the body is.
    ///
    /// - Throws: ``FrontmailError`` with the code `invalid_response`.
    func members() throws -> [String: FrontmailValue] {
        guard let body else {
            throw invalid("it is longer than \(Reply.limitInOctets / 1024) KiB")
        }
        guard let members = ReplyBody.members(of: body) else {
            throw invalid("it is no JSON object")
        }
        return members
    }

    /// A member that has to be text, and not empty.
    func text(_ name: String, in members: [String: FrontmailValue]) throws -> String {
        guard let text = members[name]?.stringValue, !text.isEmpty else {
            throw invalid("it has no text \"\(name)\"")
        }
        return text
    }

    func invalid(_ reason: String) -> FrontmailError {
        FrontmailError(
            .invalidResponse,
            "The answer (HTTP \(status)) is not what the service answers: \(reason). Look at the address of the service."
        )
    }

    /// What an answer that is no success means.
    func error(now: Date) -> FrontmailError {
        guard status >= 400 else {
            return invalid(
                (300...399).contains(status)
                    ? "it leads elsewhere, and the key goes nowhere else" : "its status")
        }
        let told = body.flatMap(ReplyBody.members)?["error"]?.objectValue ?? [:]
        let code = told["code"]?.stringValue.flatMap { $0.isEmpty ? nil : $0 }
        return FrontmailError(
            code: code.map(FrontmailError.Code.init(rawValue:))
                ?? (status >= 500 ? .internalError : .badRequest),
            message: told["message"]?.stringValue
                ?? "The service answered with the HTTP status \(status) and no reason.",
            status: status,
            docsURL: told["docs_url"]?.stringValue.flatMap(Reply.webPage),
            details: told["details"],
            retryAfter: retryAfter.flatMap { RetryAfter.seconds($0, now: now) })
    }

    /// An address that can be shown to a developer as a link.
    private static func webPage(_ text: String) -> URL? {
        guard let url = URL(string: text), ["https", "http"].contains(url.scheme?.lowercased())
        else {
            return nil
        }
        return url
    }
}
