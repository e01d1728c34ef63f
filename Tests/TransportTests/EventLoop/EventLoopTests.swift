import MartletTestSupport
import Synchronization
import Testing

@testable import MartletTransport

@Suite("Event loop", .timeLimit(.minutes(1)))
struct EventLoopTests {
    @Test(
        "of one's own serves connections until they are closed, also after shutDown",
        arguments: EventLoop.Backend.allCases)
    func shutDown(backend: EventLoop.Backend) async throws {
        let loop = try EventLoop(backend: backend)
        let (client, server) = try await makePair(loop: loop)
        loop.shutDown()
        for round in 0..<10 {
            try await client.write([UInt8(round)], within: .seconds(20))
            #expect(try await server.read(within: .seconds(20)) == [UInt8(round)])
        }
        await client.close()
        #expect(try await server.read(within: .seconds(20)).isEmpty)
        await server.close()
    }

    @Test("runs what it is given in order, on one thread")
    func order() async throws {
        let loop = try EventLoop()
        let numbers = Mutex<[Int]>([])
        for number in 0..<1_000 {
            loop.execute {
                loop.checkIsolated()
                numbers.withLock { $0.append(number) }
            }
        }
        try await waitUntil { numbers.withLock { $0.count } == 1_000 }
        #expect(numbers.withLock { $0 } == Array(0..<1_000))
        loop.shutDown()
    }

    @Test("lets what is due go before one who passes the turn")
    func turns() async throws {
        actor Diligent {
            let loop: EventLoop
            var done: [String] = []
            nonisolated var unownedExecutor: UnownedSerialExecutor {
                loop.asUnownedSerialExecutor()
            }
            init(_ loop: EventLoop) { self.loop = loop }
            func work() async -> [String] {
                loop.execute { self.assumeIsolated { $0.done.append("another's") } }
                done.append("first")
                await loop.passTurn(isolation: self)
                done.append("second")
                return done
            }
        }
        let loop = try EventLoop()
        #expect(await Diligent(loop).work() == ["first", "another's", "second"])
        loop.shutDown()
    }

    @Test("fires timers in the order of their times")
    func timers() async throws {
        struct Note: TimerHandler {
            let number: Int
            let times: Times
            func timeCame() { times.list.withLock { $0.append(number) } }
        }
        final class Times: Sendable { let list = Mutex<[Int]>([]) }
        let loop = try EventLoop()
        let times = Times()
        var generator = SeededGenerator(seed: 7)
        let numbers = (0..<100).shuffled(using: &generator)
        loop.execute {
            let now = MonotonicTime.now
            for number in numbers {
                loop.schedule(
                    at: now.advanced(by: .microseconds(100 * number)),
                    Note(number: number, times: times))
            }
        }
        try await waitUntil { times.list.withLock { $0.count } == 100 }
        #expect(times.list.withLock { $0 } == Array(0..<100))
        loop.shutDown()
    }
}
