/// How much a server takes from its clients, and how long it waits for them. What is beyond a limit is refused or cut
/// as said there.
///
/// The standard values suit JSON interfaces and uploads of a mail's attachments from clients that may be slow. Limits
/// of time are looked at a few times a second: see `HTTPServerLimits.lookInterval`.
public struct HTTPServerLimits: Sendable, Hashable {
    // MARK: Sizes

    /// Octets of a request's header: request line and fields. Then 431 or 414. Each connection has twice as much memory
    /// of its own, in which the library also notes each field, query item and cookie.
    public var headerSizeInOctets = 16 * 1024
    /// Header fields of a request. Then 431.
    public var fieldCount = 100
    /// Octets of a request's body. Then 413; a larger `Content-Length` is refused before the body is read.
    public var bodySizeInOctets = 16 * 1024 * 1024
    /// Octets of the bodies of all requests that are being read or handled. Then 503.
    public var allBodiesSizeInOctets = 256 * 1024 * 1024
    /// Octets of a streamed response that wait for the client; the stream's writer waits while there are more.
    public var streamBufferSizeInOctets = 64 * 1024

    /// Octets of a response that the system takes ahead of the client; Linux takes twice as many. More make single
    /// clients that are far away faster, and slow ones costlier.
    public var sendBufferSizeInOctets = 128 * 1024

    // MARK: Connections

    /// Connections in all. More wait in the system's queue until one ends.
    public var connectionCount = 1_000
    /// Connections of one address; 0: as many as there may be in all. More are closed. Behind a reverse proxy all
    /// clients have its address.
    public var connectionCountPerAddress = 0

    // MARK: Times

    /// From the connection's begin until a request's header is complete. Then the connection is cut, however steadily
    /// the client sends.
    public var headerTime: Duration = .seconds(30)
    /// From there until the body is complete, in the same way.
    public var bodyTime: Duration = .seconds(300)
    /// Silence of a client whose octets are waited for, above all between two requests, in whole seconds. Then the
    /// connection is closed. The header of a second request is complete within this and `headerTime` together.
    public var idleTime: Duration = .seconds(60)
    /// Until a handler has its response. Then the client gets 503 and the handler's task is cancelled. A stream may
    /// take as long as it likes once the response is there.
    public var handlerTime: Duration = .seconds(120)
    /// For a client to take enough of a response that the system has room for more, which is about a third of
    /// `sendBufferSizeInOctets`. Then the connection is cut: the standard values ask for 3 KiB a second.
    public var writeTime: Duration = .seconds(30)
    /// For a client whose request was refused to stop sending its body, so that it can read why. Then it is cut.
    public var lingerTime: Duration = .seconds(10)

    /// How often limits of time, and clients that went away, are looked for: a quarter of a second, or more often if a
    /// limit is shorter than a second.
    public var lookInterval: Duration {
        let shortest = min(headerTime, bodyTime, handlerTime, writeTime, lingerTime)
        return max(.milliseconds(10), min(.milliseconds(250), shortest / 4))
    }

    /// The standard values.
    public init() {}

    /// The standard values.
    public static let standard = HTTPServerLimits()

    /// Memory in which the library keeps a connection's header and what waits to be sent.
    var memoryPerConnection: Int { max(16 * 1024, 2 * headerSizeInOctets) }

    var idleSeconds: UInt32 {
        let (seconds, rest) = idleTime.components
        return UInt32(clamping: max(1, rest > 0 ? seconds + 1 : seconds))
    }
}
