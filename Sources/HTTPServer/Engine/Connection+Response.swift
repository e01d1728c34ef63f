import CMartletMicrohttpd
import MartletBytes

extension Connection {
    /// Hands a response to the library.
    ///
    /// - Returns: whether it took it.
    func send(_ response: HTTPResponse, _ exchange: Exchange) -> Bool {
        var response = response
        let size = response.ownFields.reduce(0) {
            $0 + $1.name.description.utf8.count + $1.value.utf8.count + 4
        }
        if size > HTTPResponse.headerLimitInOctets {
            response = .refusal(.internalServerError, "The response's header is too large.")
        }
        let body = response.status.hasContent ? response.body : .empty
        guard let made = make(body) else { return false }
        defer { MHD_destroy_response(made) }
        if case .stream(nil, _) = body.content,
            exchange.head?.method == .head || response.status.excludesBody
        {
            cmartlet_mhd_end_by_closing(made)
        }
        for field in response.ownFields {
            // the library takes no empty value; a blank is the same
            let value = field.value.isEmpty ? " " : field.value
            guard MHD_add_response_header(made, field.name.description, value) == .YES else {
                return false
            }
        }
        // What a chunked body's end is, two programs may see in two ways (the library takes a lone LF for a line's end
        // there): nothing that follows it is taken for a request.
        let closes =
            response.closesConnection || exchange.head?.framing == .chunked || core.isStopping
        if closes { MHD_add_response_header(made, "Connection", "close") }
        return MHD_queue_response(handle, UInt32(response.status.code), made) == .YES
    }

    private func make(_ body: HTTPBody) -> OpaquePointer? {
        switch body.content {
        case .octets(let octets) where octets.count <= HTTPBody.pieceInOctets:
            return octets.withUnsafeBytes { octets in
                // copied at once: the library does not write through the pointer
                MHD_create_response_from_buffer(
                    octets.count, UnsafeMutableRawPointer(mutating: octets.baseAddress),
                    .RESPMEM_MUST_COPY)
            }
        case .octets(let octets):
            let large = Unmanaged.passRetained(LargeBody(octets, connection: self))
            let made = MHD_create_response_from_callback(
                UInt64(octets.count), HTTPBody.pieceInOctets, bodyIsRead, large.toOpaque(),
                bodyIsReleased)
            if made == nil { large.release() }
            return made
        case .stream(let length, _):
            let own = Unmanaged.passRetained(self)
            let made = MHD_create_response_from_callback(
                length.map { UInt64(max(0, $0)) } ?? UInt64.max, Self.streamBlockInOctets,
                streamIsRead, own.toOpaque(), streamIsReleased)
            if made == nil { own.release() }
            return made
        }
    }

    /// The library's buffer for a stream of known length; others use the connection's memory.
    private static let streamBlockInOctets = 16 * 1024
}

/// A body in memory that the library reads in pieces: so it is seen that the client takes them.
final class LargeBody: Sendable {
    private let octets: Octets
    private let connection: Connection

    init(_ octets: Octets, connection: Connection) {
        self.octets = octets
        self.connection = connection
    }

    func read(from offset: Int, into target: UnsafeMutableRawBufferPointer) -> Int {
        connection.madeProgress()
        return octets.withUnsafeBytes { octets in
            let count = min(target.count, octets.count - offset)
            guard offset >= 0, count > 0 else { return Connection.endOfStream }
            // within both: `count` is what is left of the shorter one
            target.copyMemory(
                from: UnsafeRawBufferPointer(rebasing: octets[offset..<offset + count]))
            return count
        }
    }
}

extension HTTPResponse {
    /// The response as the server itself writes it, where the library cannot.
    var octets: [UInt8] {
        guard case .octets(let octets) = body.content else { return [] }
        var text = "HTTP/1.1 \(status)\r\nDate: \(SystemCalls.dateText)\r\nConnection: close\r\n"
        for field in ownFields { text += "\(field.name): \(field.value)\r\n" }
        text += "Content-Length: \(octets.count)\r\n\r\n"
        return [UInt8](text.utf8) + octets[0..<octets.count]
    }
}
