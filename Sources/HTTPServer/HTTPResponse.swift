/// What a handler answers.
public struct HTTPResponse: Sendable {
    /// Octets that all fields of a response may have together. A response with more becomes 500.
    public static let headerLimitInOctets = 8 * 1024

    /// The status.
    public var status: HTTPStatus
    /// The header fields. The server writes `Date` and those of the connection and of the body's length (`Connection`,
    /// `Content-Length`, `Transfer-Encoding` and others of that kind): here they are passed over.
    public var fields: HTTPFields
    /// The body. It is not sent in answer to HEAD, nor with 204, 205 and
    /// 304.
    public var body: HTTPBody
    /// Whether the connection is closed behind the response.
    public var closesConnection = false

    /// Makes a response.
    public init(
        _ status: HTTPStatus, fields: HTTPFields = HTTPFields(), body: HTTPBody = .empty
    ) {
        self.status = status
        self.fields = fields
        self.body = body
    }

    /// A text: `text/plain; charset=utf-8`.
    public static func text(_ text: String, status: HTTPStatus = .ok) -> HTTPResponse {
        let type = HTTPField(known: .contentType, value: "text/plain; charset=utf-8")
        return HTTPResponse(status, fields: HTTPFields([type]), body: HTTPBody(text))
    }

    /// A JSON text that is encoded already: `application/json`.
    public static func json(_ octets: [UInt8], status: HTTPStatus = .ok) -> HTTPResponse {
        let type = HTTPField(known: .contentType, value: "application/json")
        return HTTPResponse(status, fields: HTTPFields([type]), body: HTTPBody(octets))
    }

    /// What the server itself says of a request that it does not hand on.
    static func refusal(_ status: HTTPStatus, _ reason: String) -> HTTPResponse {
        var response = text(reason + "\n", status: status)
        response.closesConnection = true
        return response
    }

    /// The fields that are sent as they are.
    var ownFields: some Sequence<HTTPField> {
        fields.lazy.filter { !Self.namesOfTheServer.contains($0.name) }
    }

    private static let namesOfTheServer: Set<HTTPField.Name> = [
        .connection, .contentLength, .date, .keepAlive, .trailer, .transferEncoding, .upgrade,
    ]
}
