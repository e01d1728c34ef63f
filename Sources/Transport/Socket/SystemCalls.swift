#if canImport(Glibc)
    import Glibc
#elseif canImport(Darwin)
    import Darwin
#endif

/// The system's calls under their own names, where a method of ours is called the same.
enum SystemCalls {
    static func close(_ descriptor: CInt) { _ = closeDescriptor(descriptor) }
    static func connect(_ socket: CInt, _ address: UnsafePointer<sockaddr>, _ length: socklen_t)
        -> CInt
    {
        connectSocket(socket, address, length)
    }
    static func bind(_ socket: CInt, _ address: UnsafePointer<sockaddr>, _ length: socklen_t)
        -> CInt
    {
        bindSocket(socket, address, length)
    }
    static func listen(_ socket: CInt, _ backlog: CInt) -> CInt { listenSocket(socket, backlog) }
    static func accept(_ socket: CInt) -> CInt { acceptSocket(socket, nil, nil) }
    static func send(_ socket: CInt, _ octets: UnsafeRawBufferPointer) -> Int {
        sendOctets(socket, octets.baseAddress, octets.count, sendFlags)
    }
}

private let closeDescriptor = close
private let connectSocket = connect
private let bindSocket = bind
private let listenSocket = listen
private let acceptSocket = accept
private let sendOctets = send

#if os(Linux)
    // A peer that is gone is an error to report, not a signal that ends the process.
    let sendFlags = CInt(MSG_NOSIGNAL)
#else
    let sendFlags: CInt = 0
#endif
