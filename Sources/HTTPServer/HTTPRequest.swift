/// A request that came whole.
public struct HTTPRequest: Sendable {
    /// The method.
    public let method: HTTPMethod
    /// What it asks for.
    public let target: HTTPTarget
    /// The header fields in their order. `Host` is there exactly once in HTTP/1.1.
    public let fields: HTTPFields
    /// The body, without the transfer's framing; at most `HTTPServerLimits.bodySizeInOctets`.
    public let body: [UInt8]
    /// The client's end of the connection; a reverse proxy's, if one is between.
    public let remoteAddress: HTTPEndpoint

    /// Makes a request, for trying a handler without a connection.
    public init(
        _ method: HTTPMethod, _ target: HTTPTarget, fields: HTTPFields = HTTPFields(),
        body: [UInt8] = [], remoteAddress: HTTPEndpoint = .loopback(port: 0)
    ) {
        self.method = method
        self.target = target
        self.fields = fields
        self.body = body
        self.remoteAddress = remoteAddress
    }
}
