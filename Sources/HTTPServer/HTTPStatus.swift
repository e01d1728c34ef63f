import CMartletMicrohttpd

/// The status of a response: a final one, 200…599. RFC 9110 §15.
public struct HTTPStatus: Sendable, Hashable, CustomStringConvertible {
    /// The three digits.
    public let code: Int

    /// Makes a status of a code between 200 and 599; anything else is `nil`.
    public init?(_ code: Int) {
        guard (200...599).contains(code) else { return nil }
        self.code = code
    }

    private init(known: Int) { code = known }

    /// Whether a response has no body by its status. RFC 9110 §15.3.5, §15.3.6, §15.4.5.
    var excludesBody: Bool { !hasContent || code == 304 }

    /// Whether a response has a content, be it one that is not sent: 304 tells its length.
    var hasContent: Bool { code != 204 && code != 205 }

    /// The words behind the code, such as `Not Found`.
    public var reason: String { String(cString: MHD_get_reason_phrase_for(UInt32(code))) }

    /// `404 Not Found`.
    public var description: String { "\(code) \(reason)" }
}

extension HTTPStatus {
    /// 200.
    public static let ok = HTTPStatus(known: 200)
    /// 201.
    public static let created = HTTPStatus(known: 201)
    /// 202.
    public static let accepted = HTTPStatus(known: 202)
    /// 204: no body.
    public static let noContent = HTTPStatus(known: 204)
    /// 205: no body.
    public static let resetContent = HTTPStatus(known: 205)
    /// 303: look there with GET.
    public static let seeOther = HTTPStatus(known: 303)
    /// 304: no body.
    public static let notModified = HTTPStatus(known: 304)
    /// 307: ask there in the same way.
    public static let temporaryRedirect = HTTPStatus(known: 307)
    /// 400.
    public static let badRequest = HTTPStatus(known: 400)
    /// 401.
    public static let unauthorized = HTTPStatus(known: 401)
    /// 403.
    public static let forbidden = HTTPStatus(known: 403)
    /// 404.
    public static let notFound = HTTPStatus(known: 404)
    /// 405.
    public static let methodNotAllowed = HTTPStatus(known: 405)
    /// 409.
    public static let conflict = HTTPStatus(known: 409)
    /// 413.
    public static let contentTooLarge = HTTPStatus(known: 413)
    /// 415.
    public static let unsupportedMediaType = HTTPStatus(known: 415)
    /// 417.
    public static let expectationFailed = HTTPStatus(known: 417)
    /// 422.
    public static let unprocessableContent = HTTPStatus(known: 422)
    /// 429.
    public static let tooManyRequests = HTTPStatus(known: 429)
    /// 431.
    public static let headerFieldsTooLarge = HTTPStatus(known: 431)
    /// 500.
    public static let internalServerError = HTTPStatus(known: 500)
    /// 501.
    public static let notImplemented = HTTPStatus(known: 501)
    /// 502.
    public static let badGateway = HTTPStatus(known: 502)
    /// 503.
    public static let serviceUnavailable = HTTPStatus(known: 503)
}
