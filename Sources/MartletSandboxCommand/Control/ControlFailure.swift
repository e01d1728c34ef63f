import MartletCLI
import MartletHTTPServer

/// Why a request was not done: the body of the response is `{"error":{"kind":…,"message":…}}`.
struct ControlFailure: Error {
    var status: HTTPStatus
    /// A word for programs.
    var kind: String
    /// What happened and what to do.
    var message: String

    init(_ status: HTTPStatus, _ kind: String, _ message: String) {
        self.status = status
        self.kind = kind
        self.message = message
    }

    var response: HTTPResponse {
        .json(
            .object([("error", .object([("kind", .string(kind)), ("message", .string(message))]))]),
            status: status)
    }
}

extension HTTPResponse {
    /// A JSON text with a line end, for people who ask by hand.
    static func json(_ value: JSONText, status: HTTPStatus = .ok) -> HTTPResponse {
        var response = HTTPResponse.json(Array((value.text + "\n").utf8), status: status)
        response.protect()
        return response
    }

    /// Octets of a message. They may hold anything: a browser takes them for what is said here, and runs nothing in them.
    static func content(_ octets: [UInt8], type: String) -> HTTPResponse {
        var response = HTTPResponse(.ok, body: HTTPBody(octets))
        if let field = try? HTTPField(.contentType, type) { response.fields.set(field) }
        response.protect()
        return response
    }

    private mutating func protect() {
        let rules = [
            ("Content-Security-Policy", "default-src 'none'; sandbox; frame-ancestors 'none'"),
            ("X-Content-Type-Options", "nosniff"),
            ("Cross-Origin-Resource-Policy", "same-origin"),
            ("Referrer-Policy", "no-referrer"),
            ("Cache-Control", "no-store"),
        ]
        for (name, value) in rules {
            guard let name = HTTPField.Name(name), let field = try? HTTPField(name, value) else {
                continue
            }
            fields.set(field)
        }
    }
}
