#if canImport(Glibc)
    import Glibc
#elseif canImport(Darwin)
    import Darwin
#endif

extension ByteChannel {
    /// Connects to a host by name or numeric address, over IPv6 or IPv4, whichever answers first (RFC 8305).
    ///
    /// - Parameters:
    ///   - host: a host name, or an IPv4 or IPv6 address without brackets.
    ///   - port: 1…65535.
    ///   - limit: the time for looking up and connecting together.
    ///   - resolver: turns the name into addresses.
    ///   - loop: the loop that serves the channel.
    /// - Throws: `TransportError`: `.hostNotFound`, `.connectionRefused`, `.timedOut`, …
    public static func connect(
        to host: String, port: Int, within limit: Duration = .seconds(30),
        resolver: Resolver = .system, loop: EventLoop = .shared
    ) async throws(TransportError) -> ByteChannel {
        let peer = host.contains(":") ? "[\(host)]:\(port)" : "\(host):\(port)"
        if let address = SocketAddress(numeric: host, port: port) {
            return try await connect(to: address, within: limit, peer: peer, loop: loop)
        }
        let race = HappyEyeballs(resolver: resolver) { address throws(TransportError) in
            try await connect(to: address, within: limit, peer: peer, loop: loop)
        }
        do throws(TransportError) {
            return try await race.run(host: host, port: port, within: limit)
        } catch {
            throw error.with(peer: error.stage == .resolve ? host : peer)
        }
    }

    /// Connects to one address.
    public static func connect(
        to address: SocketAddress, within limit: Duration = .seconds(30), peer: String? = nil,
        loop: EventLoop = .shared
    ) async throws(TransportError) -> ByteChannel {
        let peer = peer ?? address.description
        let socket: CInt
        do throws(TransportError) {
            socket = try Descriptor.makeSocket(address.systemFamily)
        } catch {
            throw error.with(peer: peer)
        }
        let result = address.withSystemAddress { SystemCalls.connect(socket, $0, $1) }
        let number = errno
        guard result == 0 || number == EINPROGRESS || number == EINTR else {
            SystemCalls.close(socket)
            throw .system(number, .connect).with(peer: peer)
        }
        let channel = try await adopt(socket, loop: loop, peer: peer)
        do throws(TransportError) {
            try await channel.finishConnecting(within: limit)
            return channel
        } catch {
            await channel.close()
            throw error
        }
    }

    /// How often a connection attempt is looked at without having been heard of.
    private static var connectionCheck: Duration { .milliseconds(250) }

    private func finishConnecting(within limit: Duration) async throws(TransportError) {
        let end = MonotonicTime.now.advanced(by: limit)
        while true {
            do throws(TransportError) {
                let slice = min(end.timeLeft(of: limit), Self.connectionCheck)
                try await wait(.write, slice, stage: .connect)
                break
            } catch {
                guard case .timedOut = error.kind else { throw error }
                // QUIRK(dispatch-lost-connect): once, on a busy machine, nothing was heard of an attempt that was refused.
                // It did not come again in 2,400 attempts, so that this is a net and no known need.
                if descriptor?.isWritable == true {
                    assumeWritable()
                    break
                }
                guard MonotonicTime.now < end else {
                    throw failure(.timedOut(after: limit), .connect)
                }
            }
        }
        let number = descriptor?.pendingError ?? EBADF
        guard number == 0 else { throw .system(number, .connect).with(peer: peer) }
    }
}
