#if os(Linux)
    import CMartletLinux
#endif

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
    /// A new socket, closed on `exec`: from the start where the system can, so that no child started meanwhile has it.
    static func socket(_ family: CInt, _ type: CInt) -> CInt {
        #if os(Linux)
            makeSocket(family, type | CInt(SOCK_CLOEXEC.rawValue), 0)
        #else
            makeSocket(family, type, 0)
        #endif
    }
    /// A new connection, closed on `exec` in the same way.
    static func accept(_ socket: CInt) -> CInt {
        #if os(Linux)
            accept4(socket, nil, nil, CInt(SOCK_CLOEXEC.rawValue))
        #else
            acceptSocket(socket, nil, nil)
        #endif
    }
    static func send(_ socket: CInt, _ octets: UnsafeRawBufferPointer) -> Int {
        sendOctets(socket, octets.baseAddress, octets.count, sendFlags)
    }
}

private let closeDescriptor = close
private let connectSocket = connect
private let bindSocket = bind
private let listenSocket = listen
private let makeSocket = socket
#if !os(Linux)
    private let acceptSocket = accept
#endif
private let sendOctets = send

#if os(Linux)
    // A peer that is gone is an error to report, not a signal that ends the process.
    let sendFlags = CInt(MSG_NOSIGNAL)
#else
    let sendFlags: CInt = 0
#endif
