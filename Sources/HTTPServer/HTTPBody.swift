import MartletBytes

/// The body of a response: octets, or a stream that is made while the client takes it.
public struct HTTPBody: Sendable {
    enum Content: Sendable {
        case octets(Octets)
        case stream(length: Int?, @Sendable (HTTPBodyWriter) async throws -> Void)
    }

    let content: Content

    /// No octets.
    public static let empty = HTTPBody([UInt8]())

    /// Octets in memory.
    public init(_ octets: [UInt8]) { self.init(Octets(octets)) }

    /// Octets that stay where they are: an array or a mapped file.
    public init(_ octets: Octets) { content = .octets(octets) }

    /// A text in UTF-8.
    public init(_ text: String) { self.init([UInt8](text.utf8)) }

    private init(_ content: Content) { self.content = content }

    /// A stream: `produce` writes its pieces, each in the moment the client has room for more, and the body ends when it
    /// returns. It runs in the handler's task, behind it, and is cancelled when the client goes away or the server stops.
    /// For HEAD it does not run, nor with a status that has no body; if its length is not known, the connection is closed then.
    ///
    /// - Parameters:
    ///   - length: the number of octets, if it is known: then `Content-Length` says so. A stream that ends earlier
    ///     breaks the connection off; what goes beyond is not sent.
    ///   - produce: writes the pieces. An error that it throws breaks the connection off, so that the client knows.
    public static func stream(
        length: Int? = nil, _ produce: @escaping @Sendable (HTTPBodyWriter) async throws -> Void
    ) -> HTTPBody {
        HTTPBody(.stream(length: length, produce))
    }

    /// The pieces of a sequence, each asked for when the client has room for more.
    public static func sequence<Pieces: AsyncSequence & Sendable>(
        _ pieces: Pieces, length: Int? = nil
    ) -> HTTPBody where Pieces.Element == [UInt8] {
        stream(length: length) { writer in
            for try await piece in pieces { try await writer.write(piece) }
        }
    }

    /// The octets of a source, such as a file, read while the client takes them.
    public static func source(_ source: some OctetSource) -> HTTPBody {
        if let octets = source.octetsInMemory { return HTTPBody(octets) }
        return stream(length: source.sizeInOctets) { writer in
            var reader = try source.makeReader()
            while true {
                let piece = try await reader.read(atMost: pieceInOctets)
                if piece.isEmpty { return }
                try await writer.write(piece)
            }
        }
    }

    /// Octets of a body that the library is handed at once.
    static let pieceInOctets = 64 * 1024
}
