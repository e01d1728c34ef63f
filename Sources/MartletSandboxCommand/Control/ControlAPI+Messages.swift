import MartletCLI
import MartletCharsetDetection
import MartletHTTPServer
import MartletMIME
import MartletSandbox
import MartletText

/// What came by SMTP and LMTP.
extension ControlAPI {
    func messages(
        _ request: HTTPRequest, _ path: ArraySlice<String>
    ) async throws(ControlFailure) -> HTTPResponse {
        switch (path.count, path.first) {
        case (0, _): return try await allMessages(request)
        case (1, "wait"): return try await wait(request)
        default:
            try Self.require(request, .get)
            return try await part(path.dropFirst(), of: message(path.first ?? ""))
        }
    }

    private func allMessages(_ request: HTTPRequest) async throws(ControlFailure) -> HTTPResponse {
        try Self.require(request, .get, .delete)
        let query = try MessageQuery(request.target, of: sandbox)
        if request.method == .delete {
            await sandbox.removeAllMessages()
            return HTTPResponse(.noContent)
        }
        let found = await sandbox.messages.filter(query.matches)
        return .json(
            .object([
                ("messages", .array(found.map { .object(MessageSummary.members(of: $0)) }))
            ]))
    }

    /// Waits for the first message that is like the query.
    private func wait(_ request: HTTPRequest) async throws(ControlFailure) -> HTTPResponse {
        try Self.require(request, .get)
        let query = try MessageQuery(
            request.target, of: sandbox, besides: ["timeout"])
        var limit = Duration.seconds(10)
        if let text = request.target["timeout"] {
            // Compared as numbers: a duration has no room for every one of them.
            guard let seconds = Double(text), 0...(Self.waitLimit / .seconds(1)) ~= seconds else {
                throw ControlFailure(
                    .badRequest, "invalidQuery",
                    "timeout= wants seconds, \(Self.waitLimit.components.seconds) at most.")
            }
            limit = .seconds(seconds)
        }
        do {
            let found = try await sandbox.waitForMessage(within: limit, where: query.matches)
            return .json(detail(found, Message(parsing: found.octets)))
        } catch {
            let words = (error as? SandboxError)?.description ?? "The request was given up."
            throw ControlFailure(.notFound, "noSuchMessage", words)
        }
    }

    private func message(_ id: String) async throws(ControlFailure) -> StoredMessage {
        guard let id = Int(id), let message = await sandbox.messages.first(where: { $0.id == id })
        else {
            throw ControlFailure(
                .notFound, "noSuchMessage",
                "There is no message \"\(id)\"; it may have gone when memory was full.")
        }
        return message
    }

    private func part(
        _ path: ArraySlice<String>, of stored: StoredMessage
    ) throws(ControlFailure) -> HTTPResponse {
        let message = Message(parsing: stored.octets)
        switch (path.first, path.dropFirst().first, path.count) {
        case (nil, _, _): return .json(detail(stored, message))
        case ("source", nil, _): return .content(stored.octets, type: "message/rfc822")
        case ("text", nil, _):
            return .content(
                Array((message.readableText(detector: detector) ?? "").utf8),
                type: "text/plain; charset=utf-8")
        case ("html", nil, _):
            guard let html = message.root.readableHTML(detector: detector) else {
                throw ControlFailure(.notFound, "noHTML", "The message has no HTML.")
            }
            return .content(Array(html.utf8), type: "text/html; charset=utf-8")
        case ("parts", let section?, 2):
            guard let part = message.part(section) else {
                throw ControlFailure(
                    .notFound, "noSuchPart",
                    "The message has no part \"\(section)\"; its parts are in /api/messages/\(stored.id)."
                )
            }
            let type = part.contentType
            return .content(
                part.kind == .leaf
                    ? part.decodedBody().value : Array(message.octets[part.bodyRange]),
                type: Self.harmless(type))
        default: throw Self.notFound
        }
    }

    /// A part's own type where it can stand in a header.
    private static func harmless(_ type: ContentTypeField) -> String {
        let text = type.charset.map { "\(type.description); charset=\($0)" } ?? type.description
        guard text.utf8.allSatisfy({ $0 > 0x1F && $0 < 0x7F }) else {
            return "application/octet-stream"
        }
        return text
    }

    private func detail(_ stored: StoredMessage, _ message: Message) -> JSONText {
        .object(
            MessageSummary.members(of: stored) + [
                ("text", .optional(message.readableText(detector: detector))),
                ("html", .optional(message.root.readableHTML(detector: detector))),
                ("message", ParseJSON(message, detector: detector).value),
            ])
    }
}

private let detector: CharsetDetector = { detectCharset($0) }
