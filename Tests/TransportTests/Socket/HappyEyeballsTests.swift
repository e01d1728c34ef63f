import Synchronization
import Testing

@testable import MartletTransport

@Suite("Happy Eyeballs", .timeLimit(.minutes(1)))
struct HappyEyeballsTests {
    static let v6 = SocketAddress(numeric: "::1", port: 25)!
    static let v6b = SocketAddress(numeric: "::2", port: 25)!
    static let v4 = SocketAddress(numeric: "127.0.0.1", port: 25)!

    /// Addresses by family; `nil` means that the look-up does not end by itself.
    static func resolver(
        v6: [SocketAddress]?, v4: [SocketAddress]?
    ) -> Resolver {
        Resolver { _, _, family throws(TransportError) in
            guard let addresses = family == .ipv6 ? v6 : v4 else { throw await forever() }
            guard !addresses.isEmpty else { throw TransportError(.hostNotFound, .resolve) }
            return addresses
        }
    }

    static func forever() async -> TransportError {
        try? await Task.sleep(for: .seconds(3600))
        return TransportError(.cancelled, .connect)
    }

    static func channel(_ name: String) async throws(TransportError) -> ByteChannel {
        let (ours, theirs) = try Descriptor.makePair()
        SystemCalls.close(theirs)
        return try await ByteChannel.adopt(ours, loop: .shared, peer: name)
    }

    @Test("an address that does not answer does not hold up the other family")
    func blackHole() async throws {
        var race = HappyEyeballs(resolver: Self.resolver(v6: [Self.v6], v4: [Self.v4])) {
            address throws(TransportError) in
            guard address.family == .ipv4 else { throw await Self.forever() }
            return try await Self.channel("v4")
        }
        race.attemptDelay = .milliseconds(20)
        #expect(try await race.run(host: "h", port: 25, within: .seconds(30)).peer == "v4")
    }

    @Test("a refused address makes room for the next at once")
    func refused() async throws {
        let order = Mutex<[SocketAddress]>([])
        let resolver = Resolver { _, _, family throws(TransportError) in
            guard family == .ipv6 else { return [Self.v4] }
            // Late, so that both families are known when the race starts.
            try? await Task.sleep(for: .milliseconds(10))
            return [Self.v6, Self.v6b]
        }
        var race = HappyEyeballs(resolver: resolver) { address throws(TransportError) in
            order.withLock { $0.append(address) }
            guard address == Self.v6b else { throw TransportError(.connectionRefused, .connect) }
            return try await Self.channel("v6b")
        }
        race.attemptDelay = .seconds(3600)
        race.resolutionDelay = .seconds(3600)
        #expect(try await race.run(host: "h", port: 25, within: .seconds(30)).peer == "v6b")
        #expect(order.withLock { $0 } == [Self.v6, Self.v4, Self.v6b], "the families take turns")
    }

    @Test("IPv4 does not wait for a look-up of IPv6 that never ends")
    func slowLookUp() async throws {
        let race = HappyEyeballs(resolver: Self.resolver(v6: nil, v4: [Self.v4])) {
            _ throws(TransportError) in try await Self.channel("v4")
        }
        #expect(try await race.run(host: "h", port: 25, within: .seconds(30)).peer == "v4")
    }

    @Test("the first refusal is the one shown when all refuse")
    func allRefuse() async throws {
        let race = HappyEyeballs(resolver: Self.resolver(v6: [Self.v6], v4: [Self.v4])) {
            address throws(TransportError) in
            throw TransportError(
                address.family == .ipv6 ? .connectionRefused : .unreachable, .connect)
        }
        let error = await #expect(throws: TransportError.self) {
            try await race.run(host: "h", port: 25, within: .seconds(30))
        }
        #expect(error?.kind == .connectionRefused)
    }

    @Test("a name without addresses is told from a name service that is away")
    func notFound() async throws {
        let attempt: HappyEyeballs.Attempt = { _ throws(TransportError) in
            throw TransportError(.connectionRefused, .connect)
        }
        var race = HappyEyeballs(resolver: Self.resolver(v6: [], v4: []), attempt: attempt)
        var error = await #expect(throws: TransportError.self) {
            try await race.run(host: "h", port: 25, within: .seconds(30))
        }
        #expect(error?.kind == .hostNotFound)
        race.resolver = Resolver { _, _, family throws(TransportError) in
            throw TransportError(
                family == .ipv6 ? .hostNotFound : .nameServiceUnavailable, .resolve)
        }
        error = await #expect(throws: TransportError.self) {
            try await race.run(host: "h", port: 25, within: .seconds(30))
        }
        #expect(error?.kind == .nameServiceUnavailable)
    }

    @Test("the whole takes no longer than its limit")
    func limit() async throws {
        let race = HappyEyeballs(resolver: Self.resolver(v6: [Self.v6], v4: [Self.v4])) {
            _ throws(TransportError) in throw await Self.forever()
        }
        let error = await #expect(throws: TransportError.self) {
            try await race.run(host: "h", port: 25, within: .milliseconds(60))
        }
        #expect(error?.kind == .timedOut(after: .milliseconds(60)))
        #expect(error?.stage == .connect)
    }

    @Test("cancelling ends it at once")
    func cancel() async throws {
        let race = HappyEyeballs(resolver: Self.resolver(v6: [Self.v6], v4: nil)) {
            _ throws(TransportError) in throw await Self.forever()
        }
        let task = Task { try await race.run(host: "h", port: 25, within: .seconds(3600)) }
        task.cancel()
        await #expect(throws: TransportError.self) { try await task.value }
    }

    @Test("both families of a real name are tried until one listens")
    func localhost() async throws {
        let listener = try await Listener.listen(
            at: #require(SocketAddress(numeric: "127.0.0.1", port: 0)))
        let channel = try await ByteChannel.connect(to: "localhost", port: listener.address.port)
        #expect(await channel.remoteAddress == listener.address)
        #expect(channel.peer == "localhost:\(listener.address.port)")
        await channel.close()
        await listener.close()
    }

    @Test("nothing listening is a refusal that names the port")
    func nothingListens() async throws {
        let listener = try await Listener.listen(
            at: #require(SocketAddress(numeric: "127.0.0.1", port: 0)))
        let port = listener.address.port
        await listener.close()
        let error = await #expect(throws: TransportError.self) {
            _ = try await ByteChannel.connect(to: "127.0.0.1", port: port)
        }
        #expect(error?.kind == .connectionRefused)
        #expect(error?.description.contains("127.0.0.1:\(port)") == true)
    }

    @Test("a name that cannot exist", arguments: ["no-such-host.invalid", "", "a\0b"])
    func invalid(name: String) async throws {
        let error = await #expect(throws: TransportError.self) {
            _ = try await ByteChannel.connect(to: name, port: 25, within: .seconds(20))
        }
        // Without a network the name service may be away instead.
        #expect([.hostNotFound, .nameServiceUnavailable].contains(error?.kind))
        #expect(error?.stage == .resolve)
    }

    @Test(
        "localhost is this machine and no question to a name service",
        arguments: ["localhost", "LOCALHOST", "a.localhost", "localhost."])
    func localhostNames(name: String) async throws {
        #expect(try await Resolver.system.lookUp(name, 25, .ipv4) == [Self.v4])
        #expect(try await Resolver.system.lookUp(name, 25, .ipv6) == [Self.v6])
    }

    @Test("that one family has no way says less than what the other one said")
    func verdict() async throws {
        let race = HappyEyeballs(resolver: Self.resolver(v6: [Self.v6], v4: [Self.v4])) {
            address throws(TransportError) in
            throw TransportError(
                address.family == .ipv6 ? .unreachable : .connectionRefused, .connect)
        }
        let error = await #expect(throws: TransportError.self) {
            try await race.run(host: "h", port: 25, within: .seconds(30))
        }
        #expect(error?.kind == .connectionRefused)
    }
}
