import CMartletMicrohttpd

#if canImport(Glibc)
    import Glibc
#elseif canImport(Darwin)
    import Darwin
#endif

// The functions that the library calls on its thread. Plain functions: a closure would take the isolation of the place
// it is written in. `context` is the server's core, which outlives the library's thread.

private func core(_ context: UnsafeMutableRawPointer?) -> ServerCore? {
    context.map { Unmanaged<ServerCore>.fromOpaque($0).takeUnretainedValue() }
}

private func connection(of handle: OpaquePointer) -> Connection? {
    cmartlet_mhd_context(handle).map {
        Unmanaged<Connection>.fromOpaque($0).takeUnretainedValue()
    }
}

/// A connection begins or is about to be closed.
func connectionChanged(
    _ context: UnsafeMutableRawPointer?, _ handle: OpaquePointer?,
    _ place: UnsafeMutablePointer<UnsafeMutableRawPointer?>?,
    _ change: MHD_ConnectionNotificationCode
) {
    guard let core = core(context), let handle, let place else { return }
    switch change {
    case .CONNECTION_NOTIFY_STARTED:
        let socket = cmartlet_mhd_descriptor(handle)
        let connection = Connection(
            core: core, handle: handle, socket: socket,
            remoteAddress: HTTPEndpoint(of: socket, getpeername) ?? .loopback(port: 0))
        place.pointee = Unmanaged.passRetained(connection).toOpaque()
        core.add(connection)
    case .CONNECTION_NOTIFY_CLOSED:
        guard let pointer = place.pointee else { return }
        place.pointee = nil
        let connection = Unmanaged<Connection>.fromOpaque(pointer).takeRetainedValue()
        connection.closed()
        core.remove(connection)
        core.closedOne()
    @unknown default: break
    }
}

/// The first line of a request was read; its target is not decoded yet.
///
/// - Returns: what the library keeps with the request.
func requestBegan(
    _: UnsafeMutableRawPointer?, _ target: UnsafePointer<CChar>?, _ handle: OpaquePointer?
) -> UnsafeMutableRawPointer? {
    guard let target, let handle, let connection = connection(of: handle) else { return nil }
    let exchange = Exchange(
        targetText: String(cString: target),
        targetPlace: (start: UInt(bitPattern: target), count: strlen(target)))
    connection.began(exchange)
    return Unmanaged.passRetained(exchange).toOpaque()
}

/// A request is over.
func requestCompleted(
    _: UnsafeMutableRawPointer?, _ handle: OpaquePointer?,
    _ place: UnsafeMutablePointer<UnsafeMutableRawPointer?>?, _: MHD_RequestTerminationCode
) {
    guard let handle, let connection = connection(of: handle) else { return }
    connection.completed()
    guard let pointer = place?.pointee else { return }
    place?.pointee = nil
    let exchange = Unmanaged<Exchange>.fromOpaque(pointer).takeRetainedValue()
    connection.core.releaseBody(exchange.reservedOctets)
}

/// Called when the header is complete, for each piece of the body, and when the request is complete: again if there was
/// no response yet.
func requestContinues(
    _: UnsafeMutableRawPointer?, _ handle: OpaquePointer?, _: UnsafePointer<CChar>?,
    _ method: UnsafePointer<CChar>?, _ version: UnsafePointer<CChar>?,
    _ octets: UnsafePointer<CChar>?, _ count: UnsafeMutablePointer<Int>?,
    _ place: UnsafeMutablePointer<UnsafeMutableRawPointer?>?
) -> MHD_Result {
    guard let handle, let connection = connection(of: handle), let method, let version, let count,
        let pointer = place?.pointee
    else { return .NO }
    let exchange = Unmanaged<Exchange>.fromOpaque(pointer).takeUnretainedValue()
    if count.pointee > 0, let octets {
        let piece = UnsafeRawBufferPointer(start: octets, count: count.pointee)
        count.pointee = 0
        return connection.receive(piece, exchange) ? .YES : .NO
    }
    if !exchange.hasBegun {
        exchange.hasBegun = true
        var head = RawHead(
            method: method, version: version, target: exchange.targetPlace,
            headerSize: cmartlet_mhd_header_size(handle))
        withUnsafeMutablePointer(to: &head) { head in
            _ = MHD_get_connection_values_n(handle, .HEADER_KIND, collectField, head)
        }
        return connection.begin(head, exchange) ? .YES : .NO
    }
    return connection.goOn(exchange) ? .YES : .NO
}

private func collectField(
    _ context: UnsafeMutableRawPointer?, _: MHD_ValueKind, _ name: UnsafePointer<CChar>?,
    _ nameCount: Int, _ value: UnsafePointer<CChar>?, _ valueCount: Int
) -> MHD_Result {
    // `context` is the `RawHead` of the call that asked
    context?.assumingMemoryBound(to: RawHead.self).pointee.fields.append(
        RawHead.RawField(
            name: UnsafeRawBufferPointer(start: name, count: nameCount),
            value: UnsafeRawBufferPointer(start: value, count: valueCount)))
    return .YES
}

/// Octets of a response that is streamed.
func streamIsRead(
    _ context: UnsafeMutableRawPointer?, _: UInt64, _ target: UnsafeMutablePointer<CChar>?,
    _ count: Int
) -> Int {
    guard let context, let target else { return Connection.endWithError }
    let connection = Unmanaged<Connection>.fromOpaque(context).takeUnretainedValue()
    return connection.readStream(into: UnsafeMutableRawBufferPointer(start: target, count: count))
}

func streamIsReleased(_ context: UnsafeMutableRawPointer?) {
    guard let context else { return }
    Unmanaged<Connection>.fromOpaque(context).release()
}

/// Octets of a response that is in memory, and too large to be copied at once.
func bodyIsRead(
    _ context: UnsafeMutableRawPointer?, _ offset: UInt64, _ target: UnsafeMutablePointer<CChar>?,
    _ count: Int
) -> Int {
    guard let context, let target else { return Connection.endWithError }
    let body = Unmanaged<LargeBody>.fromOpaque(context).takeUnretainedValue()
    return body.read(
        from: Int(offset), into: UnsafeMutableRawBufferPointer(start: target, count: count))
}

func bodyIsReleased(_ context: UnsafeMutableRawPointer?) {
    guard let context else { return }
    Unmanaged<LargeBody>.fromOpaque(context).release()
}
