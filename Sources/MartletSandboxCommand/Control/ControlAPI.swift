import MartletBytes
import MartletCLI
import MartletHTTPServer
import MartletSandbox

/// What can be asked by HTTP. Paths and members are the interface of test suites: they stay.
struct ControlAPI: Sendable {
    /// How long a request may wait for a message.
    static let waitLimit: Duration = .seconds(300)

    let sandbox: Sandbox
    let guardian: HostGuard
    /// What the sandbox tells of itself.
    let description: JSONText

    /// A way to ask: method, path, and what it is for.
    private static let ways: [(method: String, path: String, meaning: String)] = [
        ("GET", "/api", "This list, ports and paths."),
        (
            "GET", "/api/messages?to=&from=&subject=&after=",
            "What came by SMTP and LMTP, oldest first."
        ),
        (
            "GET", "/api/messages/wait?to=&from=&subject=&after=&timeout=",
            "The first such message, once it is there; timeout in seconds."
        ),
        ("DELETE", "/api/messages", "Forget them all, and empty all mailboxes."),
        (
            "GET", "/api/messages/ID",
            "One message: envelope, text, HTML, and all that it is made of."
        ),
        ("GET", "/api/messages/ID/source", "The same, octet for octet."),
        ("GET", "/api/messages/ID/text", "Its text, in UTF-8."),
        ("GET", "/api/messages/ID/html", "Its HTML, in UTF-8."),
        ("GET", "/api/messages/ID/parts/SECTION", "One part, decoded."),
        ("GET", "/api/users/USER/mailboxes", "Somebody's mailboxes."),
        ("GET", "/api/users/USER/mailboxes/NAME", "One, with the flags of its messages."),
        ("POST", "/api/users/USER/mailboxes/NAME?flags=", "Put the message in the body there."),
        ("GET", "/api/faults", "What the sandbox does wrong on purpose, and how often it did."),
        ("POST", "/api/faults", "Add a fault, or a list of them: JSON5."),
        ("PUT", "/api/faults", "The same in the place of all others."),
        ("DELETE", "/api/faults", "Take them all away; /api/faults/ID one."),
        ("POST", "/api/reset", "A clean start: no mail, and the faults of the start."),
    ]

    /// Answers a request.
    func response(to request: HTTPRequest) async -> HTTPResponse {
        if let refusal = guardian.refusal(of: request) { return refusal.response }
        do throws(ControlFailure) {
            return try await answer(request)
        } catch {
            return error.response
        }
    }

    private func answer(_ request: HTTPRequest) async throws(ControlFailure) -> HTTPResponse {
        var path = request.target.components[...]
        guard path.popFirst() == "api" else { throw Self.notFound }
        switch path.popFirst() {
        case nil:
            try Self.require(request, .get)
            return .json(overview)
        case "messages": return try await messages(request, path)
        case "users": return try await users(request, path)
        case "faults": return try faults(request, path)
        case "reset":
            guard path.isEmpty else { throw Self.notFound }
            return try await reset(request)
        default: throw Self.notFound
        }
    }

    private var overview: JSONText {
        .object([
            ("program", .string("martlet-sandbox")), ("version", .string(Program.version)),
            ("sandbox", description),
            (
                "ways",
                .array(
                    Self.ways.map { way in
                        .object([
                            ("method", .string(way.method)), ("path", .string(way.path)),
                            ("meaning", .string(way.meaning)),
                        ])
                    })
            ),
        ])
    }

    // MARK: What all share

    static let notFound = ControlFailure(
        .notFound, "noSuchPath", "There is nothing at this path; GET /api lists what there is.")

    /// Refuses other methods than these.
    static func require(_ request: HTTPRequest, _ methods: HTTPMethod...) throws(ControlFailure) {
        guard methods.contains(request.method) || request.method == .head && methods.contains(.get)
        else {
            let allowed = methods.map(\.description).joined(separator: " and ")
            throw ControlFailure(
                .methodNotAllowed, "methodNotAllowed", "This path takes \(allowed).")
        }
    }
}
